#pragma once

#include <cstdint>
#include <optional>

#include "units/failure_reason.hh"
#include "units/session_clock.hh"

namespace tributary {

/// What follows from a failed request. What it still owes is always asked for again; on another link, if one
/// can be used.
struct RetryDecision {
  bool avoid_link_for_good = false;
  std::optional<Duration> avoid_link_for;
  bool wrong_answer = false;  // counts against the range: the origin may never answer it
  bool whole_parts = false;   // ask for each file as a whole from now on, over one link
};

/// Decides what a failure means for the link and for the range. What an origin asks for over one link counts for that link: the
/// others come from other addresses, and often to another of its servers, and it tells them as well if they are to wait.
///   the link cannot be used safely (no binding, bad certificate)     never again
///   no connection, connection lost                                   again after 0.25 s, doubled each time up to 8 s
///   the link is gone                                                 nothing: it says itself when it is back
///   the origin is busy                                               again after 1 s, doubled each time up to 8 s; not before
///                                                                    it wants to be asked (Retry-After), but after 30 s at the latest
///   the answer was shorter than it might be (RFC 9110 section 15.3.7)  nothing: the rest is asked for
///   connection lost within an answer of which something had come   again after the pause of a wrong answer
///   an earlier answer was of another version of the file             the same, and from now on no two are put together: two
///                                                                    servers behind one name may never agree
///   the answer was wrong, or no                                      counted; the stream fails at too_many_wrong_answers. Again
///                                                                    after a pause, doubled each time up to 8 s
class RetryPolicy {
 public:
  /// What a stream was refused may be there a little later. A download that can be had in another way does not wait for it.
  static constexpr Duration kPauseOfStream = std::chrono::milliseconds{250},
                            kPauseOfDownload = std::chrono::milliseconds{25};

  /// Who watches has given up by then; and what is asked for that late is no load.
  static constexpr Duration kLongestRetryAfter = std::chrono::seconds{30};

  explicit RetryPolicy(Duration pause_after_wrong_answer = kPauseOfStream) : pause_{pause_after_wrong_answer} {}

  /// `failures_in_a_row`: of the link, without a completed request in between, this one included. `brought_bytes`: of those
  /// asked for, from their beginning on.
  RetryDecision decide(FailureReason reason, std::uint32_t failures_in_a_row, bool brought_bytes = false,
                       std::optional<Duration> retry_after = std::nullopt) const;
  /// A range that has been answered wrongly so often will not be answered at all.
  bool too_many_wrong_answers(std::uint32_t wrong_answers) const { return wrong_answers >= 4; }

 private:
  Duration pause_;
};

}  // namespace tributary
