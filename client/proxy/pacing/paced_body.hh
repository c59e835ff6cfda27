#pragma once

#include <functional>
#include <optional>
#include <utility>

#include "proxy/pacing/pace.hh"
#include "units/data_rate.hh"
#include "units/data_size.hh"
#include "units/session_clock.hh"

namespace tributary::proxy {

/// Lets a body leave at the rate that the links bring (Pace), which is looked at again while the body leaves: of links that
/// have yet to be measured, only some may be known at the beginning. If nothing is known then, all bytes leave at once.
class PacedBody {
 public:
  using Rate = std::function<std::optional<DataRate>()>;

  /// `rate`: what all links bring; null: the body is not paced. `size`: of the body, if it is known.
  PacedBody(Rate rate, std::optional<DataSize> size) : rate_{std::move(rate)}, size_{size} {}

  struct Leave {
    DataSize size;
    std::optional<TimePoint> again{};  // nothing may leave before; nothing: something may, or nothing is there
  };
  /// The body has `there` bytes that have not left, behind `gone` bytes that have. Says how many of them may leave now.
  Leave may_leave(DataSize there, DataSize gone, TimePoint now);

 private:
  void look_at_rate(TimePoint now);

  Rate rate_;
  std::optional<DataSize> size_;
  std::optional<Pace> pace_;
  TimePoint look_again_ = TimePoint::min();
};

}  // namespace tributary::proxy
