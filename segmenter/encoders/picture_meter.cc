#include "segmenter/encoders/picture_meter.hh"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <stdexcept>

namespace tributary::segmenter {
namespace {

constexpr const char* kDecoding = "cannot decode what was encoded";
constexpr AVRational kPictures{1, 1};              // time base that counts pictures
constexpr double kLargest = 255, kBestPsnr = 100;  // kBestPsnr: without an error it would be infinite

void require_filter(const char* filter) {
  if (avfilter_get_by_name(filter) == nullptr)
    throw Failure{ExitCode::kCodec, fmt::format("this libavfilter was built without the filter {}", filter)};
}

CodecHandle open_decoder(const AVCodecParameters& encoded) {
  CodecHandle decoder = make_decoder(encoded, kDecoding);
  decoder->pkt_timebase = kPictures;
  decoder->thread_count = 1;
  check(avcodec_open2(decoder.get(), nullptr, nullptr), ExitCode::kCodec, kDecoding);
  return decoder;
}

/// The filters pass the encoded picture on, with figures in its metadata.
std::string describe(MetricChoice choice, const AVCodecParameters& encoded) {
  const auto buffer = [&](const char* name) {
    return fmt::format("buffer@{}=video_size={}x{}:pix_fmt={}:time_base={}/{}:pixel_aspect=1/1", name, encoded.width,
                       encoded.height, encoded.format, kPictures.num, kPictures.den);
  };
  // Hides colours and pixel shape of the streams, so that no filter converts them.
  constexpr const char* kAlike =
      "setparams=range=tv:color_primaries=unknown:color_trc=unknown:colorspace=unknown,setsar=1";
  const std::string text = fmt::format("{},{}[encoded];{},{}", buffer("in"), kAlike, buffer("in1"), kAlike);
  if (choice.psnr && choice.ssim)
    return text + ",split[a][b];[encoded][a]psnr[measured];[measured][b]ssim,buffersink@0";
  return text + fmt::format("[original];[encoded][original]{},buffersink@0", choice.psnr ? "psnr" : "ssim");
}

double figure(const AVFrame& frame, const char* name) {
  const AVDictionaryEntry* const entry = av_dict_get(frame.metadata, name, nullptr, 0);
  return entry == nullptr ? 0 : std::strtod(entry->value, nullptr);
}

}  // namespace

MetricChoice parse_metrics(std::string_view text) {
  MetricChoice choice;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    const std::string_view name = text.substr(begin, end - begin);
    if (name == "psnr") {
      choice.psnr = true;
    } else if (name == "ssim") {
      choice.ssim = true;
    } else if (name == "vmaf") {
      require_filter("libvmaf");
      throw Failure{ExitCode::kCodec, "VMAF is not measured: the filter libvmaf has no figure for each picture"};
    } else {
      throw std::invalid_argument(fmt::format("\"{}\" is not psnr or ssim", name));
    }
    begin = end + 1;
  }
  if (choice.psnr) require_filter("psnr");
  if (choice.ssim) require_filter("ssim");
  return choice;
}

void append(PictureMetrics& metrics, const PictureMetrics& more) {
  metrics.psnr.insert(metrics.psnr.end(), more.psnr.begin(), more.psnr.end());
  metrics.ssim.insert(metrics.ssim.end(), more.ssim.begin(), more.ssim.end());
}

PictureMeter::PictureMeter(MetricChoice choice, const AVCodecParameters& encoded, const SegmentPlan& plan,
                           std::uint64_t first_picture)
    : choice_{choice},
      plan_{plan},
      first_segment_{plan.segments(first_picture)},
      decoder_{open_decoder(encoded)},
      chain_{describe(choice, encoded), "buffer", "buffersink", 1, 2} {}

void PictureMeter::add_encoded(const AVPacket& packet, std::int64_t number) {
  const PacketHandle numbered = clone(packet);
  numbered->pts = number;
  numbered->dts = AV_NOPTS_VALUE;
  decode(numbered.get());
}

void PictureMeter::decode(const AVPacket* packet) {
  check(avcodec_send_packet(decoder_.get(), packet), ExitCode::kCodec, kDecoding);
  for (;;) {
    const int result = avcodec_receive_frame(decoder_.get(), frame_.get());
    if (result == AVERROR(EAGAIN) || result == AVERROR_EOF) break;
    check(result, ExitCode::kCodec, kDecoding);
    chain_.push(*frame_, kEncoded);
  }
  take_figures();
}

void PictureMeter::take_figures() {
  while (const FrameHandle measured = chain_.pull(0)) {
    const auto segment = static_cast<std::size_t>(measured->pts / plan_.pictures_per_segment()) - first_segment_;
    if (segments_.size() <= segment) segments_.resize(segment + 1);
    Sum& sum = segments_[segment];
    sum.squared_error += figure(*measured, "lavfi.psnr.mse_avg");
    sum.similarity += figure(*measured, "lavfi.ssim.All");
    ++sum.pictures;
  }
}

PictureMetrics PictureMeter::finish() {
  decode(nullptr);
  chain_.end(AV_NOPTS_VALUE, kEncoded);
  chain_.end(AV_NOPTS_VALUE, kOriginal);
  take_figures();
  PictureMetrics metrics;
  for (const Sum& sum : segments_) {
    const double error = sum.squared_error / std::max(1, sum.pictures);
    const double psnr = error > 0 ? std::min(kBestPsnr, 10 * std::log10(kLargest * kLargest / error)) : kBestPsnr;
    if (choice_.psnr) metrics.psnr.push_back(static_cast<int>(std::lround(100 * std::max(0.0, psnr))));
    const double ssim = std::clamp(sum.similarity / std::max(1, sum.pictures), 0.0, 1.0);
    if (choice_.ssim) metrics.ssim.push_back(static_cast<int>(std::lround(10000 * ssim)));
  }
  return metrics;
}

}  // namespace tributary::segmenter
