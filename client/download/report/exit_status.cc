#include "download/report/exit_status.hh"

namespace tributary {

int exit_status_of(FailureReason reason) {
  using enum FailureReason;
  switch (reason) {
    case kResolve:
      return kNotResolved;
    case kNoRoute:
    case kInterface:
    case kRefused:
    case kLinkDown:
    case kNotAllowed:
      return 7;
    case kConnectTimeout:
    case kStalled:
      return kTimeOut;
    case kTls:
      return 35;
    case kTlsVerification:
      return 60;
    case kClosedUnanswered:
    case kClosedMidBody:
    case kReset:
    case kAbandoned:
      return kPartial;
    case kProtocol:
    case kEncoding:
      return 8;
    case kRangeIgnored:
    case kRangeMismatch:
    case kEntityChanged:
    case kVersionsDiffer:
      return kRangeRefused;
    case kServerBusy:
    case kNotFound:
    case kUnauthorized:
    case kNoSuchRange:
    case kBadRequest:
    case kRedirected:
      return 22;
  }
  return kPartial;
}

bool may_be_for_the_range(FailureReason reason) {
  using enum FailureReason;
  switch (reason) {
    case kClosedUnanswered:
    case kClosedMidBody:
    case kReset:
    case kStalled:
    case kProtocol:
    case kRangeIgnored:
    case kRangeMismatch:
    case kEntityChanged:
    case kVersionsDiffer:
    case kEncoding:
    case kServerBusy:
    case kNotFound:
    case kUnauthorized:
    case kNoSuchRange:
    case kBadRequest:
    case kRedirected:
      return true;
    default:
      return false;
  }
}

void EndObserver::on_event(const Event& event, TimePoint /*at*/) {
  last_ = event;
  const auto* failed = std::get_if<event::RequestFailed>(&event);
  if (failed != nullptr) busy_ = failed->reason == FailureReason::kServerBusy;
  if (std::holds_alternative<event::BytesReceived>(event)) busy_ = false;
}

std::optional<FailureReason> EndObserver::failure() const {
  if (status_.value_or(0) == 0) return std::nullopt;
  if (const auto* failed = std::get_if<event::RequestFailed>(&last_)) return failed->reason;
  return busy_ && *status_ == kTimeOut ? std::optional{FailureReason::kServerBusy} : std::nullopt;
}

void EndObserver::on_action(const Action& action, TimePoint /*at*/) {
  const auto* finish = std::get_if<action::Finish>(&action);
  if (finish == nullptr) return;
  if (finish->complete) {
    status_ = 0;
  } else if (finish->used_up) {
    status_ = kUsedUp;
  } else if (const auto* failed = std::get_if<event::RequestFailed>(&last_)) {
    status_ = exit_status_of(failed->reason);
  } else if (std::holds_alternative<event::StopRequested>(last_)) {
    status_ = kInterrupted;
  } else {
    status_ = kTimeOut;  // no byte came for too long
  }
}

}  // namespace tributary
