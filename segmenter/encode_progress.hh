#pragma once

#include <chrono>
#include <cmath>
#include <map>
#include <mutex>

#include "segmenter/progress.hh"
#include "segmenter/segment_plan.hh"

namespace tributary::segmenter {

/// Adds up what several threads have done, and passes it on.
class EncodeProgress {
 public:
  EncodeProgress(ProgressReport& report, const SegmentPlan& plan) : report_{report}, plan_{plan} {}

  void expect(std::optional<Duration> duration) { expected_ = duration; }
  /// The time before it does not count.
  void begin_pass(std::string_view pass) {
    pass_ = pass;
    began_ = std::chrono::steady_clock::now();
  }
  void pictures_done(std::uint64_t count) {
    const std::lock_guard lock{mutex_};
    pictures_ += count;
    report_.update(state());
  }
  void end() {
    const std::lock_guard lock{mutex_};
    report_.last(state());
  }
  void segment_done(const std::string& track, std::uint64_t number, DataSize size, double seconds) {
    const std::lock_guard lock{mutex_};
    Sum& sum = sums_[track];
    sum.bits += 8.0 * static_cast<double>(size.bytes());
    sum.seconds += seconds;
    report_.event({{"event", "segment"}, {"track", track}, {"number", number}, {"bytes", size.bytes()},
                   {"seconds", seconds}, {"rate", std::llround(8.0 * static_cast<double>(size.bytes()) / seconds)}});
  }

 private:
  struct Sum {
    double bits = 0, seconds = 0;
  };

  ProgressState state() const {
    ProgressState state{pictures_, from_seconds(plan_.seconds(pictures_)), expected_, plan_.segments(pictures_),
                        std::chrono::steady_clock::now() - began_, 0, {}, pass_};
    for (const auto& [name, sum] : sums_) {
      if (sum.seconds > 0) state.rates.emplace_back(name, DataRate::bits_per_second(sum.bits / sum.seconds));
    }
    return state;
  }

  ProgressReport& report_;
  SegmentPlan plan_;
  std::optional<Duration> expected_;
  std::string_view pass_;
  std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
  std::mutex mutex_;
  std::uint64_t pictures_ = 0;
  std::map<std::string, Sum> sums_;  // by track
};

}  // namespace tributary::segmenter
