#include "segmenter/encoders/encoder_dialect.hh"

extern "C" {
#include <libavutil/avstring.h>
}

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>

namespace tributary::segmenter {
namespace {

struct UsualEncoder {
  AVCodecID codec;
  const char* name;
  const char* shown;  // name for people
  int crf;            // of good quality
};
/// In the order of VideoCodec.
constexpr std::array<UsualEncoder, 3> kUsualSettings{{{AV_CODEC_ID_H264, "libx264", "H.264", 23},
                                                      {AV_CODEC_ID_HEVC, "libx265", "HEVC", 26},
                                                      {AV_CODEC_ID_AV1, "libsvtav1", "AV1", 35}}};

constexpr const char* kUsualPreset = "veryfast";
/// SVT-AV1 counts its presets down from the fastest; its 4 is about as slow as the slowest preset of the others.
constexpr int kSvtOfUltrafast = 12;
/// libx265 is told to make B-frames on which others depend; such frames are decoded at most two pictures ahead.
constexpr int kPyramidDepth = 2;
/// In a row at the most where the delay counts; so many have the usual presets of libx264.
constexpr int kBFrames = 3;

bool takes_main_memory(const AVCodec& codec) {
  for (const AVPixelFormat* format = codec.pix_fmts; format != nullptr && *format != AV_PIX_FMT_NONE; ++format) {
    if (*format == AV_PIX_FMT_YUV420P) return true;
  }
  return false;
}

/// The quickest presets look ahead less than any task asks for.
bool looks_ahead(const std::string& preset) { return preset != "ultrafast" && preset != "superfast"; }

int svt_preset(const std::string& preset) {
  const auto& names = preset_names();
  return kSvtOfUltrafast - static_cast<int>(std::find(names.begin(), names.end(), preset) - names.begin());
}

/// Escapes the name of the file, which may hold separators of parameters.
std::string pass_of_x265(const std::optional<EncoderPass>& pass) {
  if (!pass) return "";
  char* escaped = nullptr;
  if (av_escape(&escaped, pass->statistics.c_str(), ":", AV_ESCAPE_MODE_BACKSLASH, 0) < 0) throw std::bad_alloc{};
  std::string text = fmt::format(":pass={}:stats={}", pass->number, escaped);
  av_free(escaped);
  return text;
}

}  // namespace

EncoderDialect::EncoderDialect(const VideoEncoding& encoding)
    : codec_{nullptr}, family_{Family::kOther}, preset_{encoding.preset}, rate_control_{encoding.rate_control} {
  const UsualEncoder& usual = kUsualSettings[static_cast<std::size_t>(encoding.codec)];
  const std::string name = encoding.encoder.empty() ? usual.name : encoding.encoder;
  codec_ = avcodec_find_encoder_by_name(name.c_str());
  if (codec_ == nullptr)
    throw Failure{ExitCode::kCodec, fmt::format("this libavcodec was built without the encoder {}", name)};
  if (codec_->id != usual.codec)
    throw Failure{ExitCode::kCodec, fmt::format("{} is no encoder of {} (--codec says of what)", name, usual.shown)};
  if (!takes_main_memory(*codec_)) {
    throw Failure{
        ExitCode::kCodec,
        fmt::format("the encoder {} takes no 4:2:0 pictures from main memory, which is where they are", name)};
  }
  if (name == "libx264") family_ = Family::kX264;
  if (name == "libx265") family_ = Family::kX265;
  if (name == "libsvtav1") family_ = Family::kSvtAv1;
  if (family_ != Family::kOther && preset_.empty()) preset_ = kUsualPreset;
  crf_ = encoding.crf.value_or(usual.crf);
  refuse_rate_control();
}

void EncoderDialect::refuse_rate_control() const {
  const bool is_known = rate_control_ == RateControl::kAverage ||
                        (rate_control_ == RateControl::kCappedCrf && family_ != Family::kOther) ||
                        family_ == Family::kX264 || family_ == Family::kX265;
  if (is_known) return;
  throw Failure{ExitCode::kCodec, fmt::format("the encoder {} does not do --rate-control {}", codec_->name,
                                              rate_control_names()[static_cast<std::size_t>(rate_control_)])};
}

void EncoderDialect::set_rate(AVCodecContext& encoder, Options& options, const RateTarget& rate) const {
  encoder.rc_max_rate = rate.most;
  encoder.rc_buffer_size = rate.buffer;
  if (rate_control_ == RateControl::kCappedCrf) {
    encoder.bit_rate = 0;
    encoder.rc_max_rate = rate.average;
    options.set("crf", std::to_string(crf_));
    return;
  }
  encoder.bit_rate = rate.average;
  if (family_ == Family::kSvtAv1) encoder.rc_max_rate = encoder.rc_buffer_size = 0;  // an average excludes a maximum
}

void EncoderDialect::instruct(AVCodecContext& encoder, Options& options, const EncoderTask& task) const {
  set_rate(encoder, options, task.rate);
  switch (family_) {
    case Family::kX264:
      options.set("preset", preset_);
      options.set("forced-idr", "1");
      // With a rate tolerance of 0.3 instead of 1.0 the averages come out within 2 %.
      options.set("x264-params", "scenecut=0:open-gop=0:ratetol=0.3" + delay_of_x264(encoder, task.look_ahead));
      if (task.pass) {
        encoder.flags |= task.pass->number == 1 ? AV_CODEC_FLAG_PASS1 : AV_CODEC_FLAG_PASS2;
        options.set("stats", task.pass->statistics);
      }
      return;
    case Family::kX265:
      options.set("preset", preset_);
      options.set("forced-idr", "1");
      options.set("x265-params", fmt::format("scenecut=0:open-gop=0:b-pyramid=1:info=0:log-level=none:pools={}{}{}",
                                             std::max(1, encoder.thread_count), delay_of_x265(task.look_ahead),
                                             pass_of_x265(task.pass)));
      return;
    case Family::kSvtAv1:
      if (encoder.gop_size <= 1 && rate_control_ == RateControl::kAverage)
        throw Failure{ExitCode::kCodec,
                      "libsvtav1 makes no segments of one picture at an average rate: say a longer --segment"};
      setenv("SVT_LOG", "1", 0);  // errors only, because it writes to standard error
      options.set("preset", std::to_string(svt_preset(preset_)));
      options.set("svtav1-params", fmt::format("lp={}", std::max(1, encoder.thread_count)));
      return;
    case Family::kOther:
      if (!preset_.empty()) options.set("preset", preset_);
      options.set("forced-idr", "1");
      if (task.look_ahead && task.look_ahead->strict) encoder.max_b_frames = 0;
      return;
  }
}

std::string EncoderDialect::delay_of_x264(const AVCodecContext& encoder, const std::optional<LookAhead>& ahead) const {
  if (!ahead) return "";
  std::string text = looks_ahead(preset_) ? fmt::format(":rc-lookahead={}", ahead->pictures) : "";
  if (!ahead->strict) return text;
  // libx264 also waits for a picture whose duration it wants to know, for four in a thread that looks ahead, and, with
  // the slower choice of B-frames, for four times as many as may follow one another.
  text += ":b-adapt=1:sync-lookahead=0:force-cfr=1";
  if (preset_ != "ultrafast") text += fmt::format(":bframes={}", std::min(ahead->pictures, kBFrames));
  // Each further thread has a picture of its own, unless they share one, which costs some quality.
  if (encoder.thread_count - 1 > ahead->pictures) text += ":sliced-threads=1";
  return text;
}

std::string EncoderDialect::delay_of_x265(const std::optional<LookAhead>& ahead) const {
  if (!ahead) return "";
  if (!ahead->strict) return looks_ahead(preset_) ? fmt::format(":rc-lookahead={}", ahead->pictures) : "";
  // libx265 wants to look ahead further than it has B-frames in a row.
  return fmt::format(":rc-lookahead={}:bframes={}:frame-threads=1", ahead->pictures,
                     std::clamp(ahead->pictures - 1, 0, kBFrames));
}

bool EncoderDialect::obeys() const { return codec_->id != AV_CODEC_ID_AV1; }

bool EncoderDialect::disturbs_others() const {
  // Whenever an encoder is opened, SVT-AV1 1.4.1 empties and refills its tables; others that read them just then crash
  // (init_wedge_masks). libx265 3.5 fills the costs for a quantiser at its first use; others may read incomplete costs
  // (BitCost::setQP), so that bytes would depend on timing.
  return family_ == Family::kSvtAv1 || family_ == Family::kX265;
}

int EncoderDialect::reordering(const AVCodecContext& encoder) const {
  // At most: the first picture of a closed group is shown first, and the last decoded one waits for all between.
  const int most = std::max(0, encoder.gop_size - 2);
  return std::min(family_ == Family::kX265 ? kPyramidDepth : encoder.has_b_frames, most);
}

}  // namespace tributary::segmenter
