#pragma once

#include <chrono>
#include <map>
#include <mutex>

#include "segmenter/plan/segment_plan.hh"
#include "segmenter/progress.hh"
#include "segmenter/publish/track_writer.hh"

namespace tributary::segmenter {

/// {"event": "segment", ...} for programs.
nlohmann::ordered_json segment_event(const WrittenSegment& segment);

/// Adds up the progress of several threads, and reports it.
class EncodeProgress : public SegmentListener {
 public:
  EncodeProgress(ProgressReport& report, const SegmentPlan& plan) : report_{report}, plan_{plan} {}

  void expect(std::optional<Duration> duration) { expected_ = duration; }
  /// Counts pictures and time from zero again.
  void begin_pass(std::string_view pass);
  void pictures_done(std::uint64_t count);
  /// For a live stream: the number of the next segment, and of pictures that the encoders had no time for.
  void stands_at(std::uint64_t segment, std::uint64_t left_out);
  void segment_written(const WrittenSegment& segment) override;
  void end();

 private:
  struct Sum {
    double bits = 0, seconds = 0;
  };

  ProgressState state() const;

  ProgressReport& report_;
  SegmentPlan plan_;
  std::optional<Duration> expected_;
  std::string_view pass_;
  std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
  std::mutex mutex_;
  std::uint64_t pictures_ = 0, left_out_ = 0;
  std::optional<std::uint64_t> segment_;
  std::map<std::string, Sum> sums_;  // by track
};

}  // namespace tributary::segmenter
