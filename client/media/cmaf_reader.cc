#include "media/cmaf_reader.hh"

#include <algorithm>
#include <limits>

#include "media/codec_string.hh"

namespace tributary {
namespace {

constexpr std::size_t kVersionAndFlags = 4;
constexpr std::size_t kBoxHeader = 8;  // of a moof, which is never so large that its size needs 64 bits
constexpr std::uint32_t kIsNotSync = 0x10000;  // in the flags of a sample (ISO/IEC 14496-12 section 8.8.3.1)

/// Flags of tfhd and trun, which say what fields there are (sections 8.8.7.1 and 8.8.8.1).
constexpr std::uint32_t kBaseDataOffset = 0x1, kDescriptionIndex = 0x2, kDefaultDuration = 0x8,
                        kDefaultSize = 0x10, kDefaultFlags = 0x20;
constexpr std::uint32_t kDataOffset = 0x1, kFirstFlags = 0x4, kDuration = 0x100, kSize = 0x200,
                        kFlags = 0x400, kCompositionOffset = 0x800;

Box box_in(std::string_view place, std::span<const std::byte> content, std::string_view type) {
  return Box{std::string{place}, content}.child(type);
}

std::uint32_t timescale_of(const Box& mdhd) {
  ByteReader reader = mdhd.read();
  const bool wide = reader.u8() == 1;
  reader.skip(3 + (wide ? 16 : 8));
  return reader.u32();
}

void read_sample_entry(const Box& entry, InitFacts& facts) {
  facts.codec = codec_string(entry);
  ByteReader reader = entry.read();
  if (entry.type == "mp4a" || entry.type == "Opus") {
    reader.skip(24);
    facts.sample_rate = static_cast<int>(reader.u32() >> 16);
  } else {
    reader.skip(24);
    facts.width = reader.u16();
    facts.height = reader.u16();
    if (const auto config = entry.find("avcC", kVisualFields)) {
      ByteReader fields = config->read();
      fields.skip(4);
      facts.nal_length_size = (fields.u8() & 3) + 1u;
    }
  }
}

void read_defaults(const Box& trex, InitFacts& facts) {
  ByteReader reader = trex.read();
  reader.skip(kVersionAndFlags + 8);
  facts.default_duration = reader.u32();
  facts.default_size = reader.u32();
  facts.default_flags = reader.u32();
}

struct Fragment {
  std::uint32_t default_duration, default_size, default_flags;
  std::uint64_t time;          // of the next sample, in decoding order
  std::size_t data_begin = 0;  // of it, in the segment
};

Fragment read_fragment(const Box& traf, const InitFacts& init) {
  Fragment fragment{init.default_duration, init.default_size, init.default_flags, 0};
  ByteReader tfhd = traf.child("tfhd").read();
  const std::uint32_t flags = tfhd.u32() & 0xffffff;
  tfhd.skip(4);
  if ((flags & kBaseDataOffset) != 0) tfhd.skip(8);
  if ((flags & kDescriptionIndex) != 0) tfhd.skip(4);
  if ((flags & kDefaultDuration) != 0) fragment.default_duration = tfhd.u32();
  if ((flags & kDefaultSize) != 0) fragment.default_size = tfhd.u32();
  if ((flags & kDefaultFlags) != 0) fragment.default_flags = tfhd.u32();
  ByteReader tfdt = traf.child("tfdt").read();
  const bool wide = tfdt.u8() == 1;
  tfdt.skip(3);
  fragment.time = tfdt.number(wide ? 8 : 4);
  return fragment;
}

/// `moof_begin`: where the box around it begins in the segment, from which data is counted.
void add_run(const Box& trun, std::size_t moof_begin, Fragment& fragment, SegmentFacts& facts) {
  ByteReader reader = trun.read();
  const bool is_signed = reader.u8() != 0;
  const auto flags = static_cast<std::uint32_t>(reader.number(3));
  const std::uint32_t count = reader.u32();
  if ((flags & kDataOffset) != 0) fragment.data_begin = moof_begin + reader.u32();
  std::uint32_t first_flags = (flags & kFirstFlags) != 0 ? reader.u32() : fragment.default_flags;
  constexpr std::uint32_t kPerSample = kDuration | kSize | kFlags | kCompositionOffset;
  if ((flags & kPerSample) == 0 && count > 1 << 20) throw BoxError{"trun has too many samples"};
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::uint64_t duration = (flags & kDuration) != 0 ? reader.u32() : fragment.default_duration;
    const std::uint32_t size = (flags & kSize) != 0 ? reader.u32() : fragment.default_size;
    const std::uint32_t own = (flags & kFlags) != 0 ? reader.u32()
                              : i == 0              ? first_flags
                                                    : fragment.default_flags;
    std::int64_t shown = static_cast<std::int64_t>(fragment.time);
    if ((flags & kCompositionOffset) != 0) {
      const std::uint32_t offset = reader.u32();
      shown += is_signed ? static_cast<std::int32_t>(offset) : static_cast<std::int64_t>(offset);
    }
    if (facts.samples.empty()) {
      facts.decode_begin = fragment.time;
      facts.begins_with_sync_sample = (own & kIsNotSync) == 0;
    }
    facts.samples.push_back({fragment.data_begin, size});
    fragment.data_begin += size;
    facts.begin = std::min(facts.begin, shown);
    facts.ticks += duration;
    facts.longest_sample = std::max(facts.longest_sample, duration);
    fragment.time += duration;
  }
}

}  // namespace

InitFacts read_init(std::span<const std::byte> content) {
  const Box moov = box_in("the init segment", content, "moov");
  const Box trak = moov.child("trak");
  const Box mdia = trak.child("mdia");
  InitFacts facts;
  facts.has_edit_list = trak.find("edts").has_value();
  facts.timescale = timescale_of(mdia.child("mdhd"));
  const auto entries = mdia.child("minf").child("stbl").child("stsd").children(kVersionAndFlags + 4);
  if (entries.empty()) throw BoxError{"stsd has no sample entry"};
  read_sample_entry(entries[0], facts);
  read_defaults(moov.child("mvex").child("trex"), facts);
  return facts;
}

SegmentFacts read_segment(std::span<const std::byte> content, const InitFacts& init) {
  SegmentFacts facts;
  facts.begin = std::numeric_limits<std::int64_t>::max();
  for (const Box& moof : boxes_in("the segment", content)) {
    if (moof.type != "moof") continue;
    const Box traf = moof.child("traf");
    ++facts.fragments;
    Fragment fragment = read_fragment(traf, init);
    const auto moof_begin = static_cast<std::size_t>(moof.body.data() - content.data()) - kBoxHeader;
    for (const Box& trun : traf.children()) {
      if (trun.type == "trun") add_run(trun, moof_begin, fragment, facts);
    }
  }
  if (facts.samples.empty()) throw BoxError{"the segment has no sample"};
  return facts;
}

}  // namespace tributary
