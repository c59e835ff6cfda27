#pragma once

#include "bonding/windows/path_window.hh"

namespace tributary::bonding {

/// TCP-like congestion control of RFC 4341, as the thesis takes it (section 5.1.1): slow start, additive increase, half of
/// the window at a loss, and one packet after a time-out. It counts packets.
class Ccid2Window final : public PathWindow {
 public:
  void sent(DataSize size, const InFlight& before, TimePoint now) override;
  void take_in(const PathNews& news, TimePoint now) override;
  void timed_out(TimePoint now) override;
  std::optional<TimePoint> opens_at(DataSize size, const InFlight& in_flight, TimePoint now) const override;
  double packets() const override { return window_; }

  bool in_slow_start() const { return window_ < threshold_; }

 private:
  void grow(std::size_t arrived);
  bool cut_for(std::span<const SentPacket> lost) const;

  // RFC 3390 allows 4 packets of up to 1095 bytes, and 3 of those that are in use here.
  double window_ = 3, threshold_ = 1e9;
  double arrived_in_window_ = 0;     // since the window grew, above the threshold
  bool was_full_ = false;            // since the last news: a window that is not used does not grow
  std::optional<TimePoint> cut_at_;  // losses of packets from before belong to a window that has been cut
};

}  // namespace tributary::bonding
