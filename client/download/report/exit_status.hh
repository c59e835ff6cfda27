#pragma once

#include <optional>
#include <stdexcept>
#include <string>

#include "core/world.hh"
#include "units/failure_reason.hh"

namespace tributary {

/// Exit statuses, as curl has them.
inline constexpr int kBadUrl = 3;
inline constexpr int kNotResolved = 6;
inline constexpr int kPartial = 18;
inline constexpr int kCannotWrite = 23;
inline constexpr int kTimeOut = 28;
inline constexpr int kWrongChecksum = 32;  // ours: curl has none for it
inline constexpr int kRangeRefused = 33;
inline constexpr int kNamedLinkUnusable = 45;  // curl's for --interface
inline constexpr int kUsedUp = 63;             // curl's for what would be larger than allowed
inline constexpr int kInterrupted = 130;

int exit_status_of(FailureReason reason);
/// True if a request without a range may succeed where a request for a range failed so: one answer has one version.
bool may_be_for_the_range(FailureReason reason);

/// The download cannot begin or go on; the text says why.
class GetError : public std::runtime_error {
 public:
  GetError(int status, const std::string& text) : std::runtime_error{text}, exit_status{status} {}
  int exit_status;
};

/// Tells why a session ended, from its last event.
class EndObserver : public SessionObserver {
 public:
  void on_event(const Event& event, TimePoint at) override;
  void on_action(const Action& action, TimePoint at) override;
  int exit_status() const { return status_.value_or(kPartial); }
  /// The failure that ended the session, if one did: the last failure, or an origin that stayed busy for too long.
  std::optional<FailureReason> failure() const;

 private:
  Event last_ = event::DeadlineReached{};
  bool busy_ = false;  // since the last byte
  std::optional<int> status_;
};

}  // namespace tributary
