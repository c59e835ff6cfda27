#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string_view>

#include "bonding/windows/sent_packets.hh"
#include "units/data_rate.hh"

namespace tributary::bonding {

/// What one feedback told of a path.
struct PathNews {
  std::span<const SentPacket> arrived, lost;
  InFlight in_flight;                   // what is left
  std::optional<Duration> queue;        // that the newest met on its way
  std::optional<Duration> least_delay;  // the least round trip
  std::optional<DataRate> rate;         // of delivery
  bool round_is_over = false;
};

/// Decides how much may be on its way over one path. Knows neither the other paths nor what packets carry.
class PathWindow {
 public:
  virtual ~PathWindow() = default;

  /// A packet is sent; `before` was on its way.
  virtual void sent(DataSize /*size*/, const InFlight& /*before*/, TimePoint /*now*/) {}
  virtual void take_in(const PathNews& news, TimePoint now) = 0;
  /// Nothing was heard for as long as a time-out: what was on its way is given up.
  virtual void timed_out(TimePoint now) = 0;

  /// When a packet of this size may be sent, if nothing more is heard until then: at the earliest `now`. Nothing: not
  /// before the next feedback.
  virtual std::optional<TimePoint> opens_at(DataSize size, const InFlight& in_flight, TimePoint now) const = 0;
  /// The rate that schedulers may count on: the measured one, where nothing better is known.
  virtual std::optional<DataRate> likely_rate(const std::optional<DataRate>& measured) const { return measured; }
  /// Less is sent than the path could carry, so that its queue drains.
  virtual bool holds_back() const { return false; }
  /// In packets, for schedulers that compare windows.
  virtual double packets() const = 0;
};

enum class WindowKind { kCcid2, kPaced, kUnlimited };
std::unique_ptr<PathWindow> make_path_window(WindowKind kind);

}  // namespace tributary::bonding
