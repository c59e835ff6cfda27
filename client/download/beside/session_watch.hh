#pragma once

#include <optional>
#include <vector>

#include "core/action.hh"
#include "core/event.hh"
#include "download/beside/session_seen.hh"
#include "units/byte_range.hh"

namespace tributary {

/// How far a session is that fetches the same object, and how its ranges fail. Time is that of the caller's clock.
class SessionWatch {
 public:
  /// `chunks` by segment; they must outlive it. `size`: of the object.
  SessionWatch(const std::vector<ByteRange>& chunks, DataSize size) : chunks_{chunks} { seen_.from = size; }

  /// True if the origin has refused a range that it may give over another link.
  bool on_event(const Event& event, TimePoint now);
  void on_action(const Action& action, TimePoint now);
  void something_came() { failure_.reset(); }

  const SessionSeen& seen() const { return seen_; }
  /// The last failure since something came, if a request without a range may succeed.
  std::optional<FailureReason> failure() const { return failure_; }

 private:
  const std::vector<ByteRange>& chunks_;
  SessionSeen seen_;
  event::RestArrived told_;  // to the session
  std::optional<FailureReason> failure_;
};

}  // namespace tributary
