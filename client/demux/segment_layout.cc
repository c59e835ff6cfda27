#include "demux/segment_layout.hh"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <stdexcept>
#include <string_view>

#include "demux/id3_tag.hh"
#include "media/iso_box.hh"

namespace tributary {
namespace {

constexpr std::size_t kTransportPacket = 188;  // ISO/IEC 13818-1 section 2.4.3.2
constexpr std::byte kSync{0x47};
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

void expect_transport_stream(std::span<const std::byte> bytes) {
  const std::size_t whole = whole_transport_packets(bytes);
  if (whole == bytes.size()) return;
  if (bytes[whole] != kSync) throw std::runtime_error{fmt::format("no packet begins at byte {}", whole)};
  throw std::runtime_error{fmt::format("its last packet has {} bytes", bytes.size() - whole)};
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
  if (!first_bytes.empty() && first_bytes.front() == kSync) return SegmentLayout::kTransportStream;
  return frames_layout(first_bytes.subspan(std::min(id3_tag(first_bytes).size, first_bytes.size())));
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

std::size_t whole_transport_packets(std::span<const std::byte> bytes) {
  std::size_t at = 0;
  while (bytes.size() - at >= kTransportPacket && bytes[at] == kSync) at += kTransportPacket;
  return at;
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

void must_be_whole(SegmentLayout layout, bool init, std::span<const std::byte> bytes) {
  if (bytes.empty()) throw std::runtime_error{"it is empty"};
  switch (layout) {
    case SegmentLayout::kMp4:
      return expect_mp4(init, bytes);
    case SegmentLayout::kTransportStream:
      return expect_transport_stream(bytes);
    case SegmentLayout::kMatroska:
      if (!begins_with(bytes, init ? kMatroskaBegin : kMatroskaCluster) && !begins_with(bytes, kMatroskaBegin))
        throw std::runtime_error{"there is no cluster"};
      return;
    case SegmentLayout::kAac:
    case SegmentLayout::kMp3:
    case SegmentLayout::kAc3:
    case SegmentLayout::kEac3:
      throw std::runtime_error{"it is sound without a container, of which no film can be made yet"};
    case SegmentLayout::kUnknown:
      throw std::runtime_error{"it is neither MP4, MPEG-TS nor WebM"};
  }
}

}  // namespace tributary
