#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "segmenter/libav/libav_handles.hh"
#include "units/session_clock.hh"
#include "units/utc_time.hh"

namespace tributary::segmenter {

/// What is shown at `offset` ticks was made at `zero` of the calendar.
struct ReferenceTime {
  UtcTime zero;
  std::int64_t offset = 0;
};

/// Packs encoded packets of one picture or sound into CMAF: an init segment, and media segments. A segment is one
/// fragment, or one for each chunk (ISO/IEC 23000-19 section 6.6.5), for delivery while the segment grows. Knows bytes,
/// not files. Keeps timestamps as they are: no edit list, no composition offset below zero.
class CmafWriter {
 public:
  /// `codec` must have its headers in extradata. `frame_rate`: that of pictures. A chunk ends with the packet that
  /// makes it last at least `chunk`; zero: with the segment. Fragments are numbered from `first_fragment` on. If
  /// `source` is not null, the init segment keeps the turn of its picture, and the light of its mastering display.
  CmafWriter(const AVCodecParameters& codec, AVRational frame_rate, std::uint32_t timescale, Duration chunk,
             std::uint64_t first_fragment = 1, const AVStream* source = nullptr);
  CmafWriter(const CmafWriter&) = delete;
  CmafWriter& operator=(const CmafWriter&) = delete;
  ~CmafWriter();

  const std::vector<std::byte>& init() const { return init_; }
  /// Each chunk states when it was made (prft), and is marked as one that can be delivered alone (styp).
  void state_times(const ReferenceTime& reference) { reference_ = reference; }
  /// Adds packets in decoding order, with timestamps in ticks of the timescale. A packet lasts until the next is
  /// decoded. Leaves `packet` unchanged.
  void add(const AVPacket& packet);
  /// A chunk of the packets added since the last chunk; there must be one. The segment has it, too. Valid until the next
  /// packet is added. The next chunk begins to be decoded at `end`.
  std::span<const std::byte> take_chunk(std::int64_t end);
  /// A segment of the packets added since the last segment; there must be one. Valid until the next packet is added.
  /// The next segment begins to be decoded at `end`.
  std::span<const std::byte> take_segment(std::int64_t end);

 private:
  static int append(void* self, std::uint8_t* bytes, int count);
  void write_held(std::int64_t until);
  void end_fragment();
  std::vector<std::byte> reference_box() const;

  AVIOContext* io_ = nullptr;
  OutputHandle muxer_;
  std::vector<std::byte> output_, init_;
  std::int64_t chunk_ticks_;
  std::optional<std::int64_t> chunk_begin_;  // of the unfinished chunk; nothing: there is none
  std::uint32_t timescale_;
  std::optional<ReferenceTime> reference_;
  std::size_t taken_ = 0;  // bytes of the segment that were taken as chunks
  bool segment_begun_ = false;
  PacketHandle held_;  // the last packet, until its duration is known
};

}  // namespace tributary::segmenter
