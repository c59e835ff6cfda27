#pragma once

#include <memory>
#include <mutex>
#include <utility>

#include "playback/status/stream_status.hh"

namespace tributary {

/// The latest status, put up by the thread of a stream for all threads.
class StatusBoard {
 public:
  void put_up(StreamStatus status) {
    auto fresh = std::make_shared<const StreamStatus>(std::move(status));
    const std::lock_guard lock{mutex_};
    latest_ = std::move(fresh);
  }
  StreamStatus look() const {
    std::shared_ptr<const StreamStatus> seen;
    {
      const std::lock_guard lock{mutex_};
      seen = latest_;
    }
    return *seen;
  }

 private:
  mutable std::mutex mutex_;
  std::shared_ptr<const StreamStatus> latest_ = std::make_shared<const StreamStatus>();
};

}  // namespace tributary
