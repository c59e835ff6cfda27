#pragma once

#include <optional>
#include <string>
#include <vector>

#include "media/iso_box.hh"
#include "units/color_codes.hh"

namespace tributary {

/// What an init segment says about its one track.
struct InitFacts {
  std::string codec;                      // RFC 6381
  std::string sample_entry;               // "avc1"
  std::vector<std::byte> decoder_config;  // codec_string.hh
  std::uint32_t timescale = 0;
  std::string language;  // a tag of RFC 5646, or else a code of ISO 639-2: "pt-BR", "deu", "und"
  bool has_edit_list = false;
  int width = 0, height = 0;          // pictures
  std::optional<ColorCodes> color;    // likewise, where the colr box says it
  int sample_rate = 0, channels = 0;  // sound
  /// For samples of which a fragment says nothing.
  std::uint32_t default_duration = 0, default_size = 0, default_flags = 0;
  std::size_t nal_length_size = 0;  // of H.264: bytes of the length before each NAL unit
};

/// One frame of picture or sound; times in ticks of the track.
struct MediaSample {
  std::int64_t decoded = 0, shown = 0;
  std::uint32_t duration = 0;
  bool sync = false;                // can be decoded without any before it
  std::size_t begin = 0, size = 0;  // bytes in the segment, which are there
};

/// What a media segment says about its samples; times in ticks of the track.
struct SegmentFacts {
  std::vector<MediaSample> samples;  // in decoding order
  std::size_t fragments = 0;         // CMAF chunks

  std::int64_t begin() const;            // the earliest time at which a sample is shown or heard
  std::uint64_t ticks() const;           // sum of the durations of its samples
  std::uint32_t longest_sample() const;  // ticks
};

/// Reads what segmenter/publish/cmaf_writer has written, or others as ISO/IEC 23000-19 says: one track in a file. Throws BoxError.
InitFacts read_init(std::span<const std::byte> content);

/// At least one sample. Throws BoxError.
SegmentFacts read_segment(std::span<const std::byte> content, const InitFacts& init);

/// For those who would rather play half of a segment than none of it.
struct Salvage {
  SegmentFacts facts;                 // up to what cannot be read; may be empty
  std::optional<std::string> damage;  // what that is
};
Salvage salvage_segment(std::span<const std::byte> content, const InitFacts& init);

}  // namespace tributary
