#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "segmenter/libav_handles.hh"

namespace tributary::segmenter {

/// Packs encoded packets of one picture or sound into CMAF: an init segment, and media segments of one fragment each.
/// Knows bytes, not files. Timestamps are kept as they are: no edit list, no composition offset below
/// zero.
class CmafWriter {
 public:
  /// The codec has its headers in extradata. `frame_rate` is that of pictures.
  CmafWriter(const AVCodecParameters& codec, AVRational frame_rate, std::uint32_t timescale);
  CmafWriter(const CmafWriter&) = delete;
  CmafWriter& operator=(const CmafWriter&) = delete;
  ~CmafWriter();

  const std::vector<std::byte>& init() const { return init_; }
  /// Timestamps in ticks of the timescale; decode order. A packet lasts until the next is decoded, and is unchanged.
  void add(const AVPacket& packet);
  /// A segment of the packets added since the last one, of which there must be one; valid until the next. The next
  /// segment begins to be decoded at `end`.
  std::span<const std::byte> take_segment(std::int64_t end);

 private:
  static int append(void* self, std::uint8_t* bytes, int count);
  void write_held(std::int64_t until);

  AVIOContext* io_ = nullptr;
  OutputHandle muxer_;
  std::vector<std::byte> output_, init_;
  PacketHandle held_;  // the last one, until it is known how long it lasts
};

}  // namespace tributary::segmenter
