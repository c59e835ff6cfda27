#pragma once

#include <optional>
#include <span>
#include <string>

#include "core/links/link_now.hh"
#include "core/requests/segment_assembly.hh"
#include "core/scheduling/owed_ranges.hh"
#include "core/scheduling/take_over.hh"
#include "core/subsegments/subsegment_planner.hh"
#include "units/byte_range.hh"
#include "units/identifiers.hh"
#include "units/session_clock.hh"

namespace tributary {

struct SessionState;

/// A range that another link was asked for, and does not bring in time.
struct Repair {
  std::optional<std::size_t> given_back;  // index in given_back(); nothing: a link owes the range
  RequestId takes_over{};                 // that request
  ByteRange range;                        // the end of the owed range
  std::string reason;
};

/// Where a repair is looked for.
struct RepairPlace {
  LinkId link;                     // that would be asked for it, and has room
  std::span<const LinkNow> links;  // all; those that cannot help are not usable
  const SegmentAssembly& segment;
  std::optional<TimePoint>
      due;                      // when the segment is wanted; nothing: at once, because nothing else is left to ask for
  DuplicatesLeft duplicates{};  // that may be spent
};

/// One way to repair: another link is asked for the bytes. The scheduler has the order of the ways (scheduler.hh).
class RepairRule {
 public:
  virtual ~RepairRule() = default;
  virtual std::optional<Repair> find(const RepairPlace& place, const SessionState& s) const = 0;
};

/// Bytes that a link owed that cannot be used any more.
class HandOver : public RepairRule {
 public:
  std::optional<Repair> find(const RepairPlace& place, const SessionState& s) const override;
};

/// A range whose request failed, over another link than that one unless it is the only one.
class AskAgain : public RepairRule {
 public:
  std::optional<Repair> find(const RepairPlace& place, const SessionState& s) const override;
};

/// Bytes that a link will not bring in time: those of a link that may be dead, at the last moment (rescue.hh); else the
/// end of a range that will be late (take_over.hh).
class RepairLate : public RepairRule {
 public:
  /// `overdue_only`: the ends of ranges in danger are left alone.
  explicit RepairLate(bool overdue_only = false) : overdue_only_{overdue_only} {}
  std::optional<Repair> find(const RepairPlace& place, const SessionState& s) const override;

 private:
  static std::optional<Repair> rescued(const OwedRanges& owed, const RepairPlace& place, const SessionState& s);
  std::optional<Repair> taken_over(const OwedRanges& owed, const RepairPlace& place, const SessionState& s) const;

  bool overdue_only_;
};

/// A range that playout may have to stand still for, over a link that costs something (last_call.hh).
class SaveFromStall : public RepairRule {
 public:
  explicit SaveFromStall(const LinkEstimate& asking) : asking_{asking} {}
  std::optional<Repair> find(const RepairPlace& place, const SessionState& s) const override;

 private:
  LinkEstimate asking_;
};

/// A link may be asked for bytes that another one owes: a rule for that holds, and parts may come in several answers.
bool may_duplicate(const SessionState& s);

}  // namespace tributary
