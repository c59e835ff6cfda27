#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "segmenter/libav_handles.hh"

namespace tributary::segmenter {

/// Packs the packets of one encoder into CMAF: an init segment, and media segments of one fragment each.
/// Knows bytes, not files. Timestamps are kept as they are: no edit list, no composition offset below zero; a
/// track may begin later than zero (docs/index-format.md, `offset`).
class CmafWriter {
 public:
  /// The encoder must be open, with its headers in extradata.
  CmafWriter(const AVCodecContext& encoder, std::uint32_t timescale);
  CmafWriter(const CmafWriter&) = delete;
  CmafWriter& operator=(const CmafWriter&) = delete;
  ~CmafWriter();

  const std::vector<std::byte>& init() const { return init_; }
  /// Timestamps in ticks of the timescale; decode order. A packet lasts until the next is decoded, and is unchanged.
  void add(const AVPacket& packet);
  /// A segment of the packets added since the last one, of which there must be one; the next segment begins to be decoded
  /// at `end`.
  std::vector<std::byte> take_segment(std::int64_t end);

 private:
  static int append(void* self, std::uint8_t* bytes, int count);
  void write_held(std::int64_t until);
  std::vector<std::byte> take_output();

  AVIOContext* io_ = nullptr;
  OutputHandle muxer_;
  std::vector<std::byte> output_, init_;
  PacketHandle held_;  // the last one, until it is known how long it lasts
};

}  // namespace tributary::segmenter
