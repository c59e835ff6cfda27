#include "segmenter/encoded_source.hh"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>

namespace tributary::segmenter {
namespace {

constexpr AVRational kMicroseconds{1, 1000000};
constexpr int kAacFrame = 1024;
constexpr int kHighestSampleRate = 65535;  // a sample entry holds no more (ISO/IEC 14496-12 section 12.2.3)

bool is_known_picture(AVCodecID codec) {
  return codec == AV_CODEC_ID_H264 || codec == AV_CODEC_ID_HEVC || codec == AV_CODEC_ID_AV1;
}

[[noreturn]] void refuse(const std::string& file, const std::string& why) {
  throw Failure{ExitCode::kCodec, file + ": " + why};
}

}  // namespace

EncodedSource::EncodedSource(const std::string& input, bool want_sound, const std::atomic<bool>& interrupted)
    : file_{input, interrupted} {
  picture_stream_ = file_.best_stream(AVMEDIA_TYPE_VIDEO, -1, nullptr);
  if (want_sound) sound_stream_ = file_.best_stream(AVMEDIA_TYPE_AUDIO, picture_stream_, nullptr);
  if (picture_stream_ < 0 && sound_stream_ < 0) {
    throw Failure{ExitCode::kInput, fmt::format("{} has no picture{}", name(), want_sound ? " and no sound" : "")};
  }
  file_.read_only({picture_stream_, sound_stream_});
  if (picture_stream_ >= 0) open_picture();
  if (sound_stream_ >= 0) open_sound();
  find_beginning();
}

void EncodedSource::open_picture() {
  const AVCodecParameters& codec = *file_.stream(picture_stream_).codecpar;
  if (!is_known_picture(codec.codec_id)) {
    refuse(name(), fmt::format("its picture is {}, but segments hold H.264, HEVC or AV1; encode it",
                               avcodec_get_name(codec.codec_id)));
  }
  if (codec.width <= 0 || codec.height <= 0 || codec.extradata_size == 0) {
    refuse(name(), "does not say what its pictures are like");
  }
  picture_ = EncodedPicture{&codec, file_.frame_rate(picture_stream_), std::max(0, codec.video_delay)};
}

void EncodedSource::open_sound() {
  const AVCodecParameters& codec = *file_.stream(sound_stream_).codecpar;
  if (codec.codec_id != AV_CODEC_ID_AAC) {
    refuse(name(), fmt::format("its sound is {}, but segments hold AAC; encode it, or leave it out with --audio none",
                               avcodec_get_name(codec.codec_id)));
  }
  if (codec.sample_rate <= 0 || codec.sample_rate > kHighestSampleRate || codec.ch_layout.nb_channels <= 0) {
    refuse(name(), fmt::format("its sound has {} Hz and {} channels, which cannot be packed", codec.sample_rate,
                               codec.ch_layout.nb_channels));
  }
  sound_ = EncodedSound{&codec, codec.frame_size > 0 ? codec.frame_size : kAacFrame, file_.label(sound_stream_)};
  if (codec.extradata_size > 0) return;
  AVBSFContext* filter = nullptr;
  const AVBitStreamFilter* const kind = av_bsf_get_by_name("aac_adtstoasc");
  if (kind == nullptr || av_bsf_alloc(kind, &filter) < 0) refuse(name(), "ADTS headers of the sound cannot be removed");
  adts_filter_.reset(filter);
  check(avcodec_parameters_copy(filter->par_in, &codec), ExitCode::kCodec, name());
  filter->time_base_in = file_.stream(sound_stream_).time_base;
  check(av_bsf_init(filter), ExitCode::kCodec, name());
}

void EncodedSource::find_beginning() {
  bool has_zero = false, has_headers = !adts_filter_;
  while ((!has_zero || !has_headers) && read(*packet_)) {
    const bool is_picture = packet_->stream_index == picture_stream_;
    if (is_picture && !has_zero) {
      // Pictures before the first keyframe cannot be decoded.
      if ((packet_->flags & AV_PKT_FLAG_KEY) != 0 && packet_->pts != AV_NOPTS_VALUE) {
        const AVRational base = file_.stream(picture_stream_).time_base;
        zero_us_ = av_rescale_q(packet_->pts, base, kMicroseconds);
        has_zero = true;
        if (packet_->dts != AV_NOPTS_VALUE) {
          const double early = static_cast<double>(packet_->pts - packet_->dts) * av_q2d(base);
          picture_->reordering =
              std::max(picture_->reordering, static_cast<int>(std::lround(early * picture_->rate.per_second())));
        }
      } else {
        av_packet_unref(packet_.get());
        continue;
      }
    }
    if (!is_picture) has_headers = true;
    if (!is_picture && picture_stream_ < 0) {
      const AVStream& stream = file_.stream(sound_stream_);
      zero_us_ =
          stream.start_time == AV_NOPTS_VALUE ? 0 : av_rescale_q(stream.start_time, stream.time_base, kMicroseconds);
      has_zero = true;
    }
    read_ahead_.push_back(clone(*packet_));
    av_packet_unref(packet_.get());
  }
  if (!has_zero) throw Failure{ExitCode::kInput, name() + " has no keyframe"};
  if (!has_headers) {
    sound_.reset();  // it is announced, but there is none
    drop_sound();
  }
}

void EncodedSource::drop_sound() {
  file_.read_only({picture_stream_});
  std::erase_if(read_ahead_, [&](const PacketHandle& p) { return p->stream_index == sound_stream_; });
  sound_stream_ = -1;
}

std::optional<EncodedPacket> EncodedSource::next() {
  av_packet_unref(packet_.get());
  if (!read_ahead_.empty()) {
    av_packet_move_ref(packet_.get(), read_ahead_.front().get());
    read_ahead_.pop_front();
  } else if (!read(*packet_)) {
    return std::nullopt;
  }
  const bool is_picture = packet_->stream_index == picture_stream_;
  return EncodedPacket{is_picture ? EncodedPacket::Kind::kPicture : EncodedPacket::Kind::kSound, packet_.get(),
                       number_of(*packet_)};
}

bool EncodedSource::read(AVPacket& packet) {
  while (file_.read(packet)) {
    if (packet.stream_index == sound_stream_ && adts_filter_) unwrap(packet);
    if (packet.stream_index == picture_stream_ || packet.stream_index == sound_stream_) return true;
    av_packet_unref(&packet);
  }
  return false;
}

/// Takes the ADTS header off; what it says goes to the codec's parameters once.
void EncodedSource::unwrap(AVPacket& sound) {
  check(av_bsf_send_packet(adts_filter_.get(), &sound), ExitCode::kInput, name() + ": the sound is damaged");
  check(av_bsf_receive_packet(adts_filter_.get(), &sound), ExitCode::kInput, name() + ": the sound is damaged");
  AVCodecParameters& codec = *file_.stream(sound_stream_).codecpar;
  std::size_t size = 0;
  const std::uint8_t* const headers = av_packet_get_side_data(&sound, AV_PKT_DATA_NEW_EXTRADATA, &size);
  if (headers == nullptr || codec.extradata_size > 0) return;
  codec.extradata = static_cast<std::uint8_t*>(av_mallocz(size + AV_INPUT_BUFFER_PADDING_SIZE));
  if (codec.extradata == nullptr) throw std::bad_alloc{};
  std::memcpy(codec.extradata, headers, size);
  codec.extradata_size = static_cast<int>(size);
}

std::int64_t EncodedSource::number_of(const AVPacket& packet) const {
  const AVStream& stream = file_.stream(packet.stream_index);
  if (packet.pts == AV_NOPTS_VALUE) {
    throw Failure{ExitCode::kInput, fmt::format("{}: a packet at byte {} has no timestamp", name(), packet.pos)};
  }
  const double seconds =
      static_cast<double>(packet.pts) * av_q2d(stream.time_base) - static_cast<double>(zero_us_) / 1e6;
  const double per_second =
      packet.stream_index == picture_stream_ ? picture_->rate.per_second() : sound_->codec->sample_rate;
  return std::llround(seconds * per_second);
}

}  // namespace tributary::segmenter
