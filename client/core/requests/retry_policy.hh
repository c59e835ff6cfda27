#pragma once

#include <cstdint>
#include <optional>

#include "units/failure_reason.hh"
#include "units/session_clock.hh"

namespace tributary {

/// The consequences of a failed request. Its missing bytes are always asked for again, on another link if one can be
/// used.
struct RetryDecision {
  bool avoid_link_for_good = false;
  std::optional<Duration> avoid_link_for;
  bool wrong_answer = false;  // counts against the range: the origin may never answer it
  bool whole_parts = false;   // from now on each file is asked for whole, over one link
};

/// Decides what a failure means for the link and for the range; docs/algorithms/repair.md has the table. A failure over
/// one link counts for that link only: the other links come from other addresses, and often reach another of the
/// origin's servers.
class RetryPolicy {
 public:
  /// A refused range may be there a little later, so a stream waits. A download that can be had in one answer does not.
  static constexpr Duration kPauseOfStream = std::chrono::milliseconds{250},
                            kPauseOfDownload = std::chrono::milliseconds{25};

  /// A viewer has given up by then, and a request that late is no load.
  static constexpr Duration kLongestRetryAfter = std::chrono::seconds{30};

  explicit RetryPolicy(Duration pause_after_wrong_answer = kPauseOfStream) : pause_{pause_after_wrong_answer} {}

  /// `failures_in_a_row`: failures of the link since its last complete request, this one included. `brought_bytes`:
  /// bytes of the range came, from its beginning on.
  RetryDecision decide(FailureReason reason, std::uint32_t failures_in_a_row, bool brought_bytes = false,
                       std::optional<Duration> retry_after = std::nullopt) const;
  /// The origin will not answer a range that it has answered wrongly this often.
  bool too_many_wrong_answers(std::uint32_t wrong_answers) const { return wrong_answers >= 4; }
  /// As long as the segment may be there in another quality: two servers, or one of them twice, have said that the file
  /// is not there.
  bool is_better_asked_for_elsewhere(FailureReason reason, std::uint32_t wrong_answers) const {
    return too_many_wrong_answers(wrong_answers) || (says_no(reason) && wrong_answers >= 2);
  }
  /// The origin does not give out this file; many storages say so of a file that they do not have. Other refusals are of
  /// the request, not of the file.
  static bool says_no(FailureReason reason) {
    return reason == FailureReason::kNotFound || reason == FailureReason::kUnauthorized;
  }

 private:
  Duration pause_;
};

}  // namespace tributary
