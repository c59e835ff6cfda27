#pragma once

#include <cstdint>
#include <map>

namespace tributary::segmenter {

/// Removes jumps of the source's clock from timestamps: in recordings that were put together, in broadcasts that change
/// over, and by damage. All streams get the same shift, so that they stay in step, each as soon as its own packets
/// jump. Times are microseconds.
class ContinuousTimeline {
 public:
  /// A time that goes back, or ahead by more than `longest_hole`, has jumped. Streams begin at about `zero`.
  ContinuousTimeline(std::int64_t longest_hole, std::int64_t zero) : longest_hole_{longest_hole}, zero_{zero} {}

  /// The shift to add to the timestamps of a stream's next packet, from its decoding time and duration.
  std::int64_t shift(int stream, std::int64_t time, std::int64_t duration);

 private:
  std::int64_t choose(int stream, std::int64_t time);

  std::int64_t longest_hole_;
  std::int64_t zero_;
  std::int64_t shift_ = 0, shift_before_ = 0;  // after and before the last jump
  std::map<int, std::int64_t> expected_;       // by stream: shifted time at which the next packet should be
};

}  // namespace tributary::segmenter
