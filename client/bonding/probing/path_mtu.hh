#pragma once

#include <algorithm>
#include <optional>

#include "bonding/wire/identifiers.hh"
#include "units/data_size.hh"
#include "units/session_clock.hh"

namespace tributary::bonding {

/// Knows whether datagrams as large as the tunnel's largest packet makes them pass a path. Until a probe of that size has
/// arrived, only those that each path must pass may go over it (RFC 8200 section 5: 1280 bytes with the headers of IPv6
/// and UDP). After three probes in vain it tries again every minute.
class PathMtu {
 public:
  static constexpr DataSize kAlways{1280 - 40 - 8};

  explicit PathMtu(DataSize largest) : largest_{largest} {}

  bool passes(DataSize datagram) const { return datagram <= kAlways || (proven_ && datagram <= largest_); }
  DataSize largest() const { return largest_; }
  /// The largest datagram that passes, as far as is known.
  DataSize largest_passing() const { return proven_ ? largest_ : std::min(largest_, kAlways); }

  /// When a probe is to be sent; nothing once one has arrived.
  std::optional<TimePoint> next_probe() const;
  void probed(PathSequence sequence, Duration time_out, TimePoint now);
  void arrived(PathSequence sequence) { proven_ = proven_ || sequence == probe_; }

 private:
  static constexpr int kProbes = 3;
  static constexpr Duration kRest = std::chrono::minutes{1};

  DataSize largest_;
  bool proven_ = false;
  std::optional<PathSequence> probe_;
  int probes_ = 0;
  TimePoint next_ = TimePoint::min();
};

inline std::optional<TimePoint> PathMtu::next_probe() const {
  return proven_ || largest_ <= kAlways ? std::nullopt : std::optional{next_};
}

inline void PathMtu::probed(PathSequence sequence, Duration time_out, TimePoint now) {
  probe_ = sequence;
  ++probes_;
  next_ = now + (probes_ % kProbes == 0 ? kRest : 2 * time_out);
}

}  // namespace tributary::bonding
