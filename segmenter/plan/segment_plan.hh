#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "units/session_clock.hh"

namespace tributary::segmenter {

/// Pictures per second as a fraction: 30000/1001.
struct FrameRate {
  int num = 25, den = 1;

  bool operator==(const FrameRate&) const = default;
  double per_second() const { return static_cast<double>(num) / den; }
};

/// The constant rate, from the average and the base rate that a container states (0/x: unknown); nothing if the rate
/// varies. A rate close to a usual one counts as the usual one.
std::optional<FrameRate> constant_rate(FrameRate average, FrameRate base);

/// Where segments begin and end, in pictures, ticks and frames of sound. One plan cuts all qualities, so that they are
/// aligned. Sound is cut at the boundary of a frame that is nearest to the picture's cut. The arithmetic is exact, so
/// nothing drifts.
class SegmentPlan {
 public:
  /// Rounds the nominal duration to whole pictures, at least one.
  SegmentPlan(FrameRate rate, Duration nominal) : SegmentPlan{rate, nominal, {}} {}
  /// Encoders of the picture begin afresh with each section, so that a section can be encoded without those before it.
  /// Rounds a section to whole segments, at least one; zero: all is one section.
  SegmentPlan(FrameRate rate, Duration nominal, Duration section);

  /// One section, cut at these pictures, of which the first is 0. `pictures`: of all segments.
  SegmentPlan(FrameRate rate, Duration nominal, std::vector<std::uint64_t> cuts, std::uint64_t pictures);

  FrameRate frame_rate() const { return rate_; }
  /// With cuts at given pictures: as many as are wished for.
  int pictures_per_segment() const { return pictures_per_segment_; }
  /// The first picture of a segment, which is the end of the one before it.
  std::uint64_t begin(std::uint64_t segment) const;
  bool starts_segment(std::uint64_t picture) const { return begin(segments(picture)) == picture; }
  std::uint64_t segments_per_section() const { return segments_per_section_; }
  std::uint64_t pictures_per_section() const { return segments_per_section_ * pictures_per_segment_; }
  bool starts_section(std::uint64_t picture) const {
    return segments_per_section_ > 0 && picture % pictures_per_section() == 0;
  }
  /// The number of segments that hold `pictures` pictures; the last may be short.
  std::uint64_t segments(std::uint64_t pictures) const;

  /// timescale(): ticks per second of the picture's timeline, at least 10000, so that muxers keep it. picture_ticks():
  /// ticks of a picture.
  std::uint32_t timescale() const { return timescale_; }
  std::int64_t picture_ticks() const { return picture_ticks_; }
  double seconds(std::uint64_t pictures) const { return static_cast<double>(pictures) / rate_.per_second(); }

  /// The number of frames of `frame_samples` samples that is nearest to the duration of `pictures` pictures.
  std::uint64_t sound_frames(std::uint64_t pictures, int sample_rate, int frame_samples) const;

 private:
  FrameRate rate_;
  int pictures_per_segment_;
  std::uint64_t segments_per_section_;  // 0: no sections
  std::uint32_t timescale_;
  std::int64_t picture_ticks_;
  std::shared_ptr<const std::vector<std::uint64_t>> cuts_;  // and the end; null: segments are of one length
};

}  // namespace tributary::segmenter
