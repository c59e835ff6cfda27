#pragma once

#include <mutex>
#include <utility>
#include <vector>

#include "transport/sockets/event_fd.hh"

namespace tributary {

/// Calls, as values, on their way from any thread to one that waits for file descriptors. No call waits for that thread.
template <typename Call>
class CallQueue {
 public:
  void push(Call call) {
    push_made([&]() -> Call&& { return std::move(call); });
  }
  /// `make` is called before any later call is queued.
  template <typename Make>
  void push_made(Make make) {
    const std::lock_guard lock{mutex_};
    calls_.push_back(make());
    filled_.signal();
  }

  /// Readable when there are calls.
  int file_descriptor() const { return filled_.get(); }
  /// Takes all calls, oldest first.
  std::vector<Call> take() {
    const std::lock_guard lock{mutex_};
    filled_.clear();
    return std::exchange(calls_, {});
  }

 private:
  std::mutex mutex_;
  std::vector<Call> calls_;
  transport::EventFd filled_;
};

}  // namespace tributary
