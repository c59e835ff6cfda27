#include "segmenter/libav/random_access.hh"

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <span>

namespace tributary::segmenter {
namespace {

using ByteSpan = std::span<const std::uint8_t>;

/// Bytes of the length before each NAL unit, from avcC or hvcC; zero: there are start codes (ITU-T H.264 Annex B).
std::size_t length_size_of(const AVCodecParameters& codec) {
  const std::size_t at = codec.codec_id == AV_CODEC_ID_HEVC ? 21 : 4;
  if (codec.extradata == nullptr || static_cast<std::size_t>(codec.extradata_size) <= at || codec.extradata[0] != 1)
    return 0;
  return (codec.extradata[at] & 3) + 1u;
}

/// Calls use(first byte of a NAL unit) until it returns true.
template <typename Use>
void each_with_lengths(ByteSpan picture, std::size_t length_size, Use use) {
  while (picture.size() > length_size) {
    std::size_t length = 0;
    for (std::size_t i = 0; i < length_size; ++i) length = length << 8 | picture[i];
    picture = picture.subspan(length_size);
    if (length > 0 && use(picture[0])) return;
    picture = picture.subspan(std::min(length, picture.size()));
  }
}

template <typename Use>
void each_with_start_codes(ByteSpan picture, Use use) {
  constexpr std::array<std::uint8_t, 3> kStartCode{0, 0, 1};
  for (auto at = picture.begin();;) {
    at = std::search(at, picture.end(), kStartCode.begin(), kStartCode.end());
    if (picture.end() - at <= 3) return;
    at += 3;
    if (use(*at)) return;
  }
}

/// Types of NAL units: ITU-T H.264 Table 7-1, H.265 Table 7-1.
std::optional<RandomAccess> access_of_h264(std::uint8_t header) {
  constexpr int kSlice = 1, kIdr = 5;
  const int type = header & 0x1f;
  if (type < kSlice || type > kIdr) return std::nullopt;
  return type == kIdr ? RandomAccess::kSync : RandomAccess::kOpen;
}

std::optional<RandomAccess> access_of_hevc(std::uint8_t header) {
  constexpr int kLastSlice = 31, kBlaWithRadl = 17, kIdrNoLeading = 20;
  const int type = header >> 1 & 0x3f;
  if (type > kLastSlice) return std::nullopt;
  return type >= kBlaWithRadl && type <= kIdrNoLeading ? RandomAccess::kSync : RandomAccess::kOpen;
}

}  // namespace

RandomAccess random_access_of(const AVPacket& picture, const AVCodecParameters& codec) {
  if ((picture.flags & AV_PKT_FLAG_KEY) == 0) return RandomAccess::kNone;
  const bool hevc = codec.codec_id == AV_CODEC_ID_HEVC;
  if (!hevc && codec.codec_id != AV_CODEC_ID_H264) return RandomAccess::kSync;
  RandomAccess access = RandomAccess::kNone;  // a packet without a slice is no picture
  const auto look = [&](std::uint8_t header) {
    const auto found = hevc ? access_of_hevc(header) : access_of_h264(header);
    access = found.value_or(access);
    return found.has_value();
  };
  const ByteSpan bytes{picture.data, static_cast<std::size_t>(std::max(0, picture.size))};
  if (const std::size_t length_size = length_size_of(codec); length_size > 0) {
    each_with_lengths(bytes, length_size, look);
  } else {
    each_with_start_codes(bytes, look);
  }
  return access;
}

}  // namespace tributary::segmenter
