#pragma once

#include <condition_variable>
#include <map>
#include <mutex>
#include <thread>

#include "recording_listener.hh"

namespace tributary::testing {

/// Plays what a stream brings, by the clock, and reports as a player has to.
class VirtualPlayer : public RecordingListener {
 public:
  ~VirtualPlayer() override;

  void open(const std::string& url, Stream::Options options = {});
  /// Ends the stream.
  void close();
  Stream& stream() { return *stream_; }
  /// The status is of a fifth of a second ago, and on a loaded machine older: it may be behind what was heard.
  bool wait_for_status(const std::function<bool(const StreamStatus&)>& what,
                       std::chrono::milliseconds patience = std::chrono::seconds{20}) const;

  void pause();
  void play();
  void set_speed(double speed);
  std::uint32_t seek(Duration position);
  Duration position() const;

  void segment(MediaSegment segment) override;
  void may_play(std::uint32_t generation) override;

 private:
  using State = PlayoutReport::State;
  void run();
  void move_on();
  void report();
  Duration playable_until() const;

  std::optional<Stream> stream_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  bool stopping_ = false;
  bool wants_to_play_ = true, allowed_ = false;
  State state_ = State::kPaused;
  std::uint32_t generation_ = 0;
  Duration position_{};
  double speed_ = 1;
  std::map<Duration, Duration> here_;  // of this generation: start and end
  std::chrono::steady_clock::time_point moved_ = std::chrono::steady_clock::now();
  std::thread thread_;
};

}  // namespace tributary::testing
