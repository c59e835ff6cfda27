#include "segmenter/first_pass.hh"

#include <fmt/format.h>

#include <chrono>
#include <system_error>
#include <thread>

#include "segmenter/failure.hh"
#include "segmenter/picture_scaler.hh"
#include "segmenter/video_encoder.hh"

namespace tributary::segmenter {
namespace {

namespace fs = std::filesystem;

/// One encoder for each quality in one thread: they have threads of their own.
class Analysis {
 public:
  Analysis(const FirstPass& pass, const std::vector<Quality>& ladder, const VideoEncoding& encoding,
           const PictureFormat& source, const SegmentPlan& plan)
      : scaler_{source, picture_sizes(ladder, source.shown)} {
    for (std::size_t i = 0; i < ladder.size(); ++i) {
      VideoSettings settings;
      settings.quality = ladder[i];
      settings.quality.size = picture_size(ladder[i], source.shown);
      settings.pixel_aspect = scaler_.pixel_aspect(i);
      settings.encoding = encoding;
      settings.threads = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
      settings.pass = EncoderPass{1, pass.statistics(ladder[i].name)};
      encoders_.push_back(std::make_unique<VideoEncoder>(settings, source, plan));
    }
  }

  void add(AVFrame& picture) {
    scaler_.push(picture);
    encode();
  }
  void finish() {
    scaler_.end();
    encode();
    for (const auto& encoder : encoders_) encoder->encode(nullptr, [](AVPacket&) {});
  }
  std::uint64_t pictures() const { return pictures_; }

 private:
  void encode() {
    while (const FrameHandle picture = scaler_.next()) {
      pictures_ = static_cast<std::uint64_t>(picture->pts) + 1;
      scaler_.scale(*picture);
      for (std::size_t i = 0; i < encoders_.size(); ++i) {
        while (const FrameHandle scaled = scaler_.pull(i))
          encoders_[i]->encode(scaled.get(), [](AVPacket&) {});
      }
    }
  }

  PictureScaler scaler_;
  std::vector<std::unique_ptr<VideoEncoder>> encoders_;
  std::uint64_t pictures_ = 0;
};

}  // namespace

FirstPass::FirstPass(const std::string& input, const std::vector<Quality>& ladder,
                     const VideoEncoding& encoding, const SegmentPlan& plan, const Publication& publication,
                     const std::atomic<bool>& interrupted, ProgressReport& progress)
    : directory_{publication.path(".first-pass")} {
  const auto began = std::chrono::steady_clock::now();
  InputDecoder source{input, SoundChoice::kNone, interrupted};
  Analysis analysis{*this, ladder, encoding, source.picture(), plan};
  while (const auto decoded = source.next()) {
    analysis.add(*decoded->frame);
    progress.update({analysis.pictures(), from_seconds(plan.seconds(analysis.pictures())), source.duration(),
                     plan.segments(analysis.pictures()), std::chrono::steady_clock::now() - began, 0,
                     "pass 1 of 2"});
    if (interrupted) throw Failure{ExitCode::kInterrupted, "interrupted"};
  }
  analysis.finish();  // statistics are complete when the encoders are closed
}

FirstPass::Directory::Directory(fs::path directory) : path{std::move(directory)} {
  std::error_code error;
  fs::remove_all(path, error);  // of a run that was killed
  if (fs::create_directories(path, error); error)
    throw Failure{ExitCode::kOutput, fmt::format("cannot create {}: {}", path.string(), error.message())};
}

FirstPass::Directory::~Directory() {
  std::error_code error;
  fs::remove_all(path, error);
}

}  // namespace tributary::segmenter
