#pragma once

extern "C" {
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
}

#include <array>
#include <memory>
#include <new>
#include <string>

namespace tributary {

struct PacketFree {
  void operator()(AVPacket* packet) const { av_packet_free(&packet); }
};
/// Closes an input, whose bytes come from elsewhere.
struct DemuxerClose {
  void operator()(AVFormatContext* input) const { avformat_close_input(&input); }
};
/// Frees the buffer, too, which libavformat may have made anew.
struct BytesClose {
  void operator()(AVIOContext* bytes) const {
    av_freep(&bytes->buffer);
    avio_context_free(&bytes);
  }
};
/// Closes the file as well, if it is still open.
struct MuxerFree {
  void operator()(AVFormatContext* output) const {
    avio_closep(&output->pb);
    avformat_free_context(output);
  }
};

using PacketHandle = std::unique_ptr<AVPacket, PacketFree>;
using DemuxerHandle = std::unique_ptr<AVFormatContext, DemuxerClose>;
using BytesHandle = std::unique_ptr<AVIOContext, BytesClose>;
using MuxerHandle = std::unique_ptr<AVFormatContext, MuxerFree>;

inline PacketHandle make_packet() {
  PacketHandle packet{av_packet_alloc()};
  if (!packet) throw std::bad_alloc{};
  return packet;
}

/// The library's reason for a negative result.
inline std::string libav_reason(int result) {
  std::array<char, AV_ERROR_MAX_STRING_SIZE> reason{};
  av_strerror(result, reason.data(), reason.size());
  return reason.data();
}

}  // namespace tributary
