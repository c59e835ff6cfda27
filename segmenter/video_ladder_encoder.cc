#include "segmenter/video_ladder_encoder.hh"

#include <algorithm>
#include <thread>

namespace tributary::segmenter {
namespace {

std::vector<PictureSize> sizes_of(const std::vector<Quality>& ladder, PictureSize source) {
  std::vector<PictureSize> sizes;
  for (const Quality& quality : ladder) sizes.push_back(picture_size(quality, source));
  return sizes;
}

/// One thread for each encoder as soon as there are as many encoders as cores: threads inside x264 cost more
/// than they bring then.
int threads_of_each(std::size_t encoders) {
  const std::size_t cores = std::max(1u, std::thread::hardware_concurrency());
  return static_cast<int>((cores + encoders - 1) / encoders);
}

}  // namespace

VideoLadderEncoder::VideoLadderEncoder(const PictureFormat& source, const std::vector<Quality>& ladder,
                                       const std::string& preset, const SegmentPlan& plan,
                                       const Publication& publication)
    : scaler_{source, sizes_of(ladder, source.shown)} {
  const std::vector<PictureSize> sizes = sizes_of(ladder, source.shown);
  for (std::size_t i = 0; i < ladder.size(); ++i) {
    VideoSettings settings{ladder[i], scaler_.pixel_aspect(i), preset, threads_of_each(ladder.size())};
    settings.quality.size = sizes[i];
    encoders_.push_back(std::make_unique<QualityEncoder>(settings, source, plan, publication));
  }
  // The depth of reordering follows from the preset, and that is the same for all.
  offset_ = {static_cast<int>(encoders_[0]->offset()), static_cast<int>(plan.timescale())};
}

void VideoLadderEncoder::add(AVFrame& picture) {
  scaler_.push(picture);
  distribute();
}

void VideoLadderEncoder::end() {
  scaler_.end();
  distribute();
}

void VideoLadderEncoder::distribute() {
  for (std::size_t i = 0; i < encoders_.size(); ++i) {
    while (FrameHandle picture = scaler_.pull(i)) {
      if (i == 0) ++pictures_;
      encoders_[i]->add(std::move(picture));
    }
  }
}

std::vector<Track> VideoLadderEncoder::finish() {
  std::vector<Track> tracks;
  for (const auto& encoder : encoders_) tracks.push_back(encoder->finish());
  return tracks;
}

}  // namespace tributary::segmenter
