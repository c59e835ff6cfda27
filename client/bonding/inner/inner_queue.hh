#pragma once

#include <deque>
#include <optional>

#include "bonding/scheduling/flow.hh"
#include "bonding/wire/bytes.hh"
#include "units/data_size.hh"
#include "units/session_clock.hh"

namespace tributary::bonding {

/// Inner packets that wait for a path. It is short: CoDel (RFC 8289) drops from its front as long as each packet has to wait
/// longer than it may, more often the longer that lasts. Packets beyond 1 MB are refused.
class InnerQueue {
 public:
  struct Waiting {
    Bytes packet;
    Flow flow{};
    TimePoint since{};
  };

  /// False: it is full, and the packet is lost.
  bool push(Bytes packet, TimePoint now);
  /// A packet may wait for 20 ms, and for this long beyond that.
  void may_wait(Duration longer) { longer_ = longer; }
  /// The first packet, after what CoDel drops before it; nothing if none is left.
  const Waiting* front(TimePoint now);
  Waiting take();

  bool empty() const { return waiting_.empty(); }
  DataSize size() const { return size_; }
  std::size_t packets() const { return waiting_.size(); }
  std::uint64_t dropped() const { return dropped_; }

 private:
  bool is_late(TimePoint now);
  void drop_front();

  std::deque<Waiting> waiting_;
  DataSize size_;
  std::uint64_t dropped_ = 0;
  Duration longer_{};

  // As in RFC 8289 section 5.
  std::optional<TimePoint> late_since_;
  bool dropping_ = false;
  TimePoint next_drop_{};
  int drops_ = 0, drops_before_ = 0;  // of this stretch, and of the one before
};

}  // namespace tributary::bonding
