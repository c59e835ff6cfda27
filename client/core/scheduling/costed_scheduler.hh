#pragma once

#include "core/scheduling/scheduler.hh"
#include "core/shortage.hh"

namespace tributary {

/// Round a scheduler, where using some of the links costs something: the free links are asked as if there were no
/// others, and those that are spared only for what the free ones cannot bring in time, once it is the last moment
/// (spending.hh).
class CostedScheduler {
 public:
  explicit CostedScheduler(Scheduler& free) : free_{free} {}

  /// As Scheduler::ask.
  bool ask(SessionState& s);

 private:
  bool ask_spared(const LinkEstimate& link, const LinkEstimates& free, SessionState& s);
  bool ask_short(const LinkEstimate& link, SegmentAssembly& segment, DataSize size, std::optional<TimePoint> due,
                 SessionState& s);

  Scheduler& free_;
};

}  // namespace tributary
