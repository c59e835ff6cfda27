#pragma once

extern "C" {
#include <libavcodec/avcodec.h>
#include <libavcodec/bsf.h>
#include <libavfilter/avfilter.h>
#include <libavformat/avformat.h>
}

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>

#include "segmenter/failure.hh"
#include "units/session_clock.hh"

namespace tributary::segmenter {

struct LibavDelete {
  void operator()(AVFrame* frame) const { av_frame_free(&frame); }
  void operator()(AVPacket* packet) const { av_packet_free(&packet); }
  void operator()(AVCodecParameters* codec) const { avcodec_parameters_free(&codec); }
  void operator()(AVCodecContext* context) const { avcodec_free_context(&context); }
  void operator()(AVBSFContext* filter) const { av_bsf_free(&filter); }
  void operator()(AVFilterGraph* graph) const { avfilter_graph_free(&graph); }
};
struct InputClose {
  void operator()(AVFormatContext* input) const { avformat_close_input(&input); }
};
struct OutputFree {
  void operator()(AVFormatContext* output) const { avformat_free_context(output); }
};

using FrameHandle = std::unique_ptr<AVFrame, LibavDelete>;
using PacketHandle = std::unique_ptr<AVPacket, LibavDelete>;
using ParametersHandle = std::unique_ptr<AVCodecParameters, LibavDelete>;
using CodecHandle = std::unique_ptr<AVCodecContext, LibavDelete>;
using PacketFilterHandle = std::unique_ptr<AVBSFContext, LibavDelete>;
using FilterGraphHandle = std::unique_ptr<AVFilterGraph, LibavDelete>;
using InputHandle = std::unique_ptr<AVFormatContext, InputClose>;
using OutputHandle = std::unique_ptr<AVFormatContext, OutputFree>;

FrameHandle make_frame();
PacketHandle make_packet();
/// A copy that shares the data.
PacketHandle clone(const AVPacket& packet);
ParametersHandle parameters_of(const AVCodecContext& codec);

/// A decoder for a stream, to be opened. Throws Failure (codec) if there is none; `what` is as for check().
CodecHandle make_decoder(const AVCodecParameters& codec, const std::string& what);

/// A timestamp of libav.
Duration duration_of(std::int64_t ticks, AVRational time_base);

/// "stereo", "5.1"; a layout that states only the number of channels becomes the usual one with that number.
std::string layout_name(const AVChannelLayout& layout);

/// During its life, collects the complaints of libav in this thread: their first line tells more than an error code.
class LibavComplaints {
 public:
  LibavComplaints();
  ~LibavComplaints();
  LibavComplaints(const LibavComplaints&) = delete;
  LibavComplaints& operator=(const LibavComplaints&) = delete;

  /// To be called once, at the beginning of the program. From then on libav prints only fatal errors by itself.
  static void listen();
};

/// Counts the complaints of the decoder, in all its threads. To be called before the decoder is opened. The count must
/// outlive the decoder.
void count_complaints(AVCodecContext& decoder, std::atomic<std::uint64_t>& count);

/// Returns the result of a libav call, or throws Failure "what: the library's reason" if it is negative.
int check(int result, ExitCode blame, const std::string& what);

/// Options by name, for the calls that open something.
class Options {
 public:
  Options() = default;
  Options(const Options&) = delete;
  Options& operator=(const Options&) = delete;
  ~Options() { av_dict_free(&dictionary_); }

  void set(const std::string& key, const std::string& value) {
    av_dict_set(&dictionary_, key.c_str(), value.c_str(), 0);
  }
  AVDictionary** get() { return &dictionary_; }

 private:
  AVDictionary* dictionary_ = nullptr;
};

/// Throws Failure (codec) "what: ..." if the frame has another form than the encoder was opened for: libav would read
/// past the frame's end.
void expect_form(const AVCodecContext& encoder, const AVFrame& frame, const std::string& what);

/// Takes every packet that the encoder has ready: calls use(AVPacket&). A null frame ends the stream. Throws Failure
/// (codec), also for a frame of another form than the encoder was opened for.
template <typename Use>
void encode_frame(AVCodecContext& encoder, const AVFrame* frame, const std::string& what, Use use) {
  if (frame != nullptr) expect_form(encoder, *frame, what);
  check(avcodec_send_frame(&encoder, frame), ExitCode::kCodec, what);
  const PacketHandle packet = make_packet();
  for (;;) {
    const int result = avcodec_receive_packet(&encoder, packet.get());
    if (result == AVERROR(EAGAIN) || result == AVERROR_EOF) return;
    check(result, ExitCode::kCodec, what);
    use(*packet);
    av_packet_unref(packet.get());
  }
}

}  // namespace tributary::segmenter
