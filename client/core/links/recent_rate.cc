#include "core/links/recent_rate.hh"

#include <algorithm>

namespace tributary {
namespace {

constexpr Duration kRecently = std::chrono::seconds{1};
constexpr Duration kBetweenSamples = std::chrono::milliseconds{50};

}  // namespace

void RecentRate::received(DataSize size, TimePoint at) {
  if (samples_.empty() || at - samples_.back().at >= kBetweenSamples) {
    samples_.push_back({at, in_all_});
    while (samples_.size() > 1 && samples_[1].at <= at - kRecently) samples_.pop_front();
  }
  in_all_ += size;
}

DataRate RecentRate::since(TimePoint since, TimePoint now) const {
  const TimePoint from = std::max(since, now - kRecently);
  const auto first = std::ranges::find_if(samples_, [&](const Sample& sample) { return sample.at >= from; });
  const DataSize before = first == samples_.end() ? in_all_ : first->in_all;
  return (in_all_ - before) / (now - from);
}

}  // namespace tributary
