#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "segmenter/libav/libav_handles.hh"
#include "units/session_clock.hh"

namespace tributary::segmenter {

/// Packs encoded packets of one picture or sound into CMAF: an init segment, and media segments of one fragment each, or of
/// one for each chunk (ISO/IEC 23000-19 section 6.6.5), for delivery while the segment grows. Knows bytes, not files. Timestamps are kept as they are: no edit list, no composition offset below
/// zero.
class CmafWriter {
 public:
  /// The codec has its headers in extradata. `frame_rate` is that of pictures. A chunk ends with the packet that makes it
  /// last at least as long as `chunk`; zero: with the segment. Fragments are numbered from `first_fragment` on. Of
  /// `source`, if there is one, the init segment keeps how its picture is to be turned, and the light of its mastering
  /// display.
  CmafWriter(const AVCodecParameters& codec, AVRational frame_rate, std::uint32_t timescale, Duration chunk,
             std::uint64_t first_fragment = 1, const AVStream* source = nullptr);
  CmafWriter(const CmafWriter&) = delete;
  CmafWriter& operator=(const CmafWriter&) = delete;
  ~CmafWriter();

  const std::vector<std::byte>& init() const { return init_; }
  /// Timestamps in ticks of the timescale; decode order. A packet lasts until the next is decoded, and is unchanged.
  void add(const AVPacket& packet);
  /// A segment of the packets added since the last one, of which there must be one; valid until the next is added. The
  /// next segment begins to be decoded at `end`.
  std::span<const std::byte> take_segment(std::int64_t end);

 private:
  static int append(void* self, std::uint8_t* bytes, int count);
  void write_held(std::int64_t until);
  void end_fragment();

  AVIOContext* io_ = nullptr;
  OutputHandle muxer_;
  std::vector<std::byte> output_, init_;
  std::int64_t chunk_ticks_;
  std::optional<std::int64_t> chunk_begin_;  // of the chunk that has begun
  bool segment_begun_ = false;
  PacketHandle held_;  // the last one, until it is known how long it lasts
};

}  // namespace tributary::segmenter
