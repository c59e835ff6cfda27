#include "segmenter/input_decoder.hh"

extern "C" {
#include <libavdevice/avdevice.h>
#include <libavutil/display.h>
#include <libavutil/pixdesc.h>
}

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <utility>

namespace tributary::segmenter {
namespace {

/// What libavformat is to open, and how.
struct Source {
  std::string url;
  const char* format = nullptr;  // nothing: it finds out
  bool listen = false;
};

/// "file:" keeps a name such as "a:b.mp4" from being taken for a protocol.
Source source_of(const std::string& input) {
  constexpr std::array<std::pair<std::string_view, const char*>, 3> kDevices{
      {{"lavfi:", "lavfi"}, {"v4l2:", "v4l2"}, {"x11:", "x11grab"}}};
  if (input == "-") return {"pipe:0"};
  for (const auto& [prefix, format] : kDevices) {
    if (input.starts_with(prefix)) return {input.substr(prefix.size()), format};
  }
  std::error_code error;
  if (std::filesystem::exists(input, error)) return {"file:" + input};
  return {input, nullptr, input.starts_with("rtmp://")};
}

int stop_when_interrupted(void* flag) { return static_cast<const std::atomic<bool>*>(flag)->load() ? 1 : 0; }

/// Quarter turns clockwise that show the stream upright (telephones store pictures lying on their side).
int quarter_turns_of(const AVStream& stream) {
  const auto* matrix = av_stream_get_side_data(&stream, AV_PKT_DATA_DISPLAYMATRIX, nullptr);
  if (matrix == nullptr) return 0;
  const double counterclockwise = av_display_rotation_get(reinterpret_cast<const std::int32_t*>(matrix));
  if (std::isnan(counterclockwise)) return 0;
  return (4 - static_cast<int>(std::lround(counterclockwise / 90)) % 4) % 4;
}

FrameRate frame_rate_of(AVRational rate) { return {rate.num, rate.den}; }

/// Whether it can stand in a manifest: the characters of BCP 47, "nb", "nob", "pt-BR".
bool is_language_tag(std::string_view text) {
  const auto may_stand_in_it = [](char c) {
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
  };
  return !text.empty() && std::all_of(text.begin(), text.end(), may_stand_in_it);
}

std::string language_of(const AVStream& stream) {
  const AVDictionaryEntry* entry = av_dict_get(stream.metadata, "language", nullptr, 0);
  const std::string_view language = entry == nullptr ? "" : entry->value;
  return language == "und" || !is_language_tag(language) ? "" : std::string{language};
}

}  // namespace

InputDecoder::InputDecoder(const std::string& input, bool want_sound, const std::atomic<bool>& interrupted)
    : name_{input == "-" ? "standard input" : input}, interrupted_{interrupted} {
  open(input);
  picture_stream_ = open_stream(AVMEDIA_TYPE_VIDEO);
  if (picture_stream_.index < 0) throw Failure{ExitCode::kInput, fmt::format("{} has no picture", name_)};
  if (want_sound) sound_stream_ = open_stream(AVMEDIA_TYPE_AUDIO);
  for (unsigned i = 0; i < format_->nb_streams; ++i) {
    const int index = static_cast<int>(i);
    if (index != picture_stream_.index && index != sound_stream_.index)
      format_->streams[i]->discard = AVDISCARD_ALL;
  }

  const AVStream& picture = av_stream(picture_stream_);
  if (picture.start_time != AV_NOPTS_VALUE) picture_stream_.zero = picture.start_time;
  read_picture_format();
  if (sound_stream_.index < 0) return;
  sound_stream_.zero =
      av_rescale_q(picture_stream_.zero, picture.time_base, av_stream(sound_stream_).time_base);
  read_sound_format();
}

void InputDecoder::open(const std::string& input) {
  AVFormatContext* context = avformat_alloc_context();
  if (context == nullptr) throw std::bad_alloc{};
  context->interrupt_callback = {stop_when_interrupted, const_cast<std::atomic<bool>*>(&interrupted_)};
  // A context that could not be opened is freed by the call.
  const Source source = source_of(input);
  Options options;
  if (source.listen) options.set("listen", "1");
  const AVInputFormat* format = nullptr;
  if (source.format != nullptr) {
    avdevice_register_all();
    format = av_find_input_format(source.format);
    if (format == nullptr) {
      avformat_free_context(context);
      throw Failure{ExitCode::kInput,
                    fmt::format("cannot open {}: this libavdevice has no {}", name_, source.format)};
    }
  }
  const int opened = avformat_open_input(&context, source.url.c_str(), format, options.get());
  stop_if_interrupted();
  check(opened, ExitCode::kInput, "cannot open " + name_);
  format_.reset(context);
  const int examined = avformat_find_stream_info(format_.get(), nullptr);
  stop_if_interrupted();
  check(examined, ExitCode::kInput, "cannot read " + name_);
}

InputDecoder::Stream InputDecoder::open_stream(AVMediaType type) {
  const AVCodec* codec = nullptr;
  const int related = type == AVMEDIA_TYPE_AUDIO ? picture_stream_.index : -1;
  const int index = av_find_best_stream(format_.get(), type, -1, related, &codec, 0);
  if (index < 0 || codec == nullptr) return {};
  const AVStream& stream = *format_->streams[index];
  if ((stream.disposition & AV_DISPOSITION_ATTACHED_PIC) != 0) return {};  // a cover, not a film
  CodecHandle decoder{avcodec_alloc_context3(codec)};
  if (!decoder) throw std::bad_alloc{};
  const std::string what = fmt::format("cannot decode the {} in {}", av_get_media_type_string(type), name_);
  check(avcodec_parameters_to_context(decoder.get(), stream.codecpar), ExitCode::kInput, what);
  decoder->pkt_timebase = stream.time_base;
  decoder->thread_count = type == AVMEDIA_TYPE_VIDEO ? 0 : 1;  // 0: as many as there are cores
  check(avcodec_open2(decoder.get(), codec, nullptr), ExitCode::kInput, what);
  return {index, std::move(decoder), 0, false};
}

void InputDecoder::read_picture_format() {
  AVStream& stream = av_stream(picture_stream_);
  const AVCodecParameters& codec = *stream.codecpar;
  picture_.stored = {codec.width, codec.height};
  picture_.pixels = static_cast<AVPixelFormat>(codec.format);
  if (codec.width <= 0 || codec.height <= 0 || picture_.pixels == AV_PIX_FMT_NONE) {
    throw Failure{ExitCode::kInput, fmt::format("{} does not say what its pictures are like", name_)};
  }
  const AVRational aspect = av_guess_sample_aspect_ratio(format_.get(), &stream, nullptr);
  if (aspect.num > 0 && aspect.den > 0) picture_.pixel_aspect = aspect;
  picture_.quarter_turns = quarter_turns_of(stream);
  picture_.shown = {static_cast<int>(std::lround(codec.width * av_q2d(picture_.pixel_aspect))), codec.height};
  if (picture_.quarter_turns % 2 != 0) std::swap(picture_.shown.width, picture_.shown.height);
  picture_.primaries = codec.color_primaries;
  picture_.transfer = codec.color_trc;
  // RGB becomes YCbCr with whatever matrix the scaler takes by default.
  if (codec.color_space != AVCOL_SPC_RGB) picture_.matrix = codec.color_space;
  picture_.rate = constant_rate(frame_rate_of(stream.avg_frame_rate), frame_rate_of(stream.r_frame_rate));
  picture_.time_base = stream.time_base;
}

void InputDecoder::read_sound_format() {
  const AVStream& stream = av_stream(sound_stream_);
  AVCodecContext& decoder = *sound_stream_.decoder;
  if (decoder.ch_layout.order == AV_CHANNEL_ORDER_UNSPEC) {
    av_channel_layout_default(&decoder.ch_layout, decoder.ch_layout.nb_channels);
  }
  std::array<char, 128> layout{};
  check(av_channel_layout_describe(&decoder.ch_layout, layout.data(), layout.size()), ExitCode::kInput,
        "cannot read the sound in " + name_);
  sound_ = SoundFormat{decoder.sample_fmt,  decoder.sample_rate, layout.data(), decoder.ch_layout.nb_channels,
                       language_of(stream), stream.time_base};
}

std::optional<Duration> InputDecoder::duration() const {
  if (format_->duration == AV_NOPTS_VALUE || format_->duration <= 0) return std::nullopt;
  return Duration{std::chrono::microseconds{format_->duration}};
}

std::optional<Decoded> InputDecoder::next() {
  do {
    if (AVFrame* frame = receive(picture_stream_)) return Decoded{Decoded::Kind::kPicture, frame};
    if (sound_stream_.index >= 0) {
      if (AVFrame* frame = receive(sound_stream_)) return Decoded{Decoded::Kind::kSound, frame};
    }
  } while (feed());
  return std::nullopt;
}

AVFrame* InputDecoder::receive(Stream& stream) {
  for (;;) {
    const int result = avcodec_receive_frame(stream.decoder.get(), frame_.get());
    if (result == AVERROR(EAGAIN)) return nullptr;
    if (result == AVERROR_EOF) {
      stream.ended = true;
      return nullptr;
    }
    if (result == AVERROR(ENOMEM)) throw std::bad_alloc{};
    if (result < 0) {
      ++damaged_;
      continue;
    }
    frame_->pts = frame_->best_effort_timestamp;
    if (frame_->pts != AV_NOPTS_VALUE) frame_->pts -= stream.zero;
    frame_->pict_type = AV_PICTURE_TYPE_NONE;  // how it was coded there is nothing to us
    return frame_.get();
  }
}

void InputDecoder::stop_if_interrupted() const {
  if (interrupted_) throw Failure{ExitCode::kInterrupted, "interrupted"};
}

bool InputDecoder::feed() {
  if (picture_stream_.ended && (sound_stream_.index < 0 || sound_stream_.ended)) return false;
  const int result = av_read_frame(format_.get(), packet_.get());
  stop_if_interrupted();
  if (result == AVERROR_EOF) {
    send(picture_stream_, nullptr);
    if (sound_stream_.index >= 0) send(sound_stream_, nullptr);
    return true;
  }
  check(result, ExitCode::kInput, "cannot read " + name_);
  if (packet_->stream_index == picture_stream_.index) send(picture_stream_, packet_.get());
  if (packet_->stream_index == sound_stream_.index) send(sound_stream_, packet_.get());
  av_packet_unref(packet_.get());
  return true;
}

void InputDecoder::send(Stream& stream, const AVPacket* packet) {
  // All frames were taken before, so that the decoder has room; what it refuses is damaged.
  const int result = avcodec_send_packet(stream.decoder.get(), packet);
  if (result == AVERROR(ENOMEM)) throw std::bad_alloc{};
  if (result < 0 && result != AVERROR_EOF) ++damaged_;
}

}  // namespace tributary::segmenter
