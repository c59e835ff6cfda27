#include "segmenter/libav/input_decoder.hh"

extern "C" {
#include <libavutil/pixdesc.h>
}

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <thread>

#include "segmenter/libav/display_turn.hh"

namespace tributary::segmenter {
InputDecoder::InputDecoder(const std::string& input, SoundChoice sounds, const std::atomic<bool>& interrupted,
                           int picture_threads, const Patience& patience, Pace pace)
    : file_{input, interrupted, patience}, picture_threads_{picture_threads}, pace_{pace} {
  picture_stream_ = open_stream(AVMEDIA_TYPE_VIDEO);
  if (picture_stream_.index < 0) throw Failure{ExitCode::kInput, fmt::format("{} has no picture", file_.name())};
  open_sounds(sounds);
  std::vector<int> wanted{picture_stream_.index};
  for (const Stream& sound : sound_streams_) wanted.push_back(sound.index);
  file_.read_only(wanted);
  for (int i = 0; i < file_.streams() && sounds == SoundChoice::kNone; ++i) {
    if (file_.stream(i).codecpar->codec_type == AVMEDIA_TYPE_AUDIO) wanted.push_back(i);  // not left out, but unwanted
  }
  left_out_ = file_.left_out(wanted);

  const AVStream& picture = av_stream(picture_stream_);
  if (picture.start_time != AV_NOPTS_VALUE) picture_stream_.zero = picture.start_time;
  timeline_.emplace(file_.longest_hole(), av_rescale_q(picture_stream_.zero, picture.time_base, AV_TIME_BASE_Q));
  read_picture_format();
  for (Stream& sound : sound_streams_) {
    sound.zero = av_rescale_q(picture_stream_.zero, picture.time_base, av_stream(sound).time_base);
    sounds_.push_back(read_sound_format(sound));
  }
  if (pace_ == Pace::kOfSource) begin_in_time();
}

void InputDecoder::begin_in_time() {
  sender_.emplace(file_, picture_stream_.index);
  if (!sender_->first_shown()) return;
  picture_stream_.zero = *sender_->first_shown();
  for (Stream& sound : sound_streams_)
    sound.zero = av_rescale_q(picture_stream_.zero, av_stream(picture_stream_).time_base, av_stream(sound).time_base);
}

std::vector<Chapter> InputDecoder::chapters() const {
  return file_.chapters(duration_of(picture_stream_.zero, av_stream(picture_stream_).time_base));
}

void InputDecoder::open_sounds(SoundChoice choice) {
  if (choice == SoundChoice::kNone) return;
  Stream best = open_stream(AVMEDIA_TYPE_AUDIO);
  if (best.index < 0) return;
  const int best_index = best.index;
  sound_streams_.push_back(std::move(best));
  if (choice == SoundChoice::kBest) return;
  for (int i = 0; i < file_.streams(); ++i) {
    const AVCodecParameters& parameters = *file_.stream(i).codecpar;
    if (parameters.codec_type != AVMEDIA_TYPE_AUDIO || i == best_index) continue;
    const AVCodec* const codec = avcodec_find_decoder(parameters.codec_id);
    if (codec == nullptr || parameters.sample_rate <= 0) continue;
    sound_streams_.push_back(open_decoder(i, *codec));
  }
}

InputDecoder::Stream InputDecoder::open_stream(AVMediaType type) {
  const AVCodec* codec = nullptr;
  const int related = type == AVMEDIA_TYPE_AUDIO ? picture_stream_.index : -1;
  const int index = file_.best_stream(type, related, &codec);
  if (index < 0 || codec == nullptr) return {};
  return open_decoder(index, *codec);
}

/// Each thread of a decoder but one holds a picture back, so a source that is shown live gets as few as keep up.
int InputDecoder::threads_in_time(const AVStream& stream) {
  constexpr double kOfOneThread = 1920.0 * 1088 * 60;  // pixels a second; half of what HEVC takes
  const AVRational rate = stream.avg_frame_rate.num > 0 ? stream.avg_frame_rate : AVRational{kUsualFastest, 1};
  const double pixels = av_q2d(rate) * stream.codecpar->width * stream.codecpar->height;
  const auto cores = static_cast<double>(std::max(1U, std::thread::hardware_concurrency()));
  return static_cast<int>(std::clamp(std::ceil(pixels / kOfOneThread), 1.0, cores));
}

InputDecoder::Stream InputDecoder::open_decoder(int index, const AVCodec& codec) {
  const AVStream& stream = file_.stream(index);
  const AVMediaType type = stream.codecpar->codec_type;
  CodecHandle decoder{avcodec_alloc_context3(&codec)};
  if (!decoder) throw std::bad_alloc{};
  const std::string what = fmt::format("cannot decode the {} in {}", av_get_media_type_string(type), file_.name());
  check(avcodec_parameters_to_context(decoder.get(), stream.codecpar), ExitCode::kInput, what);
  decoder->pkt_timebase = stream.time_base;
  decoder->thread_count = type == AVMEDIA_TYPE_VIDEO ? picture_threads_ : 1;
  if (type == AVMEDIA_TYPE_VIDEO && pace_ == Pace::kOfSource) decoder->thread_count = threads_in_time(stream);
  auto complaints = std::make_unique<std::atomic<std::uint64_t>>(0);
  count_complaints(*decoder, *complaints);
  check(avcodec_open2(decoder.get(), &codec, nullptr), ExitCode::kInput, what);
  return {index, std::move(complaints), std::move(decoder), 0, {}, false};
}

void InputDecoder::read_picture_format() {
  const AVStream& stream = av_stream(picture_stream_);
  const AVCodecParameters& codec = *stream.codecpar;
  picture_.stored = {codec.width, codec.height};
  picture_.pixels = static_cast<AVPixelFormat>(codec.format);
  if (codec.width <= 0 || codec.height <= 0 || picture_.pixels == AV_PIX_FMT_NONE) {
    file_.read(*packet_);  // throws the true reason if the file is encrypted
    const char* const why = file_.comes_once() ? ", and cannot be read from its end: name the file, if it is one" : "";
    throw Failure{ExitCode::kInput, fmt::format("{} does not say what its pictures are like{}", file_.name(), why)};
  }
  picture_.pixel_aspect = file_.pixel_aspect(picture_stream_.index);
  picture_.quarter_turns = quarter_turns_of(stream);
  picture_.shown = {static_cast<int>(std::lround(codec.width * av_q2d(picture_.pixel_aspect))), codec.height};
  if (picture_.quarter_turns % 2 != 0) std::swap(picture_.shown.width, picture_.shown.height);
  read_colors(codec);
  picture_.stated_rate = file_.stated_rate(picture_stream_.index);
  picture_.rate = choose_picture_rate(picture_.stated_rate, kUsualFastest).rate;
  picture_.time_base = stream.time_base;
  picture_.codec = codec.codec_id;
  picture_.data_rate = file_.data_rate(picture_stream_.index);
}

void InputDecoder::read_colors(const AVCodecParameters& codec) {
  if (codec.color_trc == AVCOL_TRC_SMPTE2084 || codec.color_trc == AVCOL_TRC_ARIB_STD_B67) {
    picture_.high_dynamic_range = codec.color_trc;
    picture_.colors = {AVCOL_PRI_BT709, AVCOL_TRC_BT709, AVCOL_SPC_BT709};
    return;
  }
  const bool is_rgb = (av_pix_fmt_desc_get(picture_.pixels)->flags & AV_PIX_FMT_FLAG_RGB) != 0;
  picture_.colors = complete_colors(
      {codec.color_primaries, codec.color_trc, is_rgb ? AVCOL_SPC_BT709 : codec.color_space}, picture_.stored);
}

SoundFormat InputDecoder::read_sound_format(Stream& sound) {
  const AVStream& stream = av_stream(sound);
  AVCodecContext& decoder = *sound.decoder;
  if (decoder.ch_layout.order == AV_CHANNEL_ORDER_UNSPEC) {
    av_channel_layout_default(&decoder.ch_layout, decoder.ch_layout.nb_channels);
  }
  return {decoder.sample_fmt,       decoder.sample_rate, layout_name(decoder.ch_layout), decoder.ch_layout.nb_channels,
          file_.label(sound.index), stream.time_base};
}

std::optional<Decoded> InputDecoder::next() {
  do {
    if (AVFrame* frame = receive(picture_stream_)) return Decoded{Decoded::Kind::kPicture, 0, frame};
    for (std::size_t i = 0; i < sound_streams_.size(); ++i) {
      if (AVFrame* frame = receive(sound_streams_[i])) return Decoded{Decoded::Kind::kSound, i, frame};
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
      ++damage_.packets;
      *stream.complaints = 0;
      continue;
    }
    if ((frame_->flags & AV_FRAME_FLAG_CORRUPT) != 0 || frame_->decode_error_flags != 0) ++*stream.complaints;
    frame_->pts = frame_->best_effort_timestamp;
    if (frame_->pts != AV_NOPTS_VALUE) frame_->pts -= stream.zero;
    if (&stream == &picture_stream_ && start_.packet > 0) {
      // Pictures that follow a keyframe but are shown before it may need pictures from before the keyframe.
      if (!started_ && frame_->pts != AV_NOPTS_VALUE && frame_->pts < start_.time) continue;
      if (!started_) check_start(*frame_);
    }
    frame_->pict_type = AV_PICTURE_TYPE_NONE;  // or the encoder would take over the source's picture types
    return frame_.get();
  }
}

void InputDecoder::check_start(const AVFrame& frame) {
  started_ = true;
  if (frame.pts != start_.time || frame.pict_type != AV_PICTURE_TYPE_I || (frame.flags & AV_FRAME_FLAG_CORRUPT) != 0)
    throw NoStartThere{};
}

bool InputDecoder::is_wanted(const AVPacket& packet) {
  if (packet.stream_index != picture_stream_.index) return !without_sound_ && picture_packets_ >= sound_from_;
  if ((packet.flags & AV_PKT_FLAG_KEY) != 0 && packet.pts != AV_NOPTS_VALUE)
    last_start_ = {picture_packets_, packet.pts - picture_stream_.zero};
  return picture_packets_++ >= start_.packet;
}

PictureStarts InputDecoder::find_starts() {
  PictureStarts found;
  bool every_time_is_known = true;
  std::int64_t decoded = std::numeric_limits<std::int64_t>::min();
  while (read_packet()) {
    const AVPacket& packet = *packet_;
    if (packet.stream_index == picture_stream_.index) {
      const bool changes = av_packet_get_side_data(&packet, AV_PKT_DATA_NEW_EXTRADATA, nullptr) != nullptr ||
                           av_packet_get_side_data(&packet, AV_PKT_DATA_PARAM_CHANGE, nullptr) != nullptr;
      if (packet.pts == AV_NOPTS_VALUE || packet.dts == AV_NOPTS_VALUE || packet.dts <= decoded ||
          (changes && picture_packets_ > 0)) {
        found.exact = false;
      }
      if (packet.dts != AV_NOPTS_VALUE) decoded = packet.dts;
      every_time_is_known = every_time_is_known && packet.pts != AV_NOPTS_VALUE;
      if (packet.pts != AV_NOPTS_VALUE) {
        const std::int64_t time = av_sat_sub64(packet.pts, picture_stream_.zero);
        found.end = std::max(found.end, av_sat_add64(time, packet.duration));
        if (time >= 0 && (packet.flags & AV_PKT_FLAG_DISCARD) == 0) found.times.push_back(time);
        if ((packet.flags & AV_PKT_FLAG_KEY) != 0) found.starts.push_back({picture_packets_, time});
      }
      ++picture_packets_;
    }
    av_packet_unref(packet_.get());
  }
  if (!every_time_is_known) found.times.clear();
  std::sort(found.times.begin(), found.times.end());
  return found;
}

std::optional<PictureStart> PictureStarts::before(std::int64_t time) const {
  if (!exact) return std::nullopt;
  std::optional<PictureStart> best;
  for (const PictureStart& start : starts) {
    if (start.time <= time && start.packet > 0) best = start;
  }
  return best;
}

bool InputDecoder::feed() {
  const auto has_ended = [](const Stream& stream) { return stream.ended; };
  if (picture_stream_.ended && std::all_of(sound_streams_.begin(), sound_streams_.end(), has_ended)) return false;
  if (!read_packet()) {
    send(picture_stream_, nullptr);
    for (Stream& sound : sound_streams_) send(sound, nullptr);
    return true;
  }
  if (!is_wanted(*packet_)) {
    av_packet_unref(packet_.get());
    return true;
  }
  if (packet_->stream_index == picture_stream_.index) send(picture_stream_, packet_.get());
  for (Stream& sound : sound_streams_) {
    if (packet_->stream_index == sound.index) send(sound, packet_.get());
  }
  av_packet_unref(packet_.get());
  return true;
}

bool InputDecoder::read_packet() {
  if (sender_) return sender_->read(*packet_);
  if (!file_.read(*packet_)) return false;
  make_continuous();
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
  // The decoder has room, because all frames were taken before. So a packet that it refuses is damaged.
  const int result = avcodec_send_packet(stream.decoder.get(), packet);
  if (result == AVERROR(ENOMEM)) throw std::bad_alloc{};
  const bool refused = result < 0 && result != AVERROR_EOF;
  if (refused) ++damage_.packets;
  const bool complained = stream.complaints->exchange(0) > 0;
  if (packet == nullptr) {
    if (complained) damage_.conceal(stream.sent);
    return;
  }
  if (packet->pts != AV_NOPTS_VALUE) {
    const double seconds = static_cast<double>(packet->pts - stream.zero) * av_q2d(av_stream(stream).time_base);
    stream.sent = from_seconds(std::max(0.0, seconds));
  }
  // If decoding begins in the middle, the decoder first complains of missing pictures, which are no damage.
  const bool has_begun = &stream != &picture_stream_ || start_.packet == 0 || started_;
  if (!refused && has_begun && (complained || (packet->flags & AV_PKT_FLAG_CORRUPT) != 0)) damage_.conceal(stream.sent);
}

std::optional<std::chrono::steady_clock::time_point> InputDecoder::first_came() const {
  if (!sender_) return std::nullopt;
  return sender_->came(av_rescale_q(picture_stream_.zero, av_stream(picture_stream_).time_base, AV_TIME_BASE_Q));
}

SourceDamage InputDecoder::damage() const {
  SourceDamage damage = damage_;
  const auto add = [&](const Stream& stream) {
    if (stream.complaints && *stream.complaints > 0) damage.conceal(stream.sent);
  };
  add(picture_stream_);
  for (const Stream& sound : sound_streams_) add(sound);
  return damage;
}

}  // namespace tributary::segmenter
