#pragma once

#include <gst/gst.h>

#include <mutex>

namespace tributary {

/// Lets one seek through at a time, and each only once: every sink of a player sends the same one.
class SeekGate {
 public:
  using Closed = std::unique_lock<std::mutex>;

  /// No seek is under way as long as the caller has what this returns.
  [[nodiscard]] Closed close() { return Closed{mutex_}; }
  /// No seek that comes is the last one again. To be called while the gate is closed.
  void forget() { last_ = GST_SEQNUM_INVALID; }
  /// Whether the seek was done: now, or when it came first.
  template <typename Seek>
  bool once(guint32 seqnum, Seek seek) {
    const Closed closed = close();
    if (seqnum == last_) return done_;
    last_ = seqnum;
    done_ = seek();
    return done_;
  }

 private:
  std::mutex mutex_;
  guint32 last_ = GST_SEQNUM_INVALID;
  bool done_ = false;
};

}  // namespace tributary
