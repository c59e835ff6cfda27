#include "core/requests/retry_policy.hh"

#include <algorithm>
#include <chrono>

namespace tributary {
namespace {

using namespace std::chrono_literals;

Duration doubled(Duration first, std::uint32_t failures_in_a_row) {
  const std::uint32_t doublings = std::clamp(failures_in_a_row, 1U, 8U) - 1;
  return std::min<Duration>(first * (1U << doublings), 8s);
}

}  // namespace

RetryDecision RetryPolicy::decide(FailureReason reason, std::uint32_t failures_in_a_row, bool brought_bytes,
                                  std::optional<Duration> retry_after) const {
  using enum FailureReason;
  RetryDecision decision;
  switch (reason) {
    case kInterface:
    case kTlsVerification:
      decision.avoid_link_for_good = true;
      break;
    case kResolve:
    case kNoRoute:
    case kConnectTimeout:
    case kRefused:
    case kTls:
    case kClosedUnanswered:
    case kStalled:
      decision.avoid_link_for = doubled(250ms, failures_in_a_row);
      break;
    case kClosedMidBody:
    case kReset:
      decision.avoid_link_for = doubled(brought_bytes ? pause_ : 250ms, failures_in_a_row);
      break;
    case kLinkDown:
    case kAbandoned:
      break;
    case kServerBusy:
      decision.avoid_link_for = std::max(doubled(1s, failures_in_a_row),
                                         std::min(retry_after.value_or(Duration::zero()), kLongestRetryAfter));
      break;
    case kRangeIgnored:
      decision.whole_parts = true;
      decision.wrong_answer = true;
      break;
    case kVersionsDiffer:
      decision.whole_parts = true;
      decision.wrong_answer = true;
      decision.avoid_link_for = doubled(pause_, failures_in_a_row);
      break;
    case kNotAllowed:
      decision.wrong_answer = true;
      break;
    case kRangeMismatch:
      if (brought_bytes) break;
      [[fallthrough]];
    case kProtocol:
    case kEncoding:
    case kEntityChanged:
    case kNotFound:
    case kUnauthorized:
    case kNoSuchRange:
    case kBadRequest:
    case kRedirected:
      decision.wrong_answer = true;
      decision.avoid_link_for = doubled(pause_, failures_in_a_row);
      break;
  }
  return decision;
}

}  // namespace tributary
