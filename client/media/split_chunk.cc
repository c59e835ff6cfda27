#include "media/split_chunk.hh"

#include <numeric>

#include "media/run_fields.hh"

namespace tributary {
namespace {

using namespace fragment_field;
using namespace run_field;

constexpr std::size_t kLongestHeader = 16;

[[noreturn]] void refuse(const Box& box, const char* why) { throw BoxError{box.place() + why}; }

void put(MediaBytes& out, std::uint64_t value, std::size_t bytes) {
  for (std::size_t i = bytes; i > 0; --i) out.push_back(static_cast<std::byte>(value >> (8 * (i - 1))));
}

void replace(MediaBytes& out, std::size_t at, std::uint64_t value, std::size_t bytes) {
  for (std::size_t i = 0; i < bytes; ++i) out[at + i] = static_cast<std::byte>(value >> (8 * (bytes - 1 - i)));
}

void append(MediaBytes& out, std::span<const std::byte> bytes) { out.insert(out.end(), bytes.begin(), bytes.end()); }

std::size_t fields_of_an_entry(std::uint32_t flags) {
  std::size_t fields = 0;
  for (const std::uint32_t field : {kDuration, kSize, kFlags, kCompositionOffset})
    fields += (flags & field) != 0 ? 1 : 0;
  return fields;
}

std::span<const std::byte> bytes_between(std::span<const std::byte> content, std::size_t begin, std::size_t end) {
  return content.subspan(begin, end - begin);
}

}  // namespace

std::optional<SplitChunk> SplitChunk::read(std::span<const std::byte> front) {
  SplitChunk chunk;
  for (std::size_t at = 0; front.size() - at >= kLongestHeader;) {
    const Box box = first_box("the segment", front.subspan(at), at);
    if (box.type == "mdat") {
      chunk.expect(box);
      return chunk;
    }
    if (box.size > front.size() - at) return std::nullopt;
    if (box.type == "moof") chunk.read_moof(box);
    at += static_cast<std::size_t>(box.size);
  }
  return std::nullopt;
}

void SplitChunk::read_moof(const Box& moof) {
  if (!durations_.empty()) refuse(moof, " is the second one");
  moof_ = moof.begin;
  for (const Box& child : moof.children()) {
    if (child.type == "mfhd") continue;
    if (child.type != "traf" || traf_ != 0 || moof.header != child.header) refuse(child, " is not expected");
    traf_ = child.begin;
    for (const Box& box : child.children()) {
      if (trun_ != 0) refuse(box, " stands behind the run");
      if (box.type == "tfhd") {
        read_header(box);
      } else if (box.type == "tfdt") {
        read_time(box);
      } else if (box.type == "trun" && time_bytes_ != 0) {
        read_run(box);
      } else {
        refuse(box, " is not expected");
      }
    }
  }
}

void SplitChunk::read_header(const Box& tfhd) {
  ByteReader reader = tfhd.read();
  const std::uint32_t flags = reader.u32() & 0xffffff;
  if ((flags & kBaseDataOffset) != 0) refuse(tfhd, " counts from the beginning of the file");
  reader.skip(4);
  if ((flags & kDescriptionIndex) != 0) reader.skip(4);
  if ((flags & kDefaultDuration) != 0) default_duration_ = reader.u32();
  if ((flags & kDefaultSize) != 0) default_size_ = reader.u32();
}

void SplitChunk::read_time(const Box& tfdt) {
  ByteReader reader = tfdt.read();
  time_bytes_ = reader.u8() == 1 ? 8 : 4;
  reader.skip(3);
  time_ = reader.number(time_bytes_);
  time_at_ = tfdt.begin + tfdt.header + kVersionAndFlags;
}

void SplitChunk::read_run(const Box& trun) {
  ByteReader reader = trun.read();
  version_and_flags_ = reader.u32();
  const std::uint32_t count = reader.u32();
  if ((version_and_flags_ & kDataOffset) == 0) refuse(trun, " does not say where its frames are");
  data_ = moof_ + reader.u32();
  if ((version_and_flags_ & kFirstFlags) != 0) first_flags_ = reader.u32();
  const auto entries = reader.rest();
  if (entries.empty() || entries.size() != std::size_t{count} * 4 * fields_of_an_entry(version_and_flags_))
    refuse(trun, " has another number of frames than it says");
  entries_.assign(entries.begin(), entries.end());
  std::size_t end = data_;
  for (std::uint32_t i = 0; i < count; ++i) {
    durations_.push_back((version_and_flags_ & kDuration) != 0 ? reader.u32() : default_duration_);
    const std::uint32_t size = (version_and_flags_ & kSize) != 0 ? reader.u32() : default_size_;
    if ((version_and_flags_ & kFlags) != 0) reader.skip(4);
    if ((version_and_flags_ & kCompositionOffset) != 0) reader.skip(4);
    if (durations_.back() == 0 || size == 0) refuse(trun, " has a frame without a size or a duration");
    ends_.push_back(DataSize{static_cast<std::int64_t>(end += size)});
  }
  trun_ = trun.begin;
}

void SplitChunk::expect(const Box& mdat) {
  if (durations_.empty()) refuse(mdat, " stands before its moof");
  const auto end = DataSize{static_cast<std::int64_t>(mdat.begin + mdat.size)};
  if (data_ != mdat.begin + mdat.header || ends_.back() != end) refuse(mdat, " does not have the frames of the run");
}

MediaBytes SplitChunk::frames(std::span<const std::byte> content, std::size_t begin, std::size_t end) const {
  const std::size_t from = begin == 0 ? data_ : static_cast<std::size_t>(ends_[begin - 1].bytes());
  const auto data = bytes_between(content, from, static_cast<std::size_t>(ends_[end - 1].bytes()));
  const std::size_t entry = entries_.size() / ends_.size();
  const bool has_first = begin == 0 && (version_and_flags_ & kFirstFlags) != 0;
  const std::size_t run_bytes = 20 + (has_first ? 4 : 0) + entry * (end - begin);
  const std::size_t moof_bytes = trun_ - moof_ + run_bytes;
  MediaBytes out;
  out.reserve(moof_ + moof_bytes + 8 + data.size());
  const std::size_t front = begin == 0 ? moof_ : 0;
  append(out, content.first(front));
  append(out, bytes_between(content, moof_, trun_));
  replace(out, front, moof_bytes, 4);
  replace(out, front + traf_ - moof_, moof_bytes - (traf_ - moof_), 4);
  const auto skipped =
      std::accumulate(durations_.begin(), durations_.begin() + static_cast<std::ptrdiff_t>(begin), std::uint64_t{0});
  replace(out, front + time_at_ - moof_, time_ + skipped, time_bytes_);
  put(out, run_bytes, 4);
  put(out, 0x7472756e, 4);  // trun
  put(out, has_first ? version_and_flags_ : version_and_flags_ & ~kFirstFlags, 4);
  put(out, end - begin, 4);
  put(out, moof_bytes + 8, 4);
  if (has_first) put(out, first_flags_, 4);
  append(out, bytes_between(entries_, entry * begin, entry * end));
  put(out, data.size() + 8, 4);
  put(out, 0x6d646174, 4);  // mdat
  append(out, data);
  return out;
}

}  // namespace tributary
