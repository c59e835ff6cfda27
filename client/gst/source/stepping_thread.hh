#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>

namespace tributary {

/// A thread that does what is due, one step after the other, and sleeps when nothing is. start() and join() do not run at
/// the same time; any thread may call the rest.
class SteppingThread {
 public:
  using Clock = std::chrono::steady_clock;
  /// Does one thing that is due. Nothing: more may be due at once. Otherwise the latest time for the next step.
  using Step = std::function<std::optional<Clock::time_point>()>;

  void start(Step step);
  /// Something may be due.
  void wake();
  /// No further step begins.
  void end();
  /// Since end() was called, until the next start.
  bool ending() const;
  /// Waits for the end of the thread, if one runs.
  void join();

 private:
  void run(const Step& step);

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  bool woken_ = false, ending_ = false;
  std::thread thread_;
};

}  // namespace tributary
