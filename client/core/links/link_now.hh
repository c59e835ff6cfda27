#pragma once

#include <algorithm>
#include <chrono>
#include <optional>

#include "core/links/remembered_link.hh"
#include "units/data_rate.hh"
#include "units/identifiers.hh"
#include "units/session_clock.hh"

namespace tributary {

/// The state of a link at this moment.
struct LinkNow {
  LinkId link{};
  std::optional<DataRate> rate;                // LinkEstimator::rate_now; nothing if it was never measured
  Duration silent{};                           // since its answer was due, or since its last byte; 0 if it is idle
  Duration round_trip{};                       // LastRoundTrip; 0 if it was never measured
  std::optional<DataRate> lately{};            // rate of the last second, once its answer is overdue; nothing before
  bool usable = true;                          // may be asked for something
  Duration answer_delay{};                     // AnswerDelay
  std::optional<RememberedLink> remembered{};  // plans count on it until a rate is known
};

/// How long a first answer may take, with its connection.
inline constexpr Duration kFirstAnswer = std::chrono::seconds{1};

/// No link that lives was measured to be silent for longer than half a second, unless its round trip is long. This is
/// at most half of the time after which its connection is closed (progress_timer.hh). An origin that lets each answer
/// stand still does so once more.
inline Duration longest_silence(const LinkNow& link) {
  const Duration longest = std::max<Duration>(
      {std::chrono::milliseconds{500}, 2 * link.round_trip, link.answer_delay + link.answer_delay / 2});
  return link.rate ? longest : std::max(longest, kFirstAnswer);
}
/// The link may be dead.
inline bool silent_too_long(const LinkNow& link) { return link.silent >= longest_silence(link); }

}  // namespace tributary
