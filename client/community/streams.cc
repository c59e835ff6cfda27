#include "community/streams.hh"

#include <algorithm>
#include <cmath>

namespace tributary::community {
namespace {

class ConstantStream {
 public:
  ConstantStream(DataRate rate, DataSize packet, TimePoint begin, double phase)
      : between_{packet / rate}, next_{begin + from_seconds(phase * to_seconds(between_))} {}

  TimePoint next() const { return next_; }
  void sent(std::optional<TimePoint> arrives) {
    if (arrives) arrivals_.push_back({*arrives, next_});
    ++sent_;
    next_ += between_;
  }

  StreamCount count() {
    StreamCount count{.sent = sent_, .came = arrivals_.size()};
    std::ranges::stable_sort(arrivals_, {}, &Arrival::at);
    double jitter = 0, sum = 0;
    for (std::size_t i = 1; i < arrivals_.size(); ++i) {
      const Duration difference = transit(arrivals_[i]) - transit(arrivals_[i - 1]);
      jitter += (std::abs(to_seconds(difference)) - jitter) / 16;
      sum += jitter;
    }
    if (arrivals_.size() > 1) count.jitter_s = sum / static_cast<double>(arrivals_.size() - 1);
    return count;
  }

 private:
  struct Arrival {
    TimePoint at, sent;
  };
  static Duration transit(const Arrival& arrival) { return arrival.at - arrival.sent; }

  Duration between_;
  TimePoint next_;
  std::uint64_t sent_ = 0;
  std::vector<Arrival> arrivals_;
};

std::vector<ConstantStream> streams_of(const Experiment& experiment, std::uint64_t seed) {
  SplitMix random{seed};
  std::vector<double> phases;
  while (phases.size() < experiment.streams.size()) {
    phases.push_back(static_cast<double>(phases.size()) / static_cast<double>(experiment.streams.size()));
    std::swap(phases.back(), phases[random.below(static_cast<std::uint32_t>(phases.size()))]);
  }
  std::vector<ConstantStream> streams;
  for (std::size_t i = 0; i < phases.size(); ++i)
    streams.emplace_back(experiment.streams[i], experiment.packet, experiment.from, phases[i]);
  return streams;
}

}  // namespace

std::vector<StreamCount> run_streams(const Experiment& experiment, Proxy& proxy, std::uint64_t seed) {
  std::vector<ConstantStream> streams = streams_of(experiment, seed);
  const TimePoint end = experiment.from + experiment.length;
  while (true) {
    const auto first = std::ranges::min_element(streams, {}, &ConstantStream::next);
    if (first->next() >= end) break;
    const auto layer = static_cast<bonding::Subflow>(first - streams.begin());
    first->sent(proxy.send(layer, experiment.packet + experiment.headers, first->next()));
  }
  std::vector<StreamCount> counts;
  for (ConstantStream& stream : streams) counts.push_back(stream.count());
  return counts;
}

}  // namespace tributary::community
