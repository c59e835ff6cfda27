#pragma once

#include <algorithm>
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
/// and Cheng, SIGCOMM 1996.) A player that opens several files waits for the beginning of each before it opens the next one: the
/// front of a new one comes before all others. Segments that it plays one after the other come in that order, and those that
/// nobody waits for last.
class Demand {
 public:
  /// `behind`: see event::SegmentWanted.
  void want(SegmentIndex segment, std::optional<TimePoint> due, std::optional<SegmentIndex> behind = std::nullopt);
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

  // ---- A player for which the session chooses qualities

  /// It wants a segment, and can play for so long without it.
  void tell_in_hand(Duration in_hand) {
    in_hand_ = in_hand;
    most_in_hand_ = std::max(most_in_hand_, in_hand);
  }
  /// As it was told last; nothing: there is no such player.
  std::optional<Duration> in_hand() const { return in_hand_; }
  /// Media that the player holds at most, with a segment of this length: as much as it was seen to hold, at least three
  /// segments.
  Duration capacity(Duration segment) const { return std::max(most_in_hand_ + segment, 3 * segment); }

 private:
  struct Wish {
    std::optional<TimePoint> due;
    std::optional<SegmentIndex> behind{};
    DataSize asked;  // bytes, since it is wanted
    DataSize turn;   // bytes asked for since it is waited for, and those of others before that
  };

  /// The lower, the sooner.
  enum class Rank { kFront, kWaitedFor, kBehindAnother, kOther };
  Rank rank(const Wish& wish) const;

  std::map<SegmentIndex, Wish> wishes_;
  DataSize turn_;  // the last one whose turn it was
  std::optional<Duration> in_hand_;
  Duration most_in_hand_{};
};

/// A new segment is started at once, in the lowest quality or, if it is told what the player has in hand, in the one that
/// the adaptation chooses.
void take_in(const event::SegmentWanted& e, SessionState& s);
void take_in(const event::SegmentNotWanted& e, SessionState& s);
/// Puts the segments that are being received into the order in which they are asked for. Without effect in other modes.
void take_turns(SessionState& s);

}  // namespace tributary
