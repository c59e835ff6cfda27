#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/action.hh"
#include "core/event.hh"
#include "core/requests/outstanding_requests.hh"
#include "core/requests/retry_policy.hh"
#include "core/session_options.hh"

namespace tributary {

struct SessionState;

/// Decides what follows from a failed request: its range is wanted again, its segment is wanted in another quality or
/// left out, its link is avoided, or the session ends.
class FailedRequests {
 public:
  explicit FailedRequests(StreamingMode mode)
      : policy_{mode == StreamingMode::kDownload ? RetryPolicy::kPauseOfDownload : RetryPolicy::kPauseOfStream} {}

  /// Returns how it ends if the session cannot go on.
  std::optional<action::Finish> handle(const event::RequestFailed& failure, SessionState& s);
  /// "; the last failure: over wifi: ...", the end of a sentence; empty without a failure worth telling.
  const std::string& last() const { return last_; }

 private:
  std::optional<action::Finish> apply(const RetryDecision& decision, const OutstandingRequest& request,
                                      const event::RequestFailed& failure, SessionState& s);
  std::optional<action::Finish> go_on(const RetryDecision& decision, const OutstandingRequest& request,
                                      FailureReason reason, const std::string& why, SessionState& s);
  bool leave_out(const OutstandingRequest& request, const std::string& missing, const std::string& why,
                 SessionState& s);

  RetryPolicy policy_;
  std::size_t left_out_ = 0;  // segments in a row that the origin does not have
  SegmentIndex last_left_out_{};
  std::vector<std::size_t> left_out_sounds_;  // tracks
  std::string last_;
};

}  // namespace tributary
