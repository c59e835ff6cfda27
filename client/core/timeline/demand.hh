#pragma once

#include <map>
#include <optional>

#include "core/event.hh"
#include "units/data_size.hh"
#include "units/identifiers.hh"
#include "units/session_clock.hh"

namespace tributary {

struct SessionState;

/// Knows when somebody else's player wants the segments that are being received (StreamingMode::kDemanded), and whose turn
/// it is. Empty in other modes.
///
/// Segments that are wanted at the same time come side by side, each with the same share of the links, as over connections
/// of their own: a player measures each, and waits for the sound as for the picture. (Start-time fair queueing; Goyal, Vin
/// and Cheng, SIGCOMM 1996.) Segments that nobody waits for come last.
class Demand {
 public:
  void want(SegmentIndex segment, std::optional<TimePoint> due);
  void end(SegmentIndex segment) { wishes_.erase(segment); }
  /// A link was asked for bytes of it, new ones or others again.
  void asked(SegmentIndex segment, DataSize size);

  bool empty() const { return wishes_.empty(); }
  /// Nothing: nobody waits for it.
  std::optional<TimePoint> due(SegmentIndex segment) const;
  /// The earliest; nothing: nobody waits for anything.
  std::optional<TimePoint> first_due() const;
  /// `a` is asked for first.
  bool before(SegmentIndex a, SegmentIndex b) const;

 private:
  struct Wish {
    std::optional<TimePoint> due;
    DataSize turn;  // bytes asked for since it is waited for, and those of others before that
  };

  std::map<SegmentIndex, Wish> wishes_;
  DataSize turn_;  // the last one whose turn it was
};

/// A new segment is started at once.
void take_in(const event::SegmentWanted& e, SessionState& s);
void take_in(const event::SegmentNotWanted& e, SessionState& s);
/// Puts the segments that are being received into the order in which they are asked for. Without effect in other modes.
void take_turns(SessionState& s);

}  // namespace tributary
