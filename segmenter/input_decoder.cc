#include "segmenter/input_decoder.hh"

extern "C" {
#include <libavutil/display.h>
#include <libavutil/pixdesc.h>
}

#include <fmt/format.h>

#include <cmath>

namespace tributary::segmenter {
namespace {

/// Quarter turns clockwise that show the stream upright (telephones store pictures lying on their side).
int quarter_turns_of(const AVStream& stream) {
  const auto* matrix = av_stream_get_side_data(&stream, AV_PKT_DATA_DISPLAYMATRIX, nullptr);
  if (matrix == nullptr) return 0;
  const double counterclockwise = av_display_rotation_get(reinterpret_cast<const std::int32_t*>(matrix));
  if (std::isnan(counterclockwise)) return 0;
  return (4 - static_cast<int>(std::lround(counterclockwise / 90)) % 4) % 4;
}

}  // namespace

InputDecoder::InputDecoder(const std::string& input, bool want_sound, const std::atomic<bool>& interrupted)
    : file_{input, interrupted} {
  picture_stream_ = open_stream(AVMEDIA_TYPE_VIDEO);
  if (picture_stream_.index < 0)
    throw Failure{ExitCode::kInput, fmt::format("{} has no picture", file_.name())};
  if (want_sound) sound_stream_ = open_stream(AVMEDIA_TYPE_AUDIO);
  file_.read_only(picture_stream_.index, sound_stream_.index);

  const AVStream& picture = av_stream(picture_stream_);
  if (picture.start_time != AV_NOPTS_VALUE) picture_stream_.zero = picture.start_time;
  timeline_.emplace(file_.longest_hole(), av_rescale_q(picture_stream_.zero, picture.time_base, AV_TIME_BASE_Q));
  read_picture_format();
  if (sound_stream_.index < 0) return;
  sound_stream_.zero =
      av_rescale_q(picture_stream_.zero, picture.time_base, av_stream(sound_stream_).time_base);
  read_sound_format();
}

InputDecoder::Stream InputDecoder::open_stream(AVMediaType type) {
  const AVCodec* codec = nullptr;
  const int related = type == AVMEDIA_TYPE_AUDIO ? picture_stream_.index : -1;
  const int index = file_.best_stream(type, related, &codec);
  if (index < 0 || codec == nullptr) return {};
  const AVStream& stream = file_.stream(index);
  CodecHandle decoder{avcodec_alloc_context3(codec)};
  if (!decoder) throw std::bad_alloc{};
  const std::string what =
      fmt::format("cannot decode the {} in {}", av_get_media_type_string(type), file_.name());
  check(avcodec_parameters_to_context(decoder.get(), stream.codecpar), ExitCode::kInput, what);
  decoder->pkt_timebase = stream.time_base;
  decoder->thread_count = type == AVMEDIA_TYPE_VIDEO ? 0 : 1;  // 0: as many as there are cores
  check(avcodec_open2(decoder.get(), codec, nullptr), ExitCode::kInput, what);
  return {index, std::move(decoder), 0, false};
}

void InputDecoder::read_picture_format() {
  const AVStream& stream = av_stream(picture_stream_);
  const AVCodecParameters& codec = *stream.codecpar;
  picture_.stored = {codec.width, codec.height};
  picture_.pixels = static_cast<AVPixelFormat>(codec.format);
  if (codec.width <= 0 || codec.height <= 0 || picture_.pixels == AV_PIX_FMT_NONE) {
    throw Failure{ExitCode::kInput, fmt::format("{} does not say what its pictures are like", file_.name())};
  }
  picture_.pixel_aspect = file_.pixel_aspect(picture_stream_.index);
  picture_.quarter_turns = quarter_turns_of(stream);
  picture_.shown = {static_cast<int>(std::lround(codec.width * av_q2d(picture_.pixel_aspect))), codec.height};
  if (picture_.quarter_turns % 2 != 0) std::swap(picture_.shown.width, picture_.shown.height);
  picture_.interlaced = codec.field_order > AV_FIELD_PROGRESSIVE;
  read_colors(codec);
  picture_.rate = file_.frame_rate(picture_stream_.index);
  picture_.time_base = stream.time_base;
}

void InputDecoder::read_colors(const AVCodecParameters& codec) {
  picture_.primaries = codec.color_primaries;
  picture_.transfer = codec.color_trc;
  picture_.matrix = codec.color_space;
  if (codec.color_trc == AVCOL_TRC_SMPTE2084 || codec.color_trc == AVCOL_TRC_ARIB_STD_B67) {
    picture_.high_dynamic_range = codec.color_trc;
    picture_.primaries = AVCOL_PRI_BT709;
    picture_.transfer = AVCOL_TRC_BT709;
    picture_.matrix = AVCOL_SPC_BT709;
  } else if ((av_pix_fmt_desc_get(picture_.pixels)->flags & AV_PIX_FMT_FLAG_RGB) != 0) {
    picture_.matrix = AVCOL_SPC_BT709;
  }
}

void InputDecoder::read_sound_format() {
  const AVStream& stream = av_stream(sound_stream_);
  AVCodecContext& decoder = *sound_stream_.decoder;
  if (decoder.ch_layout.order == AV_CHANNEL_ORDER_UNSPEC) {
    av_channel_layout_default(&decoder.ch_layout, decoder.ch_layout.nb_channels);
  }
  sound_ = SoundFormat{decoder.sample_fmt,
                       decoder.sample_rate,
                       layout_name(decoder.ch_layout),
                       decoder.ch_layout.nb_channels,
                       file_.language(sound_stream_.index),
                       stream.time_base};
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

bool InputDecoder::feed() {
  if (picture_stream_.ended && (sound_stream_.index < 0 || sound_stream_.ended)) return false;
  if (!file_.read(*packet_)) {
    send(picture_stream_, nullptr);
    if (sound_stream_.index >= 0) send(sound_stream_, nullptr);
    return true;
  }
  make_continuous();
  if (packet_->stream_index == picture_stream_.index) send(picture_stream_, packet_.get());
  if (packet_->stream_index == sound_stream_.index) send(sound_stream_, packet_.get());
  av_packet_unref(packet_.get());
  return true;
}

void InputDecoder::make_continuous() {
  const std::int64_t time = packet_->dts != AV_NOPTS_VALUE ? packet_->dts : packet_->pts;
  if (time == AV_NOPTS_VALUE) return;
  const AVRational time_base = file_.stream(packet_->stream_index).time_base;
  const std::int64_t shift =
      av_rescale_q(timeline_->shift(packet_->stream_index, av_rescale_q(time, time_base, AV_TIME_BASE_Q),
                                    av_rescale_q(packet_->duration, time_base, AV_TIME_BASE_Q)),
                   AV_TIME_BASE_Q, time_base);
  if (packet_->dts != AV_NOPTS_VALUE) packet_->dts += shift;
  if (packet_->pts != AV_NOPTS_VALUE) packet_->pts += shift;
}

void InputDecoder::send(Stream& stream, const AVPacket* packet) {
  // All frames were taken before, so that the decoder has room; what it refuses is damaged.
  const int result = avcodec_send_packet(stream.decoder.get(), packet);
  if (result == AVERROR(ENOMEM)) throw std::bad_alloc{};
  if (result < 0 && result != AVERROR_EOF) ++damaged_;
}

}  // namespace tributary::segmenter
