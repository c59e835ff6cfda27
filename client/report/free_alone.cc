#include "report/free_alone.hh"

#include <algorithm>
#include <map>
#include <numeric>
#include <vector>

namespace tributary {
namespace {

using namespace std::chrono_literals;

constexpr double kRatesMayDiffer = 1.1;
constexpr Duration kBeside = 2s;

/// The rate of all free links together, from moment to moment.
class FreeRates {
 public:
  explicit FreeRates(const SessionRecord& record) {
    for (const auto& [id, link] : record.links()) {
      if (link.cost.spared()) continue;
      const Duration busy = link.busy + (link.busy_since ? record.now() - *link.busy_since : Duration{});
      if (busy <= Duration::zero()) continue;
      average_[id] = static_cast<double>(link.received.bytes()) / to_seconds(busy);
      in_all_ += average_[id];
    }
    std::map<LinkId, bool> was_busy;
    for (const LinkSample& sample : record.samples()) {
      const auto average = average_.find(sample.link);
      if (average == average_.end()) continue;
      const auto interval = static_cast<std::size_t>(sample.at.time_since_epoch() / SessionRecord::kSampleEvery) - 1;
      if (rates_.size() <= interval) rates_.resize(interval + 1);
      const bool is_busy = sample.outstanding_bytes > DataSize{};
      const double brought = static_cast<double>(sample.received.bytes()) / to_seconds(SessionRecord::kSampleEvery);
      rates_[interval] += is_busy && was_busy[sample.link] ? brought : sample.up ? average->second : 0;
      was_busy[sample.link] = is_busy;
    }
    const std::size_t last_third = rates_.size() / 3;
    const double sum = std::accumulate(rates_.end() - static_cast<std::ptrdiff_t>(last_third), rates_.end(), 0.0);
    lately_ = sum > 0 ? sum / static_cast<double>(last_third) : in_all_;
  }

  bool any() const { return in_all_ > 0; }
  /// The time, in seconds, at which the last of `bytes` has come if they are asked for at `from`.
  double brought_at(double from, double bytes, double faster) const {
    const double later = faster == 1 ? lately_ : faster > 1 ? std::max(lately_, in_all_) : std::min(lately_, in_all_);
    const double interval = to_seconds(SessionRecord::kSampleEvery);
    for (auto i = static_cast<std::size_t>(from / interval); i < rates_.size(); ++i) {
      const double end = static_cast<double>(i + 1) * interval;
      const double in_this = std::max(end - from, 0.0) * rates_[i] * faster;
      if (in_this >= bytes) return from + bytes / (rates_[i] * faster);
      bytes -= in_this;
      from = std::max(from, end);
    }
    return from + bytes / (later * faster);
  }

 private:
  std::map<LinkId, double> average_;  // bytes a second
  std::vector<double> rates_;         // by sample
  double in_all_ = 0, lately_ = 0;
};

/// The time, in seconds, at which the last segment begins to play.
double last_plays_at(const std::vector<const SegmentRecord*>& segments, const SessionRecord& record,
                     const SessionOptions& options, const FreeRates& rates, double faster) {
  const std::size_t startup = std::min<std::size_t>(options.segments_to_start(), segments.size());
  std::vector<double> complete, played(segments.size(), 0.0);
  double free_from = to_seconds(segments[0]->requested->time_since_epoch());
  for (std::size_t i = 0; i < segments.size(); ++i) {
    if (i >= options.buffer_segments) free_from = std::max(free_from, played[i - options.buffer_segments]);
    if (segments[i]->published) free_from = std::max(free_from, to_seconds(segments[i]->published->time_since_epoch()));
    free_from = rates.brought_at(free_from, static_cast<double>(segments[i]->size.bytes()), faster);
    complete.push_back(free_from);
    if (i + 1 < startup) continue;
    for (std::size_t k = i + 1 == startup ? 0 : i; k <= i; ++k) {
      const double in_turn =
          k == 0 ? free_from : played[k - 1] + to_seconds(record.table().duration(segments[k - 1]->segment));
      played[k] = std::max(in_turn, complete[k]);
    }
  }
  return played.back();
}

}  // namespace

std::optional<WaitingAverted> waiting_averted(const SessionRecord& record, const SessionOptions& options) {
  const FreeRates rates{record};
  std::vector<const SegmentRecord*> segments;
  for (const auto& [index, segment] : record.segments()) {
    if (!segment.played || !segment.requested || to_index(index) != segments.size()) return std::nullopt;
    segments.push_back(&segment);
  }
  if (segments.empty() || !rates.any()) return std::nullopt;
  const double really = to_seconds(segments.back()->played->time_since_epoch());
  const auto averted = [&](double faster, Duration beside) {
    const double alone = last_plays_at(segments, record, options, rates, faster);
    return std::max(from_seconds(alone - really) + beside, Duration::zero());
  };
  return WaitingAverted{averted(1, {}), averted(kRatesMayDiffer, -kBeside), averted(1 / kRatesMayDiffer, kBeside)};
}

}  // namespace tributary
