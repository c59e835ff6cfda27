#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "playback/stream.hh"

namespace tributary::testing {

/// What a listener was told, to be waited for.
struct Heard {
  std::optional<StreamInfo> info;
  std::vector<MediaSegment> segments;
  std::vector<SkippedSegment> skipped;
  std::vector<std::uint32_t> may_play, ended;  // generations
  std::optional<StreamFailure> failure;

  /// Of one generation, in the order in which they came.
  std::vector<std::size_t> indexes(std::uint32_t generation) const;
};

class RecordingListener : public StreamListener {
 public:
  void opened(const StreamInfo& info) override;
  void segment(MediaSegment segment) override;
  void skipped(const SkippedSegment& skipped) override;
  void may_play(std::uint32_t generation) override;
  void ended(std::uint32_t generation) override;
  void failed(const StreamFailure& failure) override;

  /// False if it has not come true after a time that is long for anything.
  bool wait_for(const std::function<bool(const Heard&)>& what,
                std::chrono::milliseconds patience = std::chrono::seconds{20});
  bool wait_for_segments(std::uint32_t generation, std::size_t count);
  bool wait_until_ended(std::uint32_t generation);
  Heard heard() const;

 private:
  void note(const std::function<void(Heard&)>& what);

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  Heard heard_;
};

}  // namespace tributary::testing
