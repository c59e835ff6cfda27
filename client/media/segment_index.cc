#include "media/segment_index.hh"

#include <fmt/format.h>

namespace tributary {
namespace {

/// Greater numbers are damage; those up to here, and all sizes and durations of one box, add up in 63 bits.
constexpr std::uint64_t kMost = std::uint64_t{1} << 62;

Box find_index(std::span<const std::byte> bytes, std::size_t begin) {
  for (std::size_t at = 0; at < bytes.size();) {
    const Box box = first_box("the index", bytes.subspan(at), begin + at);
    if (box.type == "sidx") {
      box.must_be_whole();
      return box;
    }
    if (box.size > bytes.size() - at) break;
    at += static_cast<std::size_t>(box.size);
  }
  throw BoxError{fmt::format("no sidx within the {} bytes from byte {} on", bytes.size(), begin)};
}

std::int64_t bounded(const Box& box, std::uint64_t value, std::string_view what) {
  if (value > kMost) throw BoxError{fmt::format("{}: {} {} is beyond all bounds", box.place(), what, value)};
  return static_cast<std::int64_t>(value);
}

}  // namespace

IndexBox read_segment_index(std::span<const std::byte> bytes, DataSize begin) {
  const Box box = find_index(bytes, static_cast<std::size_t>(begin.bytes()));
  ByteReader reader = box.read();
  const std::size_t width = reader.u8() == 0 ? 4 : 8;  // by the version
  reader.skip(3 + 4);                                  // flags, reference_ID
  IndexBox index;
  index.timescale = reader.u32();
  if (index.timescale == 0) throw BoxError{box.place() + " has a timescale of 0"};
  std::int64_t time = bounded(box, reader.number(width), "its time");
  const std::int64_t gap = bounded(box, reader.number(width), "its offset");
  const auto box_end = static_cast<std::int64_t>(box.begin) + static_cast<std::int64_t>(box.size);
  index.end = DataSize{bounded(box, static_cast<std::uint64_t>(box_end), "its end")};
  DataSize at = index.end + DataSize{gap};
  reader.skip(2);  // reserved
  const std::uint16_t count = reader.u16();
  for (std::uint16_t i = 0; i < count; ++i) {
    const std::uint32_t type_and_size = reader.u32();
    const DataSize size{type_and_size & 0x7fff'ffff};
    if (size == DataSize{}) throw BoxError{fmt::format("{}: reference {} has no bytes", box.place(), i)};
    const std::uint32_t duration = reader.u32();
    const std::uint32_t access_point = reader.u32();
    index.references.push_back({.range = {at, at + size},
                                .start = time,
                                .duration = duration,
                                .further_index = (type_and_size >> 31) != 0,
                                .starts_with_sync = (access_point >> 31) != 0});
    at += size;
    time += duration;
  }
  return index;
}

}  // namespace tributary
