#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "core/links/standing_queue.hh"
#include "units/data_rate.hh"
#include "units/data_size.hh"
#include "units/session_clock.hh"
#include "units/steady_rate.hh"

namespace tributary {

/// Decides how many connections a link carries to one host, at most six as browsers do (RFC 9112 section 9.4 names no
/// number). One is enough if the link is what limits it. A connection that loses packets, has a small window, or is held
/// down by the server leaves the link's queue empty: then as many as may be are opened. As long as the queue may be that of
/// somebody else, there is one more, and only if the queue is empty then, all of them.
///
/// If together they bring less than their number promises, or bytes stand in the queue, half of them rest for a moment.
/// Half that brings most of what all did is enough: the link is full, or somebody else fills it, from whom the others
/// only took. Half that brings half shows the opposite, and there are twice as many.
class LaneCount {
 public:
  static constexpr std::uint32_t kMost = 6;

  struct Situation {
    TimePoint now;
    std::uint32_t lanes = 1;  // that are there, or on their way
    std::uint32_t most = kMost;
    bool all_answer = true;  // each of them has brought bytes
    bool all_rest = true;    // of those that are to rest: they owe nothing any more
    bool busy = false;       // each that answers owes bytes, and more are wanted
    bool watched = false;    // a trial that fails may cost a viewer something
    DataSize carried;        // by all, since ever
    Duration round_trip{};   // of the moment; 0 if it was never measured
    Duration least{};        // round trip
    TimePoint measured;      // when one was measured last
  };
  struct Decision {
    std::uint32_t lanes = 1;
    std::string why{};
    bool rest = false;  // the others are not closed: they may be wanted in a moment
  };
  Decision decide(const Situation& now);
  /// Another connection, which is not ours, was measured not to fill the link. `other`: its rate; 0 if it is not known.
  Decision begin_beside(const Situation& now, DataRate other) {
    return try_more(now, 1, std::min(now.lanes + 1, now.most), other, "one connection does not fill the link");
  }
  /// A connection failed, while others did not.
  void failed(TimePoint now) {
    was_full_ = false;
    rest(now, kLongestRest);
  }

 private:
  enum class Phase { kWatching, kOpening, kSettling, kMeasuring, kHalved, kMeasuringHalf };

  static constexpr Duration kFirstRest = std::chrono::seconds{5}, kLongestRest = std::chrono::seconds{60};

  Decision as_it_is(const Situation& now) const;
  DataRate rate(const Situation& now) const;                  // of this phase
  std::optional<DataRate> steady_rate(const Situation& now);  // in this phase; nothing while it grows
  double relative_rate(const Situation& now) const;
  bool each_brings_its_part(const Situation& now) const;
  std::optional<std::uint32_t> twice(std::uint32_t lanes, const Situation& now) const;
  bool is_full(const Situation& now) const;
  bool has_room(const Situation& now) const;  // for more connections
  bool is_empty(const Situation& now) const;
  Decision watch(const Situation& now);
  Decision measure(const Situation& now);
  Decision measure_half(const Situation& now);
  Decision halve(const Situation& now, DataRate rate, std::string why);
  Decision stay(const Situation& now, std::uint32_t lanes, Duration rest, std::string why);
  Decision try_more(const Situation& now, std::uint32_t before, std::uint32_t lanes, DataRate rate, std::string why);
  void begin(Phase phase, const Situation& now);
  void rest(TimePoint now, Duration length);

  Phase phase_ = Phase::kWatching;
  TimePoint begin_;   // of the phase
  DataSize carried_;  // by then
  bool was_busy_ = false;
  SteadyRate steady_;
  StandingQueue queue_;
  std::uint32_t lanes_before_ = 1;  // of the trial
  DataRate rate_before_;            // of those, or of all
  std::uint32_t lanes_in_all_ = 1;  // half of them rest
  TimePoint rests_until_;           // no more are opened
  bool was_full_ = false;           // the link, when the rest began
  TimePoint keeps_until_;           // none are closed
  Duration rest_ = kFirstRest;
};

}  // namespace tributary
