#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "presentation/presentation.hh"
#include "segmenter/filters/filter_chain.hh"
#include "segmenter/plan/segment_plan.hh"

namespace tributary::segmenter {

/// The metrics that compare encoded pictures with the originals.
struct MetricChoice {
  bool psnr = false, ssim = false;

  bool any() const { return psnr || ssim; }
};

/// Reads "psnr", "ssim" or both, with a comma between. Throws std::invalid_argument, and Failure (codec) for a metric
/// that this libavfilter lacks (VMAF).
MetricChoice parse_metrics(std::string_view text);

/// Appends the figures of the segments that follow.
void append(PictureMetrics& metrics, const PictureMetrics& more);

/// Decodes the packets of an encoder and compares them, picture by picture, with the encoder's input. Both have the
/// same size, so losses by scaling do not show. Figures are for segments.
class PictureMeter {
 public:
  /// `first_picture`: number of the first picture, which starts a segment.
  PictureMeter(MetricChoice choice, const AVCodecParameters& encoded, const SegmentPlan& plan,
               std::uint64_t first_picture);

  /// The picture's pts counts pictures.
  void add_original(AVFrame& picture) { chain_.push(picture, kOriginal); }
  /// Adds a packet, in the encoder's order. `number`: that of its picture.
  void add_encoded(const AVPacket& packet, std::int64_t number);
  /// To be called at the end. Returns one figure for each segment.
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
