#pragma once

#include <optional>
#include <string>

#include "core/event.hh"
#include "core/requests/outstanding_requests.hh"
#include "core/requests/retry_policy.hh"
#include "core/session_options.hh"

namespace tributary {

struct SessionState;

/// Decides what follows from a failed request: its range is wanted again, its link is avoided, or the session ends.
class FailedRequests {
 public:
  explicit FailedRequests(StreamingMode mode)
      : policy_{mode == StreamingMode::kDownload ? RetryPolicy::kPauseOfDownload : RetryPolicy::kPauseOfStream} {}

  /// Returns the reason if the session cannot go on.
  std::optional<std::string> handle(const event::RequestFailed& failure, SessionState& s);
  /// "; the last failure: over wifi: ...", the end of a sentence; empty without a failure worth telling.
  const std::string& last() const { return last_; }

 private:
  std::optional<std::string> apply(const RetryDecision& decision, const OutstandingRequest& request,
                                   const event::RequestFailed& failure, SessionState& s);
  std::optional<std::string> want_again(const RetryDecision& decision, const OutstandingRequest& request,
                                        const std::string& why, SessionState& s) const;
  bool leave_out(const OutstandingRequest& request, const std::string& why, SessionState& s);

  RetryPolicy policy_;
  std::size_t left_out_ = 0;  // segments in a row that the origin does not have
  SegmentIndex last_left_out_{};
  std::string last_;
};

}  // namespace tributary
