#include "segmenter/libav/continuous_timeline.hh"

#include <cstdlib>

namespace tributary::segmenter {
namespace {

/// Smaller errors of timestamps are left to the code that knows the stream.
constexpr std::int64_t kTolerance = 1000000;

}  // namespace

std::int64_t ContinuousTimeline::shift(int stream, std::int64_t time, std::int64_t duration) {
  const std::int64_t chosen = choose(stream, time);
  expected_[stream] = time + chosen + duration;
  return chosen;
}

std::int64_t ContinuousTimeline::choose(int stream, std::int64_t time) {
  const auto known = expected_.find(stream);
  const bool first = known == expected_.end();
  const std::int64_t jump = time + shift_ - (first ? zero_ : known->second);
  if (std::abs(jump) <= (first ? longest_hole_ : kTolerance)) return shift_;
  // Packets of one stream from before the jump may follow packets of another stream from after it.
  if (std::abs(jump - shift_ + shift_before_) <= kTolerance) return shift_before_;
  if (jump > 0 && jump <= longest_hole_) return shift_;
  shift_before_ = shift_;
  shift_ -= jump;
  return shift_;
}

}  // namespace tributary::segmenter
