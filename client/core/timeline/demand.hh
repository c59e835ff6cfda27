#pragma once

#include <map>
#include <optional>

#include "core/event.hh"
#include "units/identifiers.hh"
#include "units/session_clock.hh"

namespace tributary {

struct SessionState;

/// Knows when somebody else's player wants the segments that are being received (StreamingMode::kDemanded). Empty in
/// other modes.
class Demand {
 public:
  void want(SegmentIndex segment, std::optional<TimePoint> due) { due_[segment] = due; }
  void end(SegmentIndex segment) { due_.erase(segment); }

  bool empty() const { return due_.empty(); }
  /// Nothing: nobody waits for it.
  std::optional<TimePoint> due(SegmentIndex segment) const {
    const auto found = due_.find(segment);
    return found == due_.end() ? std::nullopt : found->second;
  }
  /// The earliest; nothing: nobody waits for anything.
  std::optional<TimePoint> first_due() const;
  /// `a` comes first: it is due earlier, or was wanted earlier.
  bool before(SegmentIndex a, SegmentIndex b) const;

 private:
  std::map<SegmentIndex, std::optional<TimePoint>> due_;
};

/// A new segment is started at once. All are asked for in the order in which they are due.
void take_in(const event::SegmentWanted& e, SessionState& s);
void take_in(const event::SegmentNotWanted& e, SessionState& s);

}  // namespace tributary
