#include "segmenter/encoders/first_pass.hh"

#include <fmt/format.h>

#include <chrono>
#include <exception>
#include <memory>
#include <optional>
#include <system_error>
#include <thread>

#include "segmenter/encoders/bounded_queue.hh"
#include "segmenter/encoders/video_encoder.hh"
#include "segmenter/failure.hh"
#include "segmenter/filters/picture_scaler.hh"

namespace tributary::segmenter {
namespace {

namespace fs = std::filesystem;

/// One encoder with a single thread, so that its notes do not depend on timing.
class Analyst {
 public:
  Analyst(const VideoSettings& settings, const PictureFormat& source, const SegmentPlan& plan)
      : encoder_{std::in_place, settings, source, plan}, thread_{[this] { run(); }} {}
  ~Analyst() { stop_.request_stop(); }
  Analyst(const Analyst&) = delete;
  Analyst& operator=(const Analyst&) = delete;

  void add(FrameHandle picture) {
    if (!pictures_.push(std::move(picture), stop_.get_token())) std::rethrow_exception(error_);
  }
  void finish() {
    pictures_.close();
    thread_.join();
    if (error_) std::rethrow_exception(error_);
    encoder_.reset();  // closing completes the statistics
  }

 private:
  void run() {
    const auto pass_over = [](AVPacket&) {};
    try {
      while (const auto picture = pictures_.pop(stop_.get_token())) encoder_->encode(picture->get(), pass_over);
      if (!stop_.stop_requested()) encoder_->encode(nullptr, pass_over);
    } catch (...) {
      error_ = std::current_exception();
      stop_.request_stop();
    }
  }

  std::optional<VideoEncoder> encoder_;
  BoundedQueue<FrameHandle> pictures_{8};
  std::stop_source stop_;
  std::exception_ptr error_;  // written before the stop request, read after it
  std::jthread thread_;
};

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
      settings.pass = EncoderPass{1, pass.statistics(ladder[i].name)};
      analysts_.push_back(std::make_unique<Analyst>(settings, source, plan));
    }
  }

  void add(AVFrame& picture) {
    scaler_.push(picture);
    distribute();
  }
  void finish() {
    scaler_.end();
    distribute();
    for (const auto& analyst : analysts_) analyst->finish();
  }
  std::uint64_t pictures() const { return pictures_; }

 private:
  void distribute() {
    while (const FrameHandle picture = scaler_.next()) {
      pictures_ = static_cast<std::uint64_t>(picture->pts) + 1;
      scaler_.scale(*picture);
      for (std::size_t i = 0; i < analysts_.size(); ++i) {
        while (FrameHandle scaled = scaler_.pull(i)) analysts_[i]->add(std::move(scaled));
      }
    }
  }

  PictureScaler scaler_;
  std::vector<std::unique_ptr<Analyst>> analysts_;
  std::uint64_t pictures_ = 0;
};

}  // namespace

FirstPass::FirstPass(const std::string& input, const std::vector<Quality>& ladder, const VideoEncoding& encoding,
                     const SegmentPlan& plan, const Publication& publication, const std::atomic<bool>& interrupted,
                     ProgressReport& progress)
    : directory_{publication.path(".first-pass")} {
  const auto began = std::chrono::steady_clock::now();
  InputDecoder source{input, SoundChoice::kNone, interrupted};
  source.encode_at(plan.frame_rate());
  Analysis analysis{*this, ladder, encoding, source.picture(), plan};
  while (const auto decoded = source.next()) {
    analysis.add(*decoded->frame);
    progress.update({analysis.pictures(),
                     from_seconds(plan.seconds(analysis.pictures())),
                     source.duration(),
                     plan.segments(analysis.pictures()),
                     std::chrono::steady_clock::now() - began,
                     0,
                     {},
                     "pass 1 of 2"});
    if (interrupted) throw Failure{ExitCode::kInterrupted, "interrupted"};
  }
  analysis.finish();
}

FirstPass::Directory::Directory(fs::path directory) : path{std::move(directory)} {
  std::error_code error;
  fs::remove_all(path, error);  // left by a run that was killed
  if (fs::create_directories(path, error); error)
    throw Failure{ExitCode::kOutput, fmt::format("cannot create {}: {}", path.string(), error.message())};
}

FirstPass::Directory::~Directory() {
  std::error_code error;
  fs::remove_all(path, error);
}

}  // namespace tributary::segmenter
