#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "units/data_rate.hh"

namespace tributary::segmenter {

/// Size of a picture in square pixels.
struct PictureSize {
  int width = 0, height = 0;

  bool operator==(const PictureSize&) const = default;
};

/// One quality that is asked for. Without a size, its rate decides the size.
struct Quality {
  std::string name;  // also the name of its directory
  DataRate rate;
  std::optional<PictureSize> size;

  bool operator==(const Quality&) const = default;
};

/// A name has letters, digits, "-" and "_", and is not that of another directory of the presentation: "subtitles",
/// "thumbnails".
bool is_quality_name(std::string_view text);

/// Reads NAME=RATE[@WxH], with commas between: "low=750k,high=2150k@1280x720". Throws std::invalid_argument that quotes
/// the entry and names its fault.
std::vector<Quality> parse_ladder(std::string_view text);

/// A side of a picture, in even pixels: 4:2:0 has half as many numbers for the colour.
int even_side(double side);

/// The size in which to encode: the one that was asked for, or one in the shape of the source with a shorter side that
/// suits the rate. Sides are even, and never longer than those of the source.
PictureSize picture_size(const Quality& quality, PictureSize source);
/// picture_size() of each quality.
std::vector<PictureSize> picture_sizes(const std::vector<Quality>& ladder, PictureSize source);

}  // namespace tributary::segmenter
