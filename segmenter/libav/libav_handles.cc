#include "segmenter/libav/libav_handles.hh"

extern "C" {
#include <libavutil/log.h>
#include <libavutil/pixdesc.h>
}

#include <fmt/format.h>

#include <array>
#include <cstdarg>
#include <cstdio>
#include <new>
#include <sstream>

#include "units/text/printed_text.hh"
#include "units/text/redacted_url.hh"

namespace tributary::segmenter {
namespace {

thread_local bool hears_complaints = false;
thread_local std::string first_complaint;

std::string sound_form(int samples, int rate, const AVChannelLayout& layout) {
  const char* const name = av_get_sample_fmt_name(static_cast<AVSampleFormat>(samples));
  return fmt::format("{}, {} Hz, {}", name == nullptr ? "unknown" : name, rate, layout_name(layout));
}

std::string picture_form(int pixels, int width, int height) {
  const char* const name = av_get_pix_fmt_name(static_cast<AVPixelFormat>(pixels));
  return fmt::format("{}, {}x{}", name == nullptr ? "unknown" : name, width, height);
}

/// The text with redacted addresses.
std::string without_secrets(const std::string& text) {
  std::istringstream words{text};
  std::string shown, word;
  while (words >> word) shown += (shown.empty() ? "" : " ") + (is_address(word) ? redacted(word) : word);
  return shown;
}

/// The counter of the decoder; null if `context` is no decoder, or its complaints are not counted.
std::atomic<std::uint64_t>* count_of(void* context) {
  if (context == nullptr || *static_cast<const AVClass**>(context) != avcodec_get_class()) return nullptr;
  return static_cast<std::atomic<std::uint64_t>*>(static_cast<AVCodecContext*>(context)->opaque);
}

void hear(void* context, int level, const char* format, std::va_list arguments) {
  if (level > AV_LOG_ERROR) return;
  if (auto* const count = count_of(context)) ++*count;
  if (level <= AV_LOG_FATAL) {
    std::array<char, 1024> line{};
    int begins_line = 1;
    av_log_format_line(context, level, format, arguments, line.data(), static_cast<int>(line.size()), &begins_line);
    return print_text(stderr, without_secrets(line.data()) + "\n");
  }
  if (!hears_complaints || !first_complaint.empty()) return;
  std::array<char, 256> line{};
  std::vsnprintf(line.data(), line.size(), format, arguments);
  first_complaint = without_secrets(line.data());
  first_complaint.erase(first_complaint.find_last_not_of(" .") + 1);
}

}  // namespace

LibavComplaints::LibavComplaints() { hears_complaints = true; }

LibavComplaints::~LibavComplaints() {
  hears_complaints = false;
  first_complaint.clear();
}

void LibavComplaints::listen() {
  av_log_set_level(AV_LOG_FATAL);
  av_log_set_callback(hear);
}

void count_complaints(AVCodecContext& decoder, std::atomic<std::uint64_t>& count) { decoder.opaque = &count; }

FrameHandle make_frame() {
  FrameHandle frame{av_frame_alloc()};
  if (!frame) throw std::bad_alloc{};
  return frame;
}

PacketHandle make_packet() {
  PacketHandle packet{av_packet_alloc()};
  if (!packet) throw std::bad_alloc{};
  return packet;
}

PacketHandle clone(const AVPacket& packet) {
  PacketHandle copy{av_packet_clone(&packet)};
  if (!copy) throw std::bad_alloc{};
  return copy;
}

ParametersHandle parameters_of(const AVCodecContext& codec) {
  ParametersHandle parameters{avcodec_parameters_alloc()};
  if (!parameters) throw std::bad_alloc{};
  check(avcodec_parameters_from_context(parameters.get(), &codec), ExitCode::kCodec, "cannot describe the stream");
  return parameters;
}

CodecHandle make_decoder(const AVCodecParameters& codec, const std::string& what) {
  const AVCodec* const found = avcodec_find_decoder(codec.codec_id);
  if (found == nullptr)
    throw Failure{ExitCode::kCodec,
                  fmt::format("this libavcodec was built without a decoder for {}", avcodec_get_name(codec.codec_id))};
  CodecHandle decoder{avcodec_alloc_context3(found)};
  if (!decoder) throw std::bad_alloc{};
  check(avcodec_parameters_to_context(decoder.get(), &codec), ExitCode::kCodec, what);
  return decoder;
}

Duration duration_of(std::int64_t ticks, AVRational time_base) {
  return Duration{av_rescale_q(ticks, time_base, {1, 1'000'000'000})};
}

std::string layout_name(const AVChannelLayout& layout) {
  AVChannelLayout usual{};
  if (layout.order == AV_CHANNEL_ORDER_UNSPEC) av_channel_layout_default(&usual, layout.nb_channels);
  std::array<char, 128> name{};
  const AVChannelLayout& named = usual.nb_channels > 0 ? usual : layout;
  check(av_channel_layout_describe(&named, name.data(), name.size()), ExitCode::kInput,
        "cannot read the layout of the sound");
  return name.data();
}

void expect_form(const AVCodecContext& encoder, const AVFrame& frame, const std::string& what) {
  const bool sound = encoder.codec_type == AVMEDIA_TYPE_AUDIO;
  const std::string opened = sound ? sound_form(encoder.sample_fmt, encoder.sample_rate, encoder.ch_layout)
                                   : picture_form(encoder.pix_fmt, encoder.width, encoder.height);
  const std::string given = sound ? sound_form(frame.format, frame.sample_rate, frame.ch_layout)
                                  : picture_form(frame.format, frame.width, frame.height);
  if (opened == given) return;
  throw Failure{ExitCode::kCodec,
                fmt::format("{}: the encoder was opened for {}, but is given {}", what, opened, given)};
}

int check(int result, ExitCode blame, const std::string& what) {
  if (result >= 0) return result;
  std::array<char, AV_ERROR_MAX_STRING_SIZE> reason{};
  av_strerror(result, reason.data(), reason.size());
  const std::string more = first_complaint.empty() ? "" : " (" + first_complaint + ")";
  throw Failure{blame, what + ": " + reason.data() + more};
}

}  // namespace tributary::segmenter
