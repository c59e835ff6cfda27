#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "presentation/presentation.hh"
#include "segmenter/libav/filter_chain.hh"
#include "segmenter/plan/segment_plan.hh"

namespace tributary::segmenter {

/// How what comes out of an encoder is compared with what went in.
struct MetricChoice {
  bool psnr = false, ssim = false;

  bool any() const { return psnr || ssim; }
};

/// "psnr", "ssim" or both, with a comma between. Throws std::invalid_argument, and Failure (codec) for what this libavfilter
/// cannot measure (VMAF).
MetricChoice parse_metrics(std::string_view text);

/// Those of the segments that follow.
void append(PictureMetrics& metrics, const PictureMetrics& more);

/// Decodes what an encoder makes and compares it, picture by picture, with what the encoder was given, which has the same
/// size: what was lost by scaling is not seen. Figures are for segments.
class PictureMeter {
 public:
  /// `first_picture`: the number of the first, which starts a segment.
  PictureMeter(MetricChoice choice, const AVCodecParameters& encoded, const SegmentPlan& plan,
               std::uint64_t first_picture);

  /// Its pts counts pictures.
  void add_original(AVFrame& picture) { chain_.push(picture, kOriginal); }
  /// As the encoder makes them; `number` is that of its picture.
  void add_encoded(const AVPacket& packet, std::int64_t number);
  /// Nothing follows. One figure for each segment.
  PictureMetrics finish();

 private:
  static constexpr std::size_t kEncoded = 0, kOriginal = 1;
  struct Sum {
    double squared_error = 0, similarity = 0;
    int pictures = 0;
  };

  void decode(const AVPacket* packet);
  void take_figures();

  MetricChoice choice_;
  SegmentPlan plan_;
  std::uint64_t first_segment_;
  CodecHandle decoder_;
  FilterChain chain_;
  FrameHandle frame_ = make_frame();
  std::vector<Sum> segments_;
};

}  // namespace tributary::segmenter
