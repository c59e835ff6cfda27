#pragma once

#include <memory>
#include <mutex>
#include <utility>

#include "manifests/live/hls_rendition.hh"

namespace tributary {

/// The first playlist of a live title as it is now, for those who put further playlists beside it. Calls may come from
/// any thread.
class HlsTimeline {
 public:
  void set(const HlsRendition& first) {
    auto copy = std::make_shared<const HlsRendition>(first);
    const std::lock_guard lock{mutex_};
    first_.swap(copy);
  }
  /// Null: nobody has told.
  std::shared_ptr<const HlsRendition> first() const {
    const std::lock_guard lock{mutex_};
    return first_;
  }

 private:
  mutable std::mutex mutex_;
  std::shared_ptr<const HlsRendition> first_;
};

}  // namespace tributary
