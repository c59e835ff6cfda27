#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "segmenter/libav/libav_handles.hh"
#include "segmenter/plan/segment_plan.hh"

namespace tributary::segmenter {

/// The rate of pictures as a container states it; 0/x is unknown.
struct StatedRate {
  FrameRate average{0, 1};
  FrameRate base{0, 1};     // counts all times in whole numbers
  bool interlaced = false;  // each picture has two fields, and each field becomes a picture
};

/// The times of presentation of pictures, sorted, in ticks of the time base from the first.
struct PictureTimes {
  std::span<const std::int64_t> times;
  AVRational time_base;
};

/// The constant rate at which pictures are encoded, with its reason and its losses.
struct PictureRate {
  enum class Source { kConstant, kVarying, kFields, kFaster };

  FrameRate rate;
  Source source = Source::kConstant;
  std::optional<std::uint64_t> lost = {};  // pictures too close to another; nothing unless all times are known

  bool operator==(const PictureRate&) const = default;
};

inline constexpr int kUsualFastest = 60;

/// If the stated rate is constant and loses hardly any picture, takes it; for interlaced pictures, twice that rate.
/// Otherwise takes the lowest usual rate that loses the fewest pictures. If times are unknown, as for a source that is
/// still to come, takes the lowest usual rate not below the base rate; if that is unknown or above `fastest`, not below
/// the average. A constant rate above `fastest` is divided by a whole number, so that pictures stay evenly spaced.
PictureRate choose_picture_rate(const StatedRate& stated, int fastest, const std::optional<PictureTimes>& known = {});

/// For people: "25 pictures a second", and the reason.
std::string rate_text(const PictureRate& rate);
/// For programs: "constant", "varying", "fields" or "faster".
std::string source_name(PictureRate::Source source);

}  // namespace tributary::segmenter
