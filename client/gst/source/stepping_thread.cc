#include "gst/source/stepping_thread.hh"

#include <utility>

namespace tributary {

void SteppingThread::start(Step step) {
  const std::lock_guard lock{mutex_};
  ending_ = false;
  thread_ = std::thread{[this, step = std::move(step)] { run(step); }};
}

void SteppingThread::run(const Step& step) {
  std::unique_lock lock{mutex_};
  while (!ending_) {
    woken_ = false;
    lock.unlock();
    const auto until = step();
    lock.lock();
    if (until) changed_.wait_until(lock, *until, [this] { return woken_ || ending_; });
  }
}

void SteppingThread::wake() {
  const std::lock_guard lock{mutex_};
  woken_ = true;
  changed_.notify_all();
}

void SteppingThread::end() {
  const std::lock_guard lock{mutex_};
  ending_ = true;
  changed_.notify_all();
}

bool SteppingThread::ending() const {
  const std::lock_guard lock{mutex_};
  return ending_;
}

void SteppingThread::join() {
  if (thread_.joinable()) thread_.join();
}

}  // namespace tributary
