#pragma once

#include "core/costs/shortage.hh"
#include "core/scheduling/scheduler.hh"

namespace tributary {

/// A scheduler around another one, for links that cost something. The free links are asked as if there were no others.
/// Spared links are asked only for bytes that the free ones cannot bring in time, at the last moment (spending.hh).
class CostedScheduler {
 public:
  explicit CostedScheduler(Scheduler& free) : free_{free} {}

  /// As Scheduler::ask, while some link costs something.
  bool ask(SessionState& s);

 private:
  bool ask_spared(const LinkEstimate& link, const LinksNow& present, const LinkEstimates& free, SessionState& s);
  bool ask_short(const LinkEstimate& link, SegmentAssembly& segment, DataSize size, std::optional<TimePoint> due,
                 SessionState& s);

  Scheduler& free_;
};

}  // namespace tributary
