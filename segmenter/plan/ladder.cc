#include "segmenter/plan/ladder.hh"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <stdexcept>

#include "units/text/quantity_text.hh"

namespace tributary::segmenter {
namespace {

using namespace literals;

struct Step {
  DataRate from;
  int shorter_side;
};

/// The lines that H.264 at these rates shows without visible blocks: the usual steps of streaming services.
constexpr std::array<Step, 8> kSteps{{{20000_kbps, 2160},
                                      {12000_kbps, 1440},
                                      {4500_kbps, 1080},
                                      {2000_kbps, 720},
                                      {1000_kbps, 480},
                                      {600_kbps, 360},
                                      {250_kbps, 240},
                                      {0_kbps, 144}}};
constexpr int kLongestSide = 16384;  // more than H.264 level 6.2 allows

[[noreturn]] void refuse(std::string_view entry, std::string_view why) {
  throw std::invalid_argument(fmt::format("ladder entry \"{}\": {}", entry, why));
}

int parse_side(std::string_view entry, std::string_view text) {
  int side = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), side);
  if (error != std::errc{} || end != text.data() + text.size() || side < 2 || side > kLongestSide || side % 2 != 0) {
    refuse(entry, "a size is WIDTHxHEIGHT in even numbers, for example 1280x720");
  }
  return side;
}

PictureSize parse_picture_size(std::string_view entry, std::string_view text) {
  const std::size_t cross = text.find('x');
  if (cross == std::string_view::npos) refuse(entry, "a size is WIDTHxHEIGHT, for example 1280x720");
  return {parse_side(entry, text.substr(0, cross)), parse_side(entry, text.substr(cross + 1))};
}

int even_below(int side) { return std::max(2, side / 2 * 2); }

/// Whether the presentation has a directory of that name for something else.
bool is_taken(std::string_view name) {
  return name == "subtitles" || name.starts_with("subtitles-") || name == "thumbnails";
}

Quality parse_quality(std::string_view entry) {
  const std::size_t equals = entry.find('=');
  if (equals == std::string_view::npos) refuse(entry, "expected NAME=RATE or NAME=RATE@WxH");
  Quality quality{std::string{entry.substr(0, equals)}, {}, std::nullopt};
  if (is_taken(quality.name)) refuse(entry, fmt::format("the name \"{}\" is taken", quality.name));
  if (!is_quality_name(quality.name)) refuse(entry, "a name is of letters, digits, \"-\" and \"_\"");
  if (quality.name == "audio" || quality.name.starts_with("audio-"))
    refuse(entry, "the name \"" + quality.name + "\" is taken by the sound");
  const std::string_view rest = entry.substr(equals + 1);
  const std::size_t at = rest.find('@');
  try {
    quality.rate = parse_rate(rest.substr(0, at));
  } catch (const std::invalid_argument& error) {
    refuse(entry, error.what());
  }
  if (quality.rate < 10_kbps || quality.rate > 1000_Mbps) refuse(entry, "the rate must be from 10k to 1G");
  if (at != std::string_view::npos) quality.size = parse_picture_size(entry, rest.substr(at + 1));
  return quality;
}

}  // namespace

int even_side(double side) { return std::max(2, 2 * static_cast<int>(std::lround(side / 2))); }

bool is_quality_name(std::string_view text) {
  return !text.empty() && !is_taken(text) &&
         text.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_") ==
             std::string_view::npos;
}

std::vector<Quality> parse_ladder(std::string_view text) {
  std::vector<Quality> ladder;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    const std::string_view entry = text.substr(begin, end - begin);
    Quality quality = parse_quality(entry);
    for (const Quality& other : ladder) {
      if (other.name == quality.name) refuse(entry, "the name is used twice");
    }
    ladder.push_back(std::move(quality));
    begin = end + 1;
  }
  return ladder;
}

PictureSize picture_size(const Quality& quality, PictureSize source) {
  const PictureSize most{even_below(source.width), even_below(source.height)};
  if (quality.size) {
    return {std::min(quality.size->width, most.width), std::min(quality.size->height, most.height)};
  }
  const auto step = std::find_if(kSteps.begin(), kSteps.end(), [&](const Step& s) { return quality.rate >= s.from; });
  const double factor = static_cast<double>(step->shorter_side) / std::min(source.width, source.height);
  if (factor >= 1) return most;
  return {even_side(source.width * factor), even_side(source.height * factor)};
}

std::vector<PictureSize> picture_sizes(const std::vector<Quality>& ladder, PictureSize source) {
  std::vector<PictureSize> sizes;
  for (const Quality& quality : ladder) sizes.push_back(picture_size(quality, source));
  return sizes;
}

}  // namespace tributary::segmenter
