#pragma once

#include <algorithm>
#include <chrono>
#include <optional>

#include "core/remembered_link.hh"
#include "units/data_rate.hh"
#include "units/identifiers.hh"
#include "units/session_clock.hh"

namespace tributary {

/// What a link does at this moment.
struct LinkNow {
  LinkId link{};
  std::optional<DataRate> rate;  // LinkEstimator::rate_now; nothing if it was never measured
  Duration silent{};             // since it should have begun to answer, or since its last byte; 0 if it owes nothing
  Duration round_trip{};         // LastRoundTrip; 0 if it was never measured
  std::optional<DataRate>
      lately{};             // in the last second, if it has owed something for so long; nothing: too early to say
  bool usable = true;       // may be asked for something
  Duration answer_delay{};  // AnswerDelay
  std::optional<RememberedLink> remembered{};  // what plans count on as long as nothing else is known
};

/// How long a first answer may take, while a connection is made.
inline constexpr Duration kFirstAnswer = std::chrono::seconds{1};

/// A link that lives was never measured to be silent for longer than half a second, unless its round trip is long. It is half of
/// what its connection is given before it is closed (transport/progress_timer.hh), or less. An origin that lets each answer stand
/// still does so once more.
inline Duration longest_silence(const LinkNow& link) {
  const Duration longest = std::max<Duration>(
      {std::chrono::milliseconds{500}, 2 * link.round_trip, link.answer_delay + link.answer_delay / 2});
  return link.rate ? longest : std::max(longest, kFirstAnswer);
}
/// The link may be dead.
inline bool silent_too_long(const LinkNow& link) { return link.silent >= longest_silence(link); }

}  // namespace tributary
