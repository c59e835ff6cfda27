#pragma once

#include <optional>
#include <string>
#include <vector>

#include "media/iso_box.hh"
#include "units/text/color_codes.hh"

namespace tributary {

/// The content of an init segment, which describes one track.
struct InitFacts {
  std::string codec;                      // RFC 6381
  std::string sample_entry;               // "avc1"
  std::vector<std::byte> decoder_config;  // codec_string.hh
  std::uint32_t timescale = 0;
  std::string language;  // a tag of RFC 5646, or else a code of ISO 639-2: "pt-BR", "deu", "und"
  bool has_edit_list = false;
  int width = 0, height = 0;          // pictures
  std::optional<ColorCodes> color;    // pictures; nothing: there is no colr box of the kind nclx
  int sample_rate = 0, channels = 0;  // sound
  /// Of samples for which a fragment states no value of its own.
  std::uint32_t default_duration = 0, default_size = 0, default_flags = 0;
  std::size_t nal_length_size = 0;  // of H.264: bytes of the length before each NAL unit
};

/// One frame of picture or sound; times in ticks of the track.
struct MediaSample {
  std::int64_t decoded = 0, shown = 0;
  std::uint32_t duration = 0;
  bool sync = false;                // decodable without any sample before it
  std::size_t begin = 0, size = 0;  // bytes in the segment; checked to be present
};

/// The samples of a media segment; times in ticks of the track.
struct SegmentFacts {
  std::vector<MediaSample> samples;  // in decoding order
  std::size_t fragments = 0;         // CMAF chunks

  std::int64_t begin() const;            // the earliest time at which a sample is shown or heard
  std::uint64_t ticks() const;           // sum of the durations of its samples
  std::uint32_t longest_sample() const;  // ticks
};

/// Reads the init segment of a CMAF track (ISO/IEC 23000-19), which must be the only track of its file. Throws
/// BoxError.
InitFacts read_init(std::span<const std::byte> content);

/// When the samples of a chunk are decoded, in ticks.
struct ChunkTimes {
  std::uint64_t begin = 0, end = 0;
  std::uint32_t last_frame = 0;  // how long the last sample lasts
};
/// Of a moof, which must be whole. Throws BoxError.
ChunkTimes read_chunk_times(const Box& moof, const InitFacts& init);

/// Finds at least one sample. Throws BoxError.
SegmentFacts read_segment(std::span<const std::byte> content, const InitFacts& init);

/// The readable beginning of a damaged segment, for a player that would rather play half of it than nothing.
struct Salvage {
  SegmentFacts facts;                 // up to the damage; may be empty
  std::optional<std::string> damage;  // the fault and its place; nothing: all is readable
};
Salvage salvage_segment(std::span<const std::byte> content, const InitFacts& init);

}  // namespace tributary
