#pragma once

#include <optional>
#include <vector>

#include "bonding/wire/message.hh"

namespace tributary::bonding {

/// Knows which packets of one path have arrived, and decides when to tell the sender: after every second packet (CCID2's
/// Ack Ratio), at once when one is missing, and else 25 ms after a packet. Small packets are told of together, so that
/// a stream of acknowledgements does not cost nearly as much the other way.
class ReceivedPackets {
 public:
  explicit ReceivedPackets(PathId path) : path_{path} {}

  static constexpr DataSize kLarge{1000};

  enum class Asks { kNothing, kFeedback };
  /// A packet, for the first time. Those that ask for nothing are told of, too, so that their numbers are no gaps.
  void arrived(PathSequence sequence, SentTime sent_at, TimePoint now, Asks asks = Asks::kFeedback,
               DataSize size = kLarge);

  /// When feedback is due; nothing if nothing new has arrived.
  std::optional<TimePoint> due() const { return due_; }
  /// All that it knows. Counts as sent. Only when something has arrived.
  Feedback feedback(TimePoint now);

 private:
  void take_in(PathSequence sequence);

  PathId path_;
  std::vector<SequenceRange> ranges_;  // the newest first, at most as many as feedback can tell
  SentTime newest_sent_at_{};
  TimePoint newest_at_{};
  int untold_ = 0;
  DataSize untold_bytes_;
  std::optional<TimePoint> due_;
};

}  // namespace tributary::bonding
