#pragma once

#include <cstdint>
#include <map>

namespace tributary::segmenter {

/// Joins what follows a jump of the source's clock to what was before it, for recordings that were put together,
/// broadcasts that changed over, and damaged timestamps. Streams are moved together, so that they stay in step, each as
/// soon as its own packets jump. Times are microseconds.
class ContinuousTimeline {
 public:
  /// A time that goes back, or ahead by more than the longest hole, has jumped. Streams begin at about `zero`.
  ContinuousTimeline(std::int64_t longest_hole, std::int64_t zero) : longest_hole_{longest_hole}, zero_{zero} {}

  /// How much to add to the timestamps of a stream's next packet, given its decoding time and duration.
  std::int64_t shift(int stream, std::int64_t time, std::int64_t duration);

 private:
  std::int64_t choose(int stream, std::int64_t time);

  std::int64_t longest_hole_;
  std::int64_t zero_;
  std::int64_t shift_ = 0, shift_before_ = 0;  // since the last jump, and until then
  std::map<int, std::int64_t> expected_;       // when the next packet of a stream should be, shifted
};

}  // namespace tributary::segmenter
