#include "demux/segment_layout.hh"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <string_view>

#include "demux/id3_tag.hh"
#include "demux/transport_packets.hh"
#include "media/iso_box.hh"

namespace tributary {
namespace {

constexpr std::array kMatroskaBegin{std::byte{0x1a}, std::byte{0x45}, std::byte{0xdf}, std::byte{0xa3}};
constexpr std::array kMatroskaCluster{std::byte{0x1f}, std::byte{0x43}, std::byte{0xb6}, std::byte{0x75}};

bool begins_with(std::span<const std::byte> bytes, std::span<const std::byte> what) {
  return bytes.size() >= what.size() && std::ranges::equal(bytes.first(what.size()), what);
}

bool is_box(std::span<const std::byte> bytes) {
  constexpr std::array<std::string_view, 9> kFirst{"ftyp", "styp", "moov", "moof", "sidx",
                                                   "emsg", "prft", "free", "skip"};
  if (bytes.size() < 8) return false;
  return std::ranges::any_of(kFirst, [&](std::string_view type) {
    return std::ranges::equal(bytes.subspan(4, 4), std::as_bytes(std::span{type}));
  });
}

void expect_mp4(bool init, std::span<const std::byte> bytes) {
  const std::vector<Box> boxes = boxes_in("segment", bytes);
  const auto has = [&](std::string_view type) { return std::ranges::find(boxes, type, &Box::type) != boxes.end(); };
  if (init && !has("moov")) throw std::runtime_error{"there is no moov box"};
  if (!init && !has("moof") && !has("moov")) throw std::runtime_error{"there is no moof box"};
  if (!init && !has("mdat")) throw std::runtime_error{"there is no mdat box"};
}

/// The layout of frames of sound, by the first one: ADTS (ISO/IEC 13818-7 section 6.2), MPEG audio (ISO/IEC 11172-3
/// section 2.4.1.3), AC-3 and E-AC-3 (ETSI TS 102 366 sections 4.3 and E.1.2).
SegmentLayout frames_layout(std::span<const std::byte> bytes) {
  constexpr std::size_t kEnough = 6;
  if (bytes.size() < kEnough) return SegmentLayout::kUnknown;
  const auto at = [&](std::size_t i) { return std::to_integer<unsigned>(bytes[i]); };
  if (at(0) == 0x0b && at(1) == 0x77) {
    constexpr unsigned kLastOfAc3 = 10;  // bsid
    return at(5) >> 3 <= kLastOfAc3 ? SegmentLayout::kAc3 : SegmentLayout::kEac3;
  }
  if (at(0) != 0xff) return SegmentLayout::kUnknown;
  if ((at(1) & 0xf6) == 0xf0) return SegmentLayout::kAac;
  const bool layer = (at(1) & 0x06) != 0;
  return (at(1) & 0xe0) == 0xe0 && layer ? SegmentLayout::kMp3 : SegmentLayout::kUnknown;
}

}  // namespace

SegmentLayout segment_layout(std::span<const std::byte> first_bytes) {
  if (is_box(first_bytes)) return SegmentLayout::kMp4;
  if (begins_with(first_bytes, kMatroskaBegin)) return SegmentLayout::kMatroska;
  const auto frames = frames_layout(first_bytes.subspan(std::min(id3_tag(first_bytes).size, first_bytes.size())));
  if (frames != SegmentLayout::kUnknown) return frames;
  return is_transport_stream(first_bytes) ? SegmentLayout::kTransportStream : SegmentLayout::kUnknown;
}

bool is_packed_audio(SegmentLayout layout) {
  switch (layout) {
    case SegmentLayout::kAac:
    case SegmentLayout::kMp3:
    case SegmentLayout::kAc3:
    case SegmentLayout::kEac3:
      return true;
    default:
      return false;
  }
}

const char* format_name(SegmentLayout layout) {
  switch (layout) {
    case SegmentLayout::kMp4:
      return "mov";
    case SegmentLayout::kTransportStream:
      return "mpegts";
    case SegmentLayout::kAac:
      return "aac";
    case SegmentLayout::kMp3:
      return "mp3";
    case SegmentLayout::kAc3:
      return "ac3";
    case SegmentLayout::kEac3:
      return "eac3";
    case SegmentLayout::kMatroska:
    case SegmentLayout::kUnknown:
      break;
  }
  return "matroska";
}

MediaBytes whole_segment(SegmentLayout layout, bool init, MediaBytes bytes) {
  if (bytes.empty()) throw std::runtime_error{"it is empty"};
  switch (layout) {
    case SegmentLayout::kMp4:
      expect_mp4(init, bytes);
      return bytes;
    case SegmentLayout::kTransportStream:
      if (whole_transport_packets(bytes) != bytes.size()) {
        const auto packets = transport_packets(bytes).bytes;
        bytes.assign(packets.begin(), packets.end());
      }
      if (bytes.empty()) throw std::runtime_error{"there is no packet of MPEG-TS in it"};
      return bytes;
    case SegmentLayout::kMatroska:
      if (!begins_with(bytes, init ? kMatroskaBegin : kMatroskaCluster) && !begins_with(bytes, kMatroskaBegin))
        throw std::runtime_error{"there is no cluster"};
      return bytes;
    case SegmentLayout::kAac:
    case SegmentLayout::kMp3:
    case SegmentLayout::kAc3:
    case SegmentLayout::kEac3:
      if (segment_layout(bytes) != layout) throw std::runtime_error{"it is not sound as that before it"};
      return bytes;
    case SegmentLayout::kUnknown:
      throw std::runtime_error{"it is neither MP4, MPEG-TS, WebM nor sound without a container"};
  }
  return bytes;
}

}  // namespace tributary
