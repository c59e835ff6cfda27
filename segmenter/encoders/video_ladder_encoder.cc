#include "segmenter/encoders/video_ladder_encoder.hh"

#include <algorithm>
#include <thread>

namespace tributary::segmenter {

int threads_of_each(std::size_t encoders) {
  const std::size_t cores = std::max(1u, std::thread::hardware_concurrency());
  return static_cast<int>((cores + encoders - 1) / encoders);
}

VideoLadderEncoder::VideoLadderEncoder(const PictureFormat& source, const LadderSettings& settings,
                                       const SegmentPlan& plan, const TrackDestination& destination,
                                       PictureChoice* choice)
    : plan_{plan},
      scaler_{source, picture_sizes(settings.qualities, source.shown)},
      choice_{choice},
      pictures_{settings.first_picture},
      end_picture_{settings.end_picture} {
  const std::vector<Quality>& ladder = settings.qualities;
  const std::vector<PictureSize> sizes = picture_sizes(ladder, source.shown);
  for (std::size_t i = 0; i < ladder.size(); ++i) {
    VideoSettings video{ladder[i], scaler_.pixel_aspect(i), settings.encoding, settings.threads, settings.look_ahead,
                        {},        settings.metrics};
    video.quality.size = sizes[i];
    if (settings.first_pass != nullptr) video.pass = EncoderPass{2, settings.first_pass->statistics(ladder[i].name)};
    encoders_.push_back(
        std::make_unique<QualityEncoder>(video, source, plan, destination, settings.waiting, settings.first_picture));
  }
  // The depth of reordering follows from the preset, which is the same for all qualities.
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
  while (const FrameHandle picture = scaler_.next()) {
    const auto number = static_cast<std::uint64_t>(picture->pts);
    if (number < pictures_ || has_all()) continue;
    pictures_ = number + 1;
    if (!wanted(number)) continue;
    scaler_.scale(*picture);
    for (std::size_t i = 0; i < encoders_.size(); ++i) {
      while (FrameHandle scaled = scaler_.pull(i)) encoders_[i]->add(std::move(scaled));
    }
  }
}

bool VideoLadderEncoder::wanted(std::uint64_t picture) {
  if (choice_ == nullptr) return true;
  std::uint64_t most = 0;
  for (const auto& encoder : encoders_) most = std::max(most, encoder->behind(picture));
  return choice_->keep(picture, most) || plan_.starts_segment(picture);
}

std::vector<Track> VideoLadderEncoder::describe() const {
  std::vector<Track> tracks;
  for (const auto& encoder : encoders_) tracks.push_back(encoder->describe());
  return tracks;
}

std::vector<Track> VideoLadderEncoder::finish() {
  std::vector<Track> tracks;
  for (const auto& encoder : encoders_) tracks.push_back(encoder->finish());
  return tracks;
}

}  // namespace tributary::segmenter
