#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "demux/libav.hh"
#include "demux/segment_layout.hh"
#include "presentation/presentation.hh"

namespace tributary {

/// One frame of picture or sound; times in ticks of its stream.
struct DemuxedFrame {
  PacketHandle packet;  // its bytes
  std::int64_t shown = 0, duration = 0;

  bool sync() const { return (packet->flags & AV_PKT_FLAG_KEY) != 0; }  // decodable without any frame before it
};

/// The picture or the sound of a segment.
struct DemuxedStream {
  TrackKind kind = TrackKind::kVideo;  // or kAudio
  AVCodecID codec = AV_CODEC_ID_NONE;
  std::vector<std::byte> setup;  // of the decoder; empty: it is within the frames
  int width = 0, height = 0;     // pictures; 0: only the frames tell
  int sample_rate = 0, channels = 0;
  std::uint32_t timescale = 1;       // ticks per second
  std::int64_t wrap = 0;             // times begin again from zero after so many ticks; 0: never
  bool timed = true;                 // else the first frame is at 0: the segment says nothing of its place
  std::vector<DemuxedFrame> frames;  // in decoding order
};

/// The streams of a segment, at most one of picture and one of sound, and what is wrong with it.
struct DemuxedSegment {
  std::vector<DemuxedStream> streams;  // also those that have no frame in this segment
  std::optional<std::string> damage;   // the fault and its place; nothing: all is readable
};

/// Takes a segment apart by libavformat. Never throws for what the bytes hold: frames in front of a fault are given. Times
/// within a segment do not wrap, but they may be beyond the wrap, and below zero. `init`: the bytes of the init segment, if
/// the layout has one.
DemuxedSegment demux_segment(std::span<const std::byte> init, std::span<const std::byte> bytes);

}  // namespace tributary
