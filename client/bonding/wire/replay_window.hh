#pragma once

#include <bitset>
#include <cstddef>
#include <cstdint>

namespace tributary::bonding {

/// Knows which of the newest sequence numbers were seen: each is accepted once, as RFC 6479 has it. Numbers older than the
/// window count as seen.
template <std::size_t kWidth>
class ReplayWindow {
 public:
  bool is_fresh(std::uint64_t sequence) const {
    if (sequence >= end_) return true;
    return end_ - sequence <= kWidth && !seen_[sequence % kWidth];
  }
  /// It must be fresh.
  void accept(std::uint64_t sequence) {
    if (sequence >= end_) {
      if (sequence - end_ >= kWidth) {
        seen_.reset();
      } else {
        for (std::uint64_t between = end_; between < sequence; ++between) seen_.reset(between % kWidth);
      }
      end_ = sequence + 1;
    }
    seen_.set(sequence % kWidth);
  }

 private:
  std::bitset<kWidth> seen_;  // of the kWidth numbers below end_
  std::uint64_t end_ = 0;
};

/// On one path, packets hardly overtake each other.
using PathReplayWindow = ReplayWindow<1024>;
/// An inner packet that was sent over two paths arrives at most this many packets late.
using InnerReplayWindow = ReplayWindow<16384>;

}  // namespace tributary::bonding
