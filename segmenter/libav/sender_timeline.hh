#pragma once

#include <cstdint>
#include <map>
#include <optional>

namespace tributary::segmenter {

/// The times that a packet states, in microseconds.
struct PacketTimes {
  std::int64_t decoded = 0;
  std::int64_t shown = 0;
  std::int64_t duration = 0;
};

/// Keeps the timestamps of a sender true to the clock by which its packets come. A source that plays for days drifts,
/// jumps, wraps and pauses; the stated time of its pictures, less the time at which they came, stays the same.
///
/// Knows packets only as times. Reads no clock; arrivals are microseconds of any clock that never jumps.
class SenderTimeline {
 public:
  /// `leading`: the stream whose arrivals steer the timeline, the picture.
  explicit SenderTimeline(int leading) : leading_{leading} {}

  /// The shift to add to the times of a stream's next packet. Without an arrival, the packet comes out of a backlog, and
  /// only the other packets say where it belongs: a reader that is slow moves nothing.
  std::int64_t shift(int stream, const PacketTimes& times, std::optional<std::int64_t> arrival);

  /// Takes the packets that have come until now to be in time. From now on the clock decides. If the streams have
  /// clocks of their own (RTP), their arrivals tell how these lie to each other; returns the shift that each stream's
  /// earlier packets get in addition.
  std::map<int, std::int64_t> settle(bool clocks_of_their_own);

  /// The arrival of a picture that is shown at zero of the shifted timeline. To be called after settle().
  std::int64_t origin() const { return *origin_; }

 private:
  struct Stream {
    std::int64_t shift = 0;
    std::int64_t shift_before = 0;  // before the last jump
    std::int64_t expected = 0;      // shifted time at which the next packet should be
    // The least that a packet came after its stated time, unshifted: in the present stretch of time and the one before.
    std::optional<std::int64_t> least, least_before;
    std::int64_t usual_delay = 0;          // after the leading stream: sound may be sent later
    std::int64_t since = 0;                // arrival of the first packet in the present stretch of time
    std::uint64_t packets = 0, fresh = 0;  // in the present stretch of time, and those with an arrival
    bool was_fresh = false;                // most of the packets in the one before

    std::optional<std::int64_t> least_of_both() const;
    void forget_arrivals() { least = least_before = std::nullopt; }
  };

  std::optional<std::int64_t> by_clock(const Stream& stream, const PacketTimes& times,
                                       std::optional<std::int64_t> arrival) const;
  void keep_step_with_others(int number, Stream& stream, const PacketTimes& times, std::optional<std::int64_t> arrival);
  void leap(Stream& stream, const PacketTimes& times, std::optional<std::int64_t> arrival);
  void note(Stream& stream, std::int64_t shown, std::int64_t arrival);
  void steer(const Stream& leading, std::int64_t duration);
  void move_all(std::int64_t by);

  int leading_;
  std::map<int, Stream> streams_;
  std::optional<std::int64_t> origin_;
};

}  // namespace tributary::segmenter
