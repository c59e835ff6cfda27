#pragma once

#include <chrono>
#include <deque>
#include <optional>

#include "segmenter/libav/input_file.hh"
#include "segmenter/libav/sender_timeline.hh"

namespace tributary::segmenter {

/// The packets of a source that comes at its own pace, on a timeline that is true to the clock. The packets that came
/// while libav examined the source are a backlog; it is read first, so that the timeline begins when the first picture
/// came and not when its packet was read.
class SenderPackets {
 public:
  /// Waits a moment for packets that have just come. Throws Failure (input). The file must outlive the object.
  SenderPackets(InputFile& file, int picture);

  /// The next packet, with shifted times; false at the end. Throws Failure (input).
  bool read(AVPacket& packet);

  /// The time of the first keyframe, in ticks of its stream. Nothing, if there was none until now.
  std::optional<std::int64_t> first_shown() const { return first_shown_; }
  /// When a picture came that is shown at `time` of the timeline, in microseconds.
  std::chrono::steady_clock::time_point came(std::int64_t time) const;

 private:
  void read_backlog();
  bool read_from_file(AVPacket& packet);
  void expect_pictures(const AVPacket& packet);
  void settle();
  void begin_with_keyframe();
  void shift(AVPacket& packet, std::optional<std::int64_t> arrival);
  void move(AVPacket& packet, std::int64_t microseconds) const;
  bool read_timed(AVPacket& packet);
  std::optional<std::int64_t> arrival_of_last() const;

  InputFile& file_;
  const int picture_;
  const std::chrono::steady_clock::time_point begun_ = std::chrono::steady_clock::now();
  SenderTimeline timeline_;
  std::deque<PacketHandle> backlog_;
  std::chrono::steady_clock::time_point last_picture_ = begun_;
  std::optional<std::int64_t> first_shown_;
  std::optional<std::chrono::steady_clock::time_point> waited_;  // for a packet, last
  bool ended_ = false;
};

}  // namespace tributary::segmenter
