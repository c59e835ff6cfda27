#include "community/transfer.hh"

#include <algorithm>
#include <map>
#include <variant>

#include "simulation/reno_sender.hh"

namespace tributary::community {
namespace {

constexpr DataSize kAcknowledgment{40};

class Transfer {
 public:
  Transfer(const Experiment& experiment, Proxy& proxy, const LinkScenario& gateway, std::uint64_t seed)
      : experiment_{experiment},
        proxy_{proxy},
        gateway_{gateway, seed},
        now_{experiment.from},
        sender_{experiment.packet, now_, experiment.window.value_or(RenoSender::kAnything)} {}

  TransferCount run() {
    const TimePoint end = experiment_.from + experiment_.length;
    send();
    while (receiver_.in_order() < *experiment_.file && step(end)) {
    }
    const bool complete = receiver_.in_order() >= *experiment_.file;
    return {.came = std::min(receiver_.in_order(), *experiment_.file),
            .took = (complete ? now_ : end) - experiment_.from,
            .retransmissions = sender_.retransmissions()};
  }

 private:
  using Event =
      std::variant<RenoSender::Segment, std::uint64_t>;  // data at the receiver; an acknowledgment at the sender

  void send() {
    for (const RenoSender::Segment& segment : sender_.take_segments(now_)) {
      const DataSize frame = DataSize{segment.length} + experiment_.headers;
      if (const auto arrives = proxy_.send({}, frame, now_)) events_.emplace(*arrives, segment);
    }
  }

  /// False: the next one is after the end.
  bool step(TimePoint end) {
    const TimePoint event = events_.empty() ? TimePoint::max() : events_.begin()->first;
    const TimePoint next = std::min(event, sender_.next_deadline());
    if (next > end) return false;
    now_ = next;
    if (event <= next) {
      take(events_.extract(events_.begin()).mapped());
    } else {
      sender_.wake(now_);
    }
    send();
    return true;
  }

  void take(const Event& event) {
    if (const auto* number = std::get_if<std::uint64_t>(&event)) return sender_.acknowledged(*number, now_);
    const std::uint64_t number = receiver_.got(std::get<RenoSender::Segment>(event));
    if (const auto arrives = gateway_.send(kAcknowledgment + experiment_.headers, now_))
      events_.emplace(*arrives, number);
  }

  const Experiment& experiment_;
  Proxy& proxy_;
  Bottleneck gateway_;
  TimePoint now_;
  RenoSender sender_;
  RenoReceiver receiver_;
  std::multimap<TimePoint, Event> events_;
};

}  // namespace

TransferCount run_transfer(const Experiment& experiment, Proxy& proxy, const LinkScenario& gateway,
                           std::uint64_t seed) {
  return Transfer{experiment, proxy, gateway, seed}.run();
}

}  // namespace tributary::community
