#include "media/cmaf_reader.hh"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>

#include "media/codec_string.hh"
#include "media/run_fields.hh"

namespace tributary {
namespace {

using namespace fragment_field;
using namespace run_field;

constexpr std::uint32_t kIsNotSync = 0x10000;      // in the flags of a sample (ISO/IEC 14496-12 section 8.8.3.1)
constexpr std::uint32_t kMostSamples = 1 << 20;    // in a run, whose samples may take no bytes
constexpr std::uint64_t kLatestTime = 1ull << 62;  // ticks; leaves room for durations added to it

std::uint32_t timescale_of(const Box& mdhd) {
  ByteReader reader = mdhd.read();
  const bool wide = reader.u8() == 1;
  reader.skip(3 + (wide ? 16 : 8));
  const std::uint32_t timescale = reader.u32();
  if (timescale == 0) throw BoxError{mdhd.place() + ": a timescale of 0"};
  return timescale;
}

/// The extended language, if there is one, otherwise that of the media header (sections 8.4.2 and 8.4.6).
std::string language_of(const Box& mdia) {
  if (const auto elng = mdia.find("elng")) {
    ByteReader reader = elng->read();
    reader.skip(kVersionAndFlags);
    std::string text;
    for (const std::byte byte : reader.rest()) text += static_cast<char>(byte);
    return text.substr(0, text.find('\0'));
  }
  ByteReader reader = mdia.child("mdhd").read();
  const bool wide = reader.u8() == 1;
  reader.skip(3 + (wide ? 28 : 16));
  const unsigned packed = reader.u16();
  std::string code;
  for (const int shift : {10, 5, 0}) code += static_cast<char>(0x60 + (packed >> shift & 31));
  return code;
}

/// Of a colr box of the kind nclx (ISO/IEC 14496-12 section 12.1.5); others hold ICC profiles.
std::optional<ColorCodes> color_of(const Box& entry) {
  const auto colr = entry.find("colr", kVisualFields);
  if (!colr) return std::nullopt;
  ByteReader reader = colr->read();
  constexpr std::uint32_t kNclx = 0x6e636c78;
  if (reader.u32() != kNclx) return std::nullopt;
  const int primaries = reader.u16(), transfer = reader.u16(), matrix = reader.u16();
  return ColorCodes{primaries, transfer, matrix};
}

void read_sample_entry(const Box& entry, InitFacts& facts) {
  if (entry.type == "wvtt" || entry.type == "stpp") {  // texts (ISO/IEC 14496-30), which need no setup
    facts.codec = facts.sample_entry = entry.type;
    return;
  }
  facts.codec = codec_string(entry);
  facts.sample_entry = entry.type;
  const auto config = decoder_config(entry);
  facts.decoder_config.assign(config.begin(), config.end());
  ByteReader reader = entry.read();
  if (is_sound_entry(entry.type)) {
    reader.skip(16);
    facts.channels = reader.u16();
    reader.skip(6);
    facts.sample_rate = static_cast<int>(reader.u32() >> 16);
    return;
  }
  reader.skip(24);
  facts.width = reader.u16();
  facts.height = reader.u16();
  facts.color = color_of(entry);
  if (entry.type.starts_with("avc")) {
    ByteReader fields{"avcC in " + entry.place(), config};
    fields.skip(4);
    facts.nal_length_size = (fields.u8() & 3) + 1u;
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
  std::uint64_t time;  // decoding time of the next sample
  std::uint64_t data;  // offset of the next sample in the segment
};

Fragment read_fragment(const Box& traf, const InitFacts& init) {
  Fragment fragment{init.default_duration, init.default_size, init.default_flags, 0, 0};
  const Box header = traf.child("tfhd");
  ByteReader tfhd = header.read();
  const std::uint32_t flags = tfhd.u32() & 0xffffff;
  if ((flags & kBaseDataOffset) != 0)
    throw BoxError{header.place() + " counts from the beginning of the file, which CMAF does not allow"};
  tfhd.skip(4);
  if ((flags & kDescriptionIndex) != 0) tfhd.skip(4);
  if ((flags & kDefaultDuration) != 0) fragment.default_duration = tfhd.u32();
  if ((flags & kDefaultSize) != 0) fragment.default_size = tfhd.u32();
  if ((flags & kDefaultFlags) != 0) fragment.default_flags = tfhd.u32();
  const Box decode_time = traf.child("tfdt");
  ByteReader tfdt = decode_time.read();
  const bool wide = tfdt.u8() == 1;
  tfdt.skip(3);
  fragment.time = tfdt.number(wide ? 8 : 4);
  if (fragment.time >= kLatestTime)
    throw BoxError{fmt::format("{} says {}, which is no time", decode_time.place(), fragment.time)};
  return fragment;
}

/// `moof_begin`: the offset from which data offsets count.
void add_run(const Box& trun, std::size_t moof_begin, Fragment& fragment, std::vector<MediaSample>& samples) {
  ByteReader reader = trun.read();
  const bool is_signed = reader.u8() != 0;
  const auto flags = static_cast<std::uint32_t>(reader.number(3));
  const std::uint32_t count = reader.u32();
  if (count > kMostSamples) throw BoxError{fmt::format("{} has {} samples, too many", trun.place(), count)};
  if ((flags & kDataOffset) != 0) fragment.data = moof_begin + reader.u32();
  const std::uint32_t first_flags = (flags & kFirstFlags) != 0 ? reader.u32() : fragment.default_flags;
  for (std::uint32_t i = 0; i < count; ++i) {
    MediaSample sample;
    sample.duration = (flags & kDuration) != 0 ? reader.u32() : fragment.default_duration;
    sample.size = (flags & kSize) != 0 ? reader.u32() : fragment.default_size;
    const std::uint32_t own = (flags & kFlags) != 0 ? reader.u32() : i == 0 ? first_flags : fragment.default_flags;
    sample.sync = (own & kIsNotSync) == 0;
    sample.decoded = sample.shown = static_cast<std::int64_t>(fragment.time);
    if ((flags & kCompositionOffset) != 0) {
      const std::uint32_t offset = reader.u32();
      sample.shown += is_signed ? static_cast<std::int32_t>(offset) : static_cast<std::int64_t>(offset);
    }
    sample.begin = fragment.data;
    fragment.data += sample.size;
    fragment.time += sample.duration;
    samples.push_back(sample);
  }
}

Box only_track(const Box& moof) {
  std::optional<Box> traf;
  for (const Box& child : moof.children()) {
    if (child.type != "traf") continue;
    if (traf) throw BoxError{moof.place() + " is of more than one track"};
    traf = child;
  }
  if (!traf) throw BoxError{moof.place() + " has no traf"};
  return *traf;
}

/// Reads a media segment chunk by chunk: a moof, and the mdat behind it. If it throws, the facts hold the chunks before
/// the fault, and these are right.
class ChunkReader {
 public:
  ChunkReader(std::span<const std::byte> content, const InitFacts& init, SegmentFacts& facts)
      : content_{content}, init_{init}, facts_{facts} {}

  void read() {
    for (std::size_t at = 0; at < content_.size();) {
      const Box box = first_box("the segment", content_.subspan(at), at);
      if (box.type == "moof") {
        expect_data_for_the_last();
        box.must_be_whole();
        begin_chunk(box);
      } else if (box.type == "mdat") {
        add_samples(box);
      }
      box.must_be_whole();
      at += static_cast<std::size_t>(box.size);
    }
    expect_data_for_the_last();
    if (facts_.samples.empty()) throw BoxError{"the segment has no sample"};
  }

 private:
  void begin_chunk(const Box& moof) {
    moof_ = moof;
    const Box traf = only_track(moof);
    Fragment fragment = read_fragment(traf, init_);
    if (!facts_.samples.empty() && static_cast<std::int64_t>(fragment.time) < facts_.samples.back().decoded)
      throw BoxError{fmt::format("{} is of an earlier time than what is in front of it", moof.place())};
    for (const Box& trun : traf.children()) {
      if (trun.type == "trun") add_run(trun, moof.begin, fragment, pending_);
    }
    ++facts_.fragments;
  }

  void add_samples(const Box& mdat) {
    const std::size_t begin = mdat.begin + mdat.header, end = begin + mdat.body.size();
    for (const MediaSample& sample : pending_) {
      if (sample.begin < begin || sample.begin > end || sample.size > end - sample.begin) {
        mdat.must_be_whole();  // if the mdat is cut off, throws that as the reason
        throw BoxError{fmt::format("{}: sample {} is at bytes {} to {}, but {} holds {} to {}", moof_.place(),
                                   &sample - pending_.data(), sample.begin, sample.begin + sample.size, mdat.place(),
                                   begin, end)};
      }
      facts_.samples.push_back(sample);
    }
    pending_.clear();
  }

  void expect_data_for_the_last() const {
    if (!pending_.empty()) throw BoxError{moof_.place() + " has no mdat behind it"};
  }

  std::span<const std::byte> content_;
  const InitFacts& init_;
  SegmentFacts& facts_;
  Box moof_;
  std::vector<MediaSample> pending_;  // samples of moof_, which wait for its mdat
};

}  // namespace

std::int64_t SegmentFacts::begin() const {
  std::int64_t earliest = std::numeric_limits<std::int64_t>::max();
  for (const MediaSample& sample : samples) earliest = std::min(earliest, sample.shown);
  return earliest;
}

std::uint64_t SegmentFacts::ticks() const {
  return std::accumulate(samples.begin(), samples.end(), std::uint64_t{0},
                         [](std::uint64_t sum, const MediaSample& sample) { return sum + sample.duration; });
}

std::uint32_t SegmentFacts::longest_sample() const {
  std::uint32_t longest = 0;
  for (const MediaSample& sample : samples) longest = std::max(longest, sample.duration);
  return longest;
}

InitFacts read_init(std::span<const std::byte> content) {
  const auto boxes = boxes_in("the init segment", content);
  const auto found = std::find_if(boxes.begin(), boxes.end(), [](const Box& box) { return box.type == "moov"; });
  if (found == boxes.end()) throw BoxError{"the init segment has no moov"};
  const Box& moov = *found;
  const Box trak = moov.child("trak");
  const Box mdia = trak.child("mdia");
  InitFacts facts;
  facts.has_edit_list = trak.find("edts").has_value();
  facts.timescale = timescale_of(mdia.child("mdhd"));
  facts.language = language_of(mdia);
  const Box stsd = mdia.child("minf").child("stbl").child("stsd");
  const auto entries = stsd.children(kVersionAndFlags + 4);
  if (entries.empty()) throw BoxError{stsd.place() + " has no sample entry"};
  read_sample_entry(entries[0], facts);
  read_defaults(moov.child("mvex").child("trex"), facts);
  return facts;
}

ChunkTimes read_chunk_times(const Box& moof, const InitFacts& init) {
  const Box traf = only_track(moof);
  Fragment fragment = read_fragment(traf, init);
  ChunkTimes times{.begin = fragment.time};
  std::vector<MediaSample> samples;
  for (const Box& trun : traf.children()) {
    if (trun.type == "trun") add_run(trun, moof.begin, fragment, samples);
  }
  times.end = fragment.time;
  if (!samples.empty()) times.last_frame = samples.back().duration;
  return times;
}

SegmentFacts read_segment(std::span<const std::byte> content, const InitFacts& init) {
  SegmentFacts facts;
  ChunkReader{content, init, facts}.read();
  return facts;
}

Salvage salvage_segment(std::span<const std::byte> content, const InitFacts& init) {
  Salvage salvage;
  try {
    ChunkReader{content, init, salvage.facts}.read();
  } catch (const BoxError& error) {
    salvage.damage = error.what();
  }
  return salvage;
}

}  // namespace tributary
