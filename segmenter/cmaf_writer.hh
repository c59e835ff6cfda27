#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "segmenter/libav_handles.hh"

namespace tributary::segmenter {

/// Packs encoded packets of one picture or sound into CMAF: an init segment, and media segments of one fragment each.
/// Knows bytes, not files. Timestamps are kept as they are: no edit list, no composition offset below zero; the
/// first decoding time is zero (docs/index-format.md, `offset`).
class CmafWriter {
 public:
  /// The codec has its headers in extradata. `frame_rate` is that of pictures.
  CmafWriter(const AVCodecParameters& codec, AVRational frame_rate, std::uint32_t timescale);
  CmafWriter(const CmafWriter&) = delete;
  CmafWriter& operator=(const CmafWriter&) = delete;
  ~CmafWriter();

  const std::vector<std::byte>& init() const { return init_; }
  /// Timestamps and duration in ticks of the timescale; decode order. The packet is unchanged.
  void add(const AVPacket& packet);
  /// A segment of the packets added since the last one; valid until the next.
  std::span<const std::byte> take_segment();
  /// Sum of the durations of the packets added since the last segment.
  std::uint64_t pending_ticks() const { return pending_ticks_; }

 private:
  static int append(void* self, std::uint8_t* bytes, int count);

  AVIOContext* io_ = nullptr;
  OutputHandle muxer_;
  std::vector<std::byte> output_, init_;
  std::uint64_t pending_ticks_ = 0;
};

}  // namespace tributary::segmenter
