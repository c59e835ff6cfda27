#include "gst/readers/demuxed_segment_reader.hh"

#include <fmt/format.h>
#include <gst/pbutils/pbutils.h>

#include <array>
#include <utility>

#include "demux/demuxed_segment.hh"

namespace tributary {
namespace {

GstHandle<GstCaps> caps_from(const char* text) { return GstHandle<GstCaps>{gst_caps_from_string(text)}; }

/// Of streams whose decoder's setup is within the frames; their parsers find out the rest.
struct InBand {
  AVCodecID codec;
  const char* caps;
};
constexpr std::array kInBand{
    InBand{AV_CODEC_ID_H264, "video/x-h264, stream-format=(string)byte-stream, alignment=(string)au"},
    InBand{AV_CODEC_ID_HEVC, "video/x-h265, stream-format=(string)byte-stream, alignment=(string)au"},
    InBand{AV_CODEC_ID_VP9, "video/x-vp9, alignment=(string)super-frame, codec-alpha=(boolean)false"},
    InBand{AV_CODEC_ID_MPEG1VIDEO,
           "video/mpeg, mpegversion=(int)1, systemstream=(boolean)false, parsed=(boolean)false"},
    InBand{AV_CODEC_ID_MPEG2VIDEO,
           "video/mpeg, mpegversion=(int)2, systemstream=(boolean)false, parsed=(boolean)false"},
    InBand{AV_CODEC_ID_AAC, "audio/mpeg, mpegversion=(int)4, stream-format=(string)adts, framed=(boolean)true"},
    InBand{AV_CODEC_ID_MP2, "audio/mpeg, mpegversion=(int)1, parsed=(boolean)false"},
    InBand{AV_CODEC_ID_MP3, "audio/mpeg, mpegversion=(int)1, parsed=(boolean)false"},  // of any layer
    InBand{AV_CODEC_ID_AC3, "audio/x-ac3"},
    InBand{AV_CODEC_ID_EAC3, "audio/x-eac3"},
};

void set_setup(GstCaps& caps, const std::vector<std::byte>& setup) {
  const GstHandle<GstBuffer> buffer{gst_buffer_new_allocate(nullptr, setup.size(), nullptr)};
  gst_buffer_fill(buffer.get(), 0, setup.data(), setup.size());
  gst_caps_set_simple(&caps, "codec_data", GST_TYPE_BUFFER, buffer.get(), nullptr);
}

/// Of streams in MP4. Null: none that are known.
GstHandle<GstCaps> caps_with_setup(const DemuxedStream& stream) {
  GstHandle<GstCaps> caps;
  switch (stream.codec) {
    case AV_CODEC_ID_H264:
      caps = caps_from("video/x-h264, stream-format=(string)avc, alignment=(string)au");
      break;
    case AV_CODEC_ID_HEVC:
      caps = caps_from("video/x-h265, stream-format=(string)hvc1, alignment=(string)au");
      break;
    case AV_CODEC_ID_AAC:
      caps = caps_from("audio/mpeg, mpegversion=(int)4, stream-format=(string)raw, framed=(boolean)true");
      break;
    case AV_CODEC_ID_AV1:
      caps = caps_from("video/x-av1, stream-format=(string)obu-stream, alignment=(string)tu");
      break;
    default:
      return nullptr;
  }
  if (stream.kind == TrackKind::kVideo) {
    gst_caps_set_simple(caps.get(), "width", G_TYPE_INT, stream.width, "height", G_TYPE_INT, stream.height, nullptr);
  } else {
    gst_caps_set_simple(caps.get(), "rate", G_TYPE_INT, stream.sample_rate, "channels", G_TYPE_INT, stream.channels,
                        nullptr);
  }
  set_setup(*caps, stream.setup);
  return caps;
}

/// MPEG-TS does not tell layers of MPEG audio apart, but each frame does (ISO/IEC 11172-3 section 2.4.2.3).
void set_layer(GstCaps& caps, const DemuxedStream& stream) {
  if (stream.frames.empty() || stream.frames.front().packet->size < 2) return;
  const int bits = stream.frames.front().packet->data[1] >> 1 & 3;
  if (bits != 0) gst_caps_set_simple(&caps, "layer", G_TYPE_INT, 4 - bits, nullptr);
}

/// Null: GStreamer has no name for it.
GstHandle<GstCaps> caps_of_stream(const DemuxedStream& stream) {
  if (!stream.setup.empty()) {
    if (auto caps = caps_with_setup(stream)) return caps;
  }
  for (const InBand& known : kInBand) {
    if (known.codec != stream.codec) continue;
    GstHandle<GstCaps> caps = caps_from(known.caps);
    if (known.codec == AV_CODEC_ID_MP2 || known.codec == AV_CODEC_ID_MP3) set_layer(*caps, stream);
    return caps;
  }
  return nullptr;
}

/// Takes over the packet, whose bytes the buffer shares.
GstHandle<GstBuffer> buffer_of(PacketHandle packet) {
  GstHandle<GstBuffer> buffer{gst_buffer_new()};
  const bool sync = (packet->flags & AV_PKT_FLAG_KEY) != 0;
  const auto size = static_cast<gsize>(packet->size);
  AVPacket* const owned = packet.release();
  gst_buffer_append_memory(buffer.get(),
                           gst_memory_new_wrapped(GST_MEMORY_FLAG_READONLY, owned->data, size, 0, size, owned,
                                                  [](void* taken) { PacketFree{}(static_cast<AVPacket*>(taken)); }));
  if (!sync) GST_BUFFER_FLAG_SET(buffer.get(), GST_BUFFER_FLAG_DELTA_UNIT);
  return buffer;
}

}  // namespace

ReadSegment DemuxedSegmentReader::read(const SharedBytes& bytes) const {
  DemuxedSegment demuxed = demux_segment(init_ ? std::span{*init_} : std::span<const std::byte>{}, *bytes);
  ReadSegment read{{}, std::move(demuxed.damage)};
  for (DemuxedStream& from : demuxed.streams) {
    GstHandle<GstCaps> caps = caps_of_stream(from);
    if (!caps) {
      if (!read.damage) read.damage = fmt::format("the codec {} cannot be played", avcodec_get_name(from.codec));
      continue;
    }
    ReadStream& stream = read.streams.emplace_back();
    stream.kind = from.kind;
    stream.caps = std::move(caps);
    stream.timescale = from.timescale;
    stream.wrap = from.wrap;
    stream.timed = from.timed;
    for (DemuxedFrame& frame : from.frames)
      stream.samples.push_back({buffer_of(std::move(frame.packet)), frame.shown, frame.duration});
  }
  return read;
}

}  // namespace tributary
