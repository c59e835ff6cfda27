#pragma once

#include <optional>
#include <span>
#include <string>

#include "core/link_now.hh"
#include "core/segment_assembly.hh"
#include "core/take_over.hh"
#include "units/byte_range.hh"
#include "units/identifiers.hh"
#include "units/session_clock.hh"

namespace tributary {

struct SessionState;

/// A range that another link was asked for before, and does not bring, or not in time.
struct Repair {
  std::optional<std::size_t> given_back;  // which of the segment's given_back() it is; nothing: somebody owes it
  RequestId takes_over{};                 // that request
  ByteRange range;                        // of the end of what it owes
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

/// One way to repair. All of them ask another link for the bytes; which way goes first is the scheduler's
/// (scheduler.hh).
class RepairRule {
 public:
  virtual ~RepairRule() = default;
  virtual std::optional<Repair> find(const RepairPlace& place, const SessionState& s) const = 0;
};

/// What a link owed that cannot be used any more.
class HandOver : public RepairRule {
 public:
  std::optional<Repair> find(const RepairPlace& place, const SessionState& s) const override;
};

/// A range whose request failed; over another link than that one, unless it is the only one.
class AskAgain : public RepairRule {
 public:
  std::optional<Repair> find(const RepairPlace& place, const SessionState& s) const override;
};

/// What a link owes that may be dead (rescue.hh).
class RescueLost : public RepairRule {
 public:
  std::optional<Repair> find(const RepairPlace& place, const SessionState& s) const override;
};

/// The end of what a link owes, and will bring too late (take_over.hh).
class TakeOverLate : public RepairRule {
 public:
  /// `overdue_only`: not what is merely in danger.
  explicit TakeOverLate(bool overdue_only = false) : overdue_only_{overdue_only} {}
  std::optional<Repair> find(const RepairPlace& place, const SessionState& s) const override;

 private:
  bool overdue_only_;
};

/// Whether a link may be asked for what another one owes: some rule for it holds, and parts may come in several answers.
bool may_duplicate(const SessionState& s);

}  // namespace tributary
