#pragma once

#include "bonding/windows/path_window.hh"

namespace tributary::bonding {

/// Always open: what the thesis does below TCP, which has a window of its own (section 5.2).
class UnlimitedWindow final : public PathWindow {
 public:
  void take_in(const PathNews&, TimePoint) override {}
  void timed_out(TimePoint) override {}
  std::optional<TimePoint> opens_at(DataSize, const InFlight&, TimePoint now) const override { return now; }
  double packets() const override { return 1; }
};

}  // namespace tributary::bonding
