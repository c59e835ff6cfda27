#include "segmenter/live/segment_cut.hh"

#include <fmt/format.h>

#include <algorithm>

#include "media/run_fields.hh"

namespace tributary::segmenter {
namespace {

using Samples = std::span<const MediaSample>;

/// Bytes of boxes, with numbers in big-endian order.
class BoxBytes {
 public:
  void put(std::uint64_t value, int bytes) {
    for (int i = bytes - 1; i >= 0; --i) bytes_ += static_cast<char>(value >> (8 * i) & 0xff);
  }
  /// Adds a box with what `fill` puts into it.
  template <typename Fill>
  void box(std::string_view type, Fill fill) {
    const std::size_t begin = bytes_.size();
    put(0, 4);
    bytes_ += type;
    fill();
    set(begin, bytes_.size() - begin);
  }
  void set(std::size_t at, std::uint64_t value) {
    for (std::size_t i = 0; i < 4; ++i) bytes_[at + i] = static_cast<char>(value >> (8 * (3 - i)) & 0xff);
  }
  std::string& bytes() { return bytes_; }

 private:
  std::string bytes_;
};

std::uint32_t track_of(std::string_view segment) {
  for (const Box& box : boxes_in("the segment", std::as_bytes(std::span{segment}))) {
    if (box.type != "moof") continue;
    ByteReader header = box.child("traf").child("tfhd").read();
    header.skip(kVersionAndFlags);
    return header.u32();
  }
  throw BoxError{"no moof"};
}

struct Chunk {
  Samples samples;
  std::uint64_t moved = 0;
  std::uint32_t track = 1, number = 1;
};

/// A run of samples (ISO/IEC 14496-12 section 8.8.8). Returns the place of its data offset, which is still 0.
std::size_t put_run(BoxBytes& out, Samples samples) {
  using namespace run_field;
  constexpr std::uint64_t kSyncFlags = 0x2000000, kOtherFlags = 0x1010000;  // whether a sample depends on others
  std::size_t offset = 0;
  out.box("trun", [&] {
    out.put(0x1000000 | kDataOffset | kDuration | kSize | kFlags | kCompositionOffset, 4);
    out.put(samples.size(), 4);
    offset = out.bytes().size();
    out.put(0, 4);
    for (const MediaSample& sample : samples) {
      out.put(sample.duration, 4);
      out.put(sample.size, 4);
      out.put(sample.sync ? kSyncFlags : kOtherFlags, 4);
      out.put(static_cast<std::uint64_t>(sample.shown - sample.decoded), 4);
    }
  });
  return offset;
}

/// A moof and its mdat (section 8.8.4).
void put_chunk(BoxBytes& out, std::string_view segment, const Chunk& chunk) {
  constexpr std::uint64_t kCountsFromMoof = 0x20000;
  const std::size_t begin = out.bytes().size();
  std::size_t offset = 0;
  out.box("moof", [&] {
    out.box("mfhd", [&] { out.put(0, 4), out.put(chunk.number, 4); });
    out.box("traf", [&] {
      out.box("tfhd", [&] { out.put(kCountsFromMoof, 4), out.put(chunk.track, 4); });
      out.box("tfdt", [&] {
        out.put(0x1000000, 4);
        out.put(static_cast<std::uint64_t>(chunk.samples.front().decoded) + chunk.moved, 8);
      });
      offset = put_run(out, chunk.samples);
    });
  });
  out.box("mdat", [&] {
    out.set(offset, out.bytes().size() - begin);
    for (const MediaSample& sample : chunk.samples) out.bytes() += segment.substr(sample.begin, sample.size);
  });
}

/// Takes the samples up to the end that is nearest to the cut.
Samples take_until(Samples& rest, std::int64_t cut) {
  std::size_t count = 0;
  const auto distance = [&](std::size_t sample) {
    return std::abs(rest[sample].decoded + static_cast<std::int64_t>(rest[sample].duration) - cut);
  };
  if (!rest.empty() && rest[0].decoded < cut) count = 1;
  while (count > 0 && count < rest.size() && distance(count) <= distance(count - 1)) ++count;
  const Samples taken = rest.first(count);
  rest = rest.subspan(count);
  return taken;
}

}  // namespace

std::vector<CutPart> cut_samples(std::string_view segment, const InitFacts& init, std::span<const std::uint64_t> cuts,
                                 std::uint64_t moved, std::uint32_t first_fragment) {
  const SegmentFacts facts = read_segment(std::as_bytes(std::span{segment}), init);
  Chunk chunk{{}, moved, track_of(segment), first_fragment};
  Samples rest{facts.samples};
  const std::int64_t begin = rest.front().decoded;
  std::vector<CutPart> parts;
  for (std::size_t i = 0; i <= cuts.size(); ++i, ++chunk.number) {
    chunk.samples = i == cuts.size() ? rest : take_until(rest, begin + static_cast<std::int64_t>(cuts[i]));
    if (chunk.samples.empty()) throw BoxError{fmt::format("there is no sample for part {}", i + 1)};
    BoxBytes out;
    // CMAF brands (ISO/IEC 23000-19 section 7.2).
    if (i == 0) out.box("styp", [&] { out.bytes() += std::string_view{"cmfs\0\0\0\0cmfsiso6", 16}; });
    put_chunk(out, segment, chunk);
    LivePart part{0, DataSize{std::ssize(out.bytes())}, chunk.samples.front().sync};
    for (const MediaSample& sample : chunk.samples) part.ticks += sample.duration;
    parts.push_back({std::move(out.bytes()), part});
  }
  return parts;
}

std::vector<CutPart> cut_bytes(std::string_view segment, std::uint64_t ticks, std::span<const std::uint64_t> cuts) {
  std::vector<CutPart> parts;
  std::uint64_t begin = 0;
  std::size_t taken = 0;
  for (std::size_t i = 0; i <= cuts.size(); ++i) {
    const std::uint64_t end = i == cuts.size() ? ticks : cuts[i];
    const auto until = static_cast<std::size_t>(static_cast<long double>(segment.size()) * end / ticks);
    if (until <= taken) throw BoxError{fmt::format("there are no bytes for part {}", i + 1)};
    parts.push_back({std::string{segment.substr(taken, until - taken)},
                     {end - begin, DataSize{static_cast<std::int64_t>(until - taken)}, i == 0}});
    begin = end;
    taken = until;
  }
  return parts;
}

}  // namespace tributary::segmenter
