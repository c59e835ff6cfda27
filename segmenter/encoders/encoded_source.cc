#include "segmenter/encoders/encoded_source.hh"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>

namespace tributary::segmenter {
namespace {

constexpr AVRational kMicroseconds{1, 1000000};
constexpr int kAacFrame = 1024;
constexpr int kHighestSampleRate = 65535;  // the limit of a sample entry (ISO/IEC 14496-12 section 12.2.3)

bool is_known_picture(AVCodecID codec) {
  return codec == AV_CODEC_ID_H264 || codec == AV_CODEC_ID_HEVC || codec == AV_CODEC_ID_AV1;
}

/// If the rate varies, a likely one, so that a later error can name the misplaced picture.
FrameRate constant_rate_of(const StatedRate& stated) {
  return constant_rate(stated.average, stated.base).value_or(choose_picture_rate(stated, kUsualFastest).rate);
}

[[noreturn]] void refuse(const std::string& file, const std::string& why) {
  throw Failure{ExitCode::kCodec, file + ": " + why};
}

}  // namespace

EncodedSource::EncodedSource(const std::string& input, bool want_sound, const std::atomic<bool>& interrupted)
    : file_{input, interrupted} {
  picture_stream_ = file_.best_stream(AVMEDIA_TYPE_VIDEO, -1, nullptr);
  if (picture_stream_ >= 0) open_picture();
  if (want_sound) open_sounds();
  if (!picture_ && sounds_.empty()) {
    throw Failure{ExitCode::kInput, fmt::format("{} has no picture{}", name(), want_sound ? " and no sound" : "")};
  }
  file_.read_only(packed_streams());
  std::vector<int> not_missed = packed_streams();
  for (int i = 0; i < file_.streams() && !want_sound; ++i) {
    if (file_.stream(i).codecpar->codec_type == AVMEDIA_TYPE_AUDIO) not_missed.push_back(i);
  }
  left_out_ = file_.left_out(not_missed);
  find_beginning();
}

void EncodedSource::open_picture() {
  const AVStream& stream = file_.stream(picture_stream_);
  const AVCodecParameters& codec = *stream.codecpar;
  if (!is_known_picture(codec.codec_id)) {
    refuse(name(), fmt::format("its picture is {}, but segments hold H.264, HEVC or AV1; encode it",
                               avcodec_get_name(codec.codec_id)));
  }
  if (codec.width <= 0 || codec.height <= 0 || codec.extradata_size == 0) {
    refuse(name(), "does not say what its pictures are like");
  }
  picture_ = EncodedPicture{&stream, &codec, constant_rate_of(file_.stated_rate(picture_stream_)),
                            std::max(0, codec.video_delay)};
}

void EncodedSource::open_sounds() {
  const int best = file_.best_stream(AVMEDIA_TYPE_AUDIO, picture_stream_, nullptr);
  if (best < 0) return;
  std::vector<int> streams{best};
  for (int i = 0; i < file_.streams(); ++i) {
    if (file_.stream(i).codecpar->codec_type == AVMEDIA_TYPE_AUDIO && i != best) streams.push_back(i);
  }
  for (const int stream : streams) {
    if (file_.stream(stream).codecpar->codec_id == AV_CODEC_ID_AAC) sounds_.push_back(open_sound(stream));
  }
  if (!sounds_.empty()) return;
  refuse(name(), fmt::format("its sound is {}, but segments hold AAC; encode it, or leave it out with --audio none",
                             avcodec_get_name(file_.stream(best).codecpar->codec_id)));
}

EncodedSource::Sound EncodedSource::open_sound(int stream) {
  const AVCodecParameters& codec = *file_.stream(stream).codecpar;
  if (codec.sample_rate <= 0 || codec.sample_rate > kHighestSampleRate || codec.ch_layout.nb_channels <= 0) {
    refuse(name(), fmt::format("its sound has {} Hz and {} channels, which cannot be packed", codec.sample_rate,
                               codec.ch_layout.nb_channels));
  }
  Sound sound{stream,
              {&codec, codec.frame_size > 0 ? codec.frame_size : kAacFrame, file_.label(stream)},
              nullptr,
              codec.extradata_size > 0};
  if (sound.has_headers) return sound;
  AVBSFContext* filter = nullptr;
  const AVBitStreamFilter* const kind = av_bsf_get_by_name("aac_adtstoasc");
  if (kind == nullptr || av_bsf_alloc(kind, &filter) < 0) refuse(name(), "ADTS headers of the sound cannot be removed");
  sound.adts_filter.reset(filter);
  check(avcodec_parameters_copy(filter->par_in, &codec), ExitCode::kCodec, name());
  filter->time_base_in = file_.stream(stream).time_base;
  check(av_bsf_init(filter), ExitCode::kCodec, name());
  return sound;
}

std::vector<int> EncodedSource::packed_streams() const {
  std::vector<int> streams{picture_stream_};
  for (const Sound& sound : sounds_) streams.push_back(sound.stream);
  return streams;
}

void EncodedSource::find_beginning() {
  bool has_zero = false;
  const auto has_headers = [](const Sound& sound) { return sound.has_headers; };
  while ((!has_zero || !std::all_of(sounds_.begin(), sounds_.end(), has_headers)) && read(*packet_)) {
    Sound* const sound = sound_of(*packet_);
    if (sound != nullptr) sound->has_headers = true;
    if (sound == nullptr && !has_zero) {
      has_zero = begin_at(*packet_);
      if (!has_zero) {
        av_packet_unref(packet_.get());
        continue;
      }
    }
    if (!picture_ && !has_zero) {
      const AVStream& stream = file_.stream(sounds_[0].stream);
      zero_us_ =
          stream.start_time == AV_NOPTS_VALUE ? 0 : av_rescale_q(stream.start_time, stream.time_base, kMicroseconds);
      has_zero = true;
    }
    read_ahead_.push_back(clone(*packet_));
    av_packet_unref(packet_.get());
  }
  if (!has_zero) throw Failure{ExitCode::kInput, name() + " has no keyframe"};
  // Drops sounds that are announced but have no packets.
  std::erase_if(sounds_, [&](const Sound& sound) { return !has_headers(sound); });
  file_.read_only(packed_streams());
}

bool EncodedSource::begin_at(const AVPacket& picture) {
  const RandomAccess access = random_access_of(picture, *picture_->codec);
  // H.264 can be played from its beginning everywhere only if it begins with an IDR picture.
  const bool begins =
      access == RandomAccess::kSync || (access == RandomAccess::kOpen && picture_->codec->codec_id == AV_CODEC_ID_HEVC);
  if (!begins || picture.pts == AV_NOPTS_VALUE) return false;
  const AVRational base = file_.stream(picture_stream_).time_base;
  zero_us_ = av_rescale_q(picture.pts, base, kMicroseconds);
  if (picture.dts != AV_NOPTS_VALUE) {
    const double early = static_cast<double>(picture.pts - picture.dts) * av_q2d(base);
    picture_->reordering =
        std::max(picture_->reordering, static_cast<int>(std::lround(early * picture_->rate.per_second())));
  }
  return true;
}

void EncodedSource::drop_sounds() {
  std::erase_if(read_ahead_, [&](const PacketHandle& packet) { return sound_of(*packet) != nullptr; });
  sounds_.clear();
  file_.read_only(packed_streams());
}

Duration EncodedSource::skipped() const {
  if (!picture_ || picture_->stream->start_time == AV_NOPTS_VALUE) return {};
  return std::chrono::microseconds{
      zero_us_ - av_rescale_q(picture_->stream->start_time, picture_->stream->time_base, kMicroseconds)};
}

std::optional<EncodedPacket> EncodedSource::next() {
  for (;;) {
    av_packet_unref(packet_.get());
    if (!read_ahead_.empty()) {
      av_packet_move_ref(packet_.get(), read_ahead_.front().get());
      read_ahead_.pop_front();
    } else if (!read(*packet_)) {
      return std::nullopt;
    }
    if (const Sound* const sound = sound_of(*packet_)) {
      const auto index = static_cast<std::size_t>(sound - sounds_.data());
      return EncodedPacket{EncodedPacket::Kind::kSound, index, RandomAccess::kNone, packet_.get(),
                           number_of(*packet_, sound->format.codec->sample_rate)};
    }
    const std::int64_t number = number_of(*packet_, picture_->rate.per_second());
    if (number < 0) continue;
    const RandomAccess access = random_access_of(*packet_, *picture_->codec);
    if (access != RandomAccess::kSync) packet_->flags &= ~AV_PKT_FLAG_KEY;
    return EncodedPacket{EncodedPacket::Kind::kPicture, 0, access, packet_.get(), number};
  }
}

EncodedSource::Sound* EncodedSource::sound_of(const AVPacket& packet) {
  for (Sound& sound : sounds_) {
    if (sound.stream == packet.stream_index) return &sound;
  }
  return nullptr;
}

bool EncodedSource::read(AVPacket& packet) {
  while (file_.read(packet)) {
    Sound* const sound = sound_of(packet);
    if (sound != nullptr && sound->adts_filter) unwrap(packet, *sound);
    if (sound != nullptr || packet.stream_index == picture_stream_) return true;
    av_packet_unref(&packet);
  }
  return false;
}

/// Takes the ADTS header off. The first header sets the codec's parameters.
void EncodedSource::unwrap(AVPacket& packet, Sound& sound) {
  check(av_bsf_send_packet(sound.adts_filter.get(), &packet), ExitCode::kInput, name() + ": the sound is damaged");
  check(av_bsf_receive_packet(sound.adts_filter.get(), &packet), ExitCode::kInput, name() + ": the sound is damaged");
  AVCodecParameters& codec = *file_.stream(sound.stream).codecpar;
  std::size_t size = 0;
  const std::uint8_t* const headers = av_packet_get_side_data(&packet, AV_PKT_DATA_NEW_EXTRADATA, &size);
  if (headers == nullptr || codec.extradata_size > 0) return;
  codec.extradata = static_cast<std::uint8_t*>(av_mallocz(size + AV_INPUT_BUFFER_PADDING_SIZE));
  if (codec.extradata == nullptr) throw std::bad_alloc{};
  std::memcpy(codec.extradata, headers, size);
  codec.extradata_size = static_cast<int>(size);
}

std::int64_t EncodedSource::number_of(const AVPacket& packet, double per_second) const {
  if (packet.pts == AV_NOPTS_VALUE) {
    throw Failure{ExitCode::kInput, fmt::format("{}: a packet at byte {} has no timestamp", name(), packet.pos)};
  }
  const AVRational time_base = file_.stream(packet.stream_index).time_base;
  const double seconds = static_cast<double>(packet.pts) * av_q2d(time_base) - static_cast<double>(zero_us_) / 1e6;
  return std::llround(seconds * per_second);
}

}  // namespace tributary::segmenter
