#pragma once

#include <optional>
#include <string>

#include "core/session.hh"
#include "report/session_record.hh"
#include "units/data_rate.hh"
#include "units/identifiers.hh"

namespace tributary {

/// Why playout stood still, and what would have avoided it, as far as it helps somebody who does not know how segments are
/// fetched. Whoever shows it makes the sentences.
struct StallReason {
  enum class Cause {
    kUnknown,
    kNoLink,        // no link could be used
    kUsedUp,        // `link` has brought all that it may, and there is no other
    kNotPublished,  // the server did not have the next part yet
    kLinkLost,      // `link` owed a part, and went away
    kLinkFailed,    // `link` owed a part, and its connection was lost
    kLinkSilent,    // `link` owes a part, and brings nothing
    kLinkSlow,      // `link` brought a part at `rate`, and had been expected to at `expected`
    kLinksTooSlow,  // all together bring `rate`
  };
  enum class Remedy { kUnknown, kOtherLink, kLowerQuality, kNothing };

  Cause cause = Cause::kUnknown;
  std::string link{};
  std::optional<DataRate> rate{}, expected{};
  Remedy remedy = Remedy::kUnknown;
  std::string other_link{};               // that would have brought it in time
  std::optional<QualityIndex> quality{};  // that would have come in time
};

/// While it stands still.
StallReason reason_of_stall(const Session& session, DataRate rate_now, TimePoint now);
/// Once the segment that was waited for is here. Nothing if it was not late, or is not remembered.
std::optional<StallReason> reason_of_stall(const SessionRecord& record, const SessionOptions& options,
                                           SegmentIndex late);

}  // namespace tributary
