#pragma once

#include <string>

#include "media/iso_box.hh"

namespace tributary {

/// What an init segment says about its one track.
struct InitFacts {
  std::string codec;  // RFC 6381
  std::uint32_t timescale = 0;
  bool has_edit_list = false;
  int width = 0, height = 0;  // pictures
  int sample_rate = 0;        // sound
  /// For samples of which a fragment says nothing.
  std::uint32_t default_duration = 0, default_size = 0, default_flags = 0;
  std::size_t nal_length_size = 0;  // of H.264: bytes of the length before each NAL unit
};

/// What a media segment says about its samples; times in ticks of the track.
struct SegmentFacts {
  std::uint64_t decode_begin = 0;    // of its first sample
  std::int64_t begin = 0;            // the earliest time at which a sample is shown or heard
  std::uint64_t ticks = 0;           // sum of the durations of its samples
  std::uint64_t longest_sample = 0;  // ticks
  struct Sample {
    std::size_t begin = 0, size = 0;  // bytes in the segment
  };
  std::vector<Sample> samples;  // at least one
  std::size_t fragments = 0;
  bool begins_with_sync_sample = false;  // which can be decoded without any before it
};

/// Reads what CmafWriter has written, or others as ISO/IEC 23000-19 says: one track in a file. Throw BoxError.
InitFacts read_init(std::span<const std::byte> content);
SegmentFacts read_segment(std::span<const std::byte> content, const InitFacts& init);

}  // namespace tributary
