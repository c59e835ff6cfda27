#include "simulation/simulated_transport.hh"

#include <algorithm>
#include <array>
#include <chrono>
#include <utility>

namespace tributary {
namespace {

using namespace std::chrono_literals;

constexpr DataSize kRequestHead{210};  // as our client and nginx write them
constexpr DataSize kResponseHead{330};

constexpr std::array<std::byte, 65536> kNoContent{};

constexpr Duration kLeastProgressLimit = 2s;

}  // namespace

SimulatedTransport::SimulatedTransport(const LinkScenario& scenario, Bottleneck& bottleneck)
    : scenario_{scenario}, bottleneck_{bottleneck} {}

void SimulatedTransport::submit(const transport::RangeRequest& request, TimePoint now) {
  if (pending_.empty()) last_progress_ = now;
  if (!connection_) {
    connection_ = std::make_unique<SimulatedConnection>(scenario_, bottleneck_, now);
    proven_ = false;
    last_progress_ = connection_->established_at() + 1s;
  }
  pending_.push_back({request, false, kResponseHead, {}});
  ByteRange& range = pending_.back().request.range;
  if (request.open && request.file_size) range.end = std::max(range.begin, std::min(range.end, *request.file_size));
  ask_what_may_be_asked(now);
}

void SimulatedTransport::close(FailureReason reason, TimePoint now) {
  // Packets that the server sent before stay in the bottleneck's queue.
  if (connection_) connection_->advance(now - Duration{1});
  connection_.reset();
  for (const Pending& pending : pending_) events_.push_back(transport::RequestFailed{pending.request.id, reason, ""});
  pending_.clear();
}

void SimulatedTransport::advance(TimePoint now) {
  if (!connection_) return;
  const DataSize received = connection_->advance(now);
  if (received > DataSize{}) {
    last_progress_ = std::max(last_progress_, now);
    take_in(received, now);
  }
  if (pending_.empty() || now < last_progress_ + kLeastProgressLimit) return;
  if (now >= last_progress_ + progress_limit()) close(FailureReason::kStalled, now);
}

std::optional<transport::Event> SimulatedTransport::next_event() {
  if (events_.empty()) return std::nullopt;
  std::optional<transport::Event> event{std::move(events_.front())};
  events_.pop_front();
  return event;
}

std::optional<TimePoint> SimulatedTransport::next_deadline() const {
  const TimePoint at = due(true);
  return at == TimePoint::max() ? std::nullopt : std::optional{at};
}

TimePoint SimulatedTransport::due(bool alone) const {
  if (!connection_ || pending_.empty()) return TimePoint::max();
  // The server's work in between can shorten the limit, but not below the least one.
  const TimePoint arrival = connection_->next_arrival();
  if (alone && arrival <= last_progress_ + kLeastProgressLimit) return arrival;
  const TimePoint stalled = last_progress_ + progress_limit();
  return std::min(stalled, connection_->next_deadline().value_or(stalled));
}

std::optional<RoundTrip> SimulatedTransport::round_trip() const {
  if (!connection_ || !proven_) return std::nullopt;
  return connection_->round_trip();
}

void SimulatedTransport::ask_what_may_be_asked(TimePoint now) {
  for (std::size_t i = 0; i < pending_.size(); ++i) {
    Pending& pending = pending_[i];
    if (pending.asked) continue;
    if (i > 0 && !proven_) return;
    pending.asked = true;
    connection_->ask(kRequestHead, kResponseHead + pending.request.range.size(), now);
  }
}

void SimulatedTransport::take_in(DataSize received, TimePoint now) {
  while (received > DataSize{}) {
    Pending& pending = pending_.front();
    const RequestId id = pending.request.id;
    if (pending.head_left > DataSize{}) {
      const DataSize head = std::min(pending.head_left, received);
      pending.head_left -= head;
      received -= head;
      if (pending.head_left == DataSize{}) {
        const bool tells_size = pending.request.open;
        const bool no_body = pending.request.range.empty();
        events_.push_back(transport::ResponseBegan{id, tells_size ? pending.request.file_size : std::nullopt});
        if (no_body) {
          events_.push_back(transport::RequestDone{id});
          pending_.pop_front();
        }
        if (!proven_) {
          proven_ = true;
          ask_what_may_be_asked(now);
        }
      }
      continue;
    }
    const DataSize left = pending.request.range.size() - pending.body_given;
    const DataSize body = std::min({left, received, DataSize{kNoContent.size()}});
    events_.push_back(transport::BodyReceived{id, pending.request.range.begin + pending.body_given,
                                              std::span{kNoContent}.first(static_cast<std::size_t>(body.bytes()))});
    pending.body_given += body;
    received -= body;
    if (pending.body_given == pending.request.range.size()) {
      events_.push_back(transport::RequestDone{id});
      pending_.pop_front();
    }
  }
}

Duration SimulatedTransport::progress_limit() const {
  return std::max<Duration>(kLeastProgressLimit, 8 * round_trip().value_or(RoundTrip{}).smoothed);
}

}  // namespace tributary
