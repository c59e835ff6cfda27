#pragma once

#include <optional>

#include "units/data_rate.hh"
#include "units/session_clock.hh"

namespace tributary::proxy {

/// When bytes of a body may leave, so that a player measures a rate and not a burst: byte i no earlier than i / rate
/// after the first byte, with a rate that may change. A body of 20 kB or more takes at least 100 ms: a player that is told of its progress once has
/// measured nothing (dash.js), and Shaka ignores what takes less than 5 ms.
class Pace {
 public:
  /// `size`: of the body, if it is known. The first byte leaves at `first_byte`. The rate is positive.
  Pace(DataRate rate, std::optional<DataSize> size, TimePoint first_byte);

  /// From now on bytes leave at this rate, which is positive.
  void change(DataRate rate, TimePoint now);

  /// The number of bytes that may have left by now; one at first.
  DataSize allowed(TimePoint now) const;
  /// When so many bytes may have left.
  TimePoint due(DataSize bytes) const;
  /// The bytes to wait for, so that one write is worth its cost.
  DataSize worth_a_write() const;

 private:
  std::optional<DataSize> size_;
  DataRate rate_;
  TimePoint since_;  // when it had this rate
  DataSize before_;  // bytes behind the first one that might have left by then
};

}  // namespace tributary::proxy
