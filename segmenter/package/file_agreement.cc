#include "segmenter/package/file_agreement.hh"

extern "C" {
#include <libavutil/pixdesc.h>
}

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "segmenter/libav/display_turn.hh"

namespace tributary::segmenter {
namespace {

/// Longer segments make a stream hard to adapt; 10 s is the longest that HLS players were made for.
constexpr double kLongestSegment = 10;
/// Of one file without a key frame: a player that seeks fetches and decodes all of it.
constexpr double kLongestStretch = 60;

std::string transfer_name(const EncodedPicture& picture) {
  const char* const name = av_color_transfer_name(picture.codec->color_trc);
  return name == nullptr ? "unknown" : name;
}

std::string difference_text(const std::vector<KeyFrames>& files, const DifferingFile& differing, const Agreement& found,
                            const SegmentPlan& wished) {
  const KeyFrames& file = files[differing.file];
  const double from = wished.seconds(differing.from), to = wished.seconds(differing.to);
  if (differing.alone) {
    return fmt::format("{}: no segment can begin from {:.3f} to {:.3f} s: {}", file.file, from, to,
                       file.open_groups ? "its groups of pictures are open" : "it has no key frame there");
  }
  return fmt::format("{} has no key frame where {} has some, from {:.3f} to {:.3f} s: no player could change quality",
                     file.file, files[*found.reference].file, from, to);
}

}  // namespace

void check_agreement(PackagedInput& first, PackagedInput& other) {
  const EncodedPicture& a = *first.source().picture();
  const EncodedPicture& b = *other.source().picture();
  if (a.codec->codec_id != b.codec->codec_id) {
    throw Failure{ExitCode::kInput, fmt::format("{} is {}, but {} is {}: all qualities have the same codec",
                                                first.source().name(), avcodec_get_name(a.codec->codec_id),
                                                other.source().name(), avcodec_get_name(b.codec->codec_id))};
  }
  if (!(a.rate == b.rate)) {
    throw Failure{
        ExitCode::kInput,
        fmt::format("{} has {}/{} pictures a second, but {} has {}/{}: all qualities have the same",
                    first.source().name(), a.rate.num, a.rate.den, other.source().name(), b.rate.num, b.rate.den)};
  }
  if (a.codec->color_trc != b.codec->color_trc) {
    throw Failure{ExitCode::kInput,
                  fmt::format("{} has the transfer characteristics {}, but {} has {}: all qualities have the same",
                              first.source().name(), transfer_name(a), other.source().name(), transfer_name(b))};
  }
  const int turns = quarter_turns_of(*a.stream), other_turns = quarter_turns_of(*b.stream);
  if (turns != other_turns) {
    throw Failure{ExitCode::kInput,
                  fmt::format("{} is to be shown turned by {} degrees, but {} by {}: all qualities lie alike",
                              first.source().name(), 90 * turns, other.source().name(), 90 * other_turns)};
  }
}

LongestStretches longest_stretches(const SegmentPlan& wished) {
  const auto pictures = [&](double seconds) {
    return static_cast<std::uint64_t>(std::ceil(seconds * wished.frame_rate().per_second()));
  };
  const double wish = wished.seconds(wished.begin(1));
  return {pictures(std::max(kLongestSegment, 2 * wish)), pictures(std::max(kLongestStretch, wish))};
}

std::string differences_text(const std::vector<KeyFrames>& files, const Agreement& found, const SegmentPlan& wished) {
  std::string text;
  for (const DifferingFile& differing : found.differing)
    text += difference_text(files, differing, found, wished) + "; ";
  if (!found.reference) return text + "encode it with tributary-segment FILE";
  return text + fmt::format("--encode-differing encodes {} anew", found.differing.size() == 1 ? "it" : "them");
}

}  // namespace tributary::segmenter
