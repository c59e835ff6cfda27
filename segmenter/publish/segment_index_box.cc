#include "segmenter/publish/segment_index_box.hh"

#include <fmt/format.h>

namespace tributary::segmenter {
namespace {

constexpr std::uint64_t kLargestSegment = 0x7fffffff;
constexpr std::uint32_t kBeginsWithSync = 0x90000000;  // starts_with_SAP, SAP_type 1

void append(std::vector<std::byte>& bytes, std::uint64_t value, int count) {
  for (int i = count - 1; i >= 0; --i) bytes.push_back(static_cast<std::byte>(value >> (8 * i) & 0xff));
}

}  // namespace

SegmentIndexBox segment_index_of(const Track& track) {
  SegmentIndexBox index{track.timescale, static_cast<std::uint64_t>(track.offset) + track.start, {}};
  for (std::size_t i = 0; i < track.sizes.size(); ++i) {
    index.segments.push_back({static_cast<std::uint64_t>(track.sizes[i].bytes()), track.durations[i], true});
  }
  return index;
}

std::vector<std::byte> write_segment_index(const SegmentIndexBox& index) {
  constexpr std::size_t kFields = 40, kPerSegment = 12;
  if (index.segments.size() > kMostReferences) {
    throw BoxError{fmt::format("{} segments are too many for one file: a sidx box holds {}", index.segments.size(),
                               kMostReferences)};
  }
  std::vector<std::byte> bytes;
  append(bytes, kFields + kPerSegment * index.segments.size(), 4);
  for (const char letter : {'s', 'i', 'd', 'x'}) bytes.push_back(static_cast<std::byte>(letter));
  append(bytes, 0x01000000, 4);  // version 1: times of 64 bits
  append(bytes, 1, 4);           // the track
  append(bytes, index.timescale, 4);
  append(bytes, index.begin, 8);
  append(bytes, 0, 8);  // the segments follow directly
  append(bytes, index.segments.size(), 4);
  for (const SegmentIndexBox::Reference& segment : index.segments) {
    if (segment.bytes > kLargestSegment || segment.ticks > 0xffffffff)
      throw BoxError{fmt::format("a segment of {} bytes is too large for a sidx box", segment.bytes)};
    append(bytes, segment.bytes, 4);
    append(bytes, segment.ticks, 4);
    append(bytes, segment.starts_with_sync ? kBeginsWithSync : 0, 4);
  }
  return bytes;
}

SegmentIndexBox read_segment_index(std::span<const std::byte> content) {
  const std::vector<Box> boxes = boxes_in("the index of the file", content);
  if (boxes.size() != 1 || boxes[0].type != "sidx") {
    throw BoxError{"between the init segment and the first segment there is no sidx box, or more than it"};
  }
  ByteReader reader = boxes[0].read();
  const std::size_t wide = reader.u8() == 0 ? 4 : 8;
  reader.skip(3 + 4);
  SegmentIndexBox index;
  index.timescale = reader.u32();
  index.begin = reader.number(wide);
  if (reader.number(wide) != 0) throw BoxError{"sidx: the first segment does not follow at once"};
  reader.skip(2);
  const std::size_t count = reader.u16();
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint32_t bytes = reader.u32();
    if (bytes > kLargestSegment) throw BoxError{"sidx names another sidx"};
    const std::uint64_t ticks = reader.u32();
    index.segments.push_back({bytes, ticks, (reader.u32() >> 31) == 1});
  }
  return index;
}

}  // namespace tributary::segmenter
