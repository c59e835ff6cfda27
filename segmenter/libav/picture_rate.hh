#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "segmenter/libav/libav_handles.hh"
#include "segmenter/plan/segment_plan.hh"

namespace tributary::segmenter {

/// What a container states of the rate of its pictures; 0/x is unknown.
struct StatedRate {
  FrameRate average{0, 1};
  FrameRate base{0, 1};     // in which all times can be counted
  bool interlaced = false;  // each picture has two fields, of which each becomes a picture
};

/// When pictures are shown, in the order in which they are shown, in ticks of the time base from the first.
struct PictureTimes {
  std::span<const std::int64_t> times;
  AVRational time_base;
};

/// The constant rate in which pictures are encoded, and what that means for them.
struct PictureRate {
  enum class Source { kConstant, kVarying, kFields, kFaster };

  FrameRate rate;
  Source source = Source::kConstant;
  std::optional<std::uint64_t> lost = {};  // pictures that are too close to another; unknown unless all times are known

  bool operator==(const PictureRate&) const = default;
};

inline constexpr int kUsualFastest = 60;

/// The stated rate, if it is constant and loses no picture, or hardly any; of interlaced pictures, twice as much.
/// Otherwise the lowest usual rate that loses as few as can be; where times are not known, as of a source that is still
/// to come, the lowest that is not below the average. A rate above `fastest` is divided by a whole number, so that
/// pictures stay evenly spaced.
PictureRate choose_picture_rate(const StatedRate& stated, int fastest, const std::optional<PictureTimes>& known = {});

/// For people: "25 pictures a second", and what was done to come to that.
std::string rate_text(const PictureRate& rate);
/// For programs: "constant", "varying", "fields" or "faster".
std::string source_name(PictureRate::Source source);

}  // namespace tributary::segmenter
