#pragma once

#include <optional>
#include <string>

#include "core/session.hh"
#include "report/session_record.hh"
#include "units/data_rate.hh"
#include "units/identifiers.hh"

namespace tributary {

/// The reason of a stall and its remedy, in terms that need no knowledge of requests. The user interface makes the
/// sentences.
struct StallReason {
  enum class Cause {
    kUnknown,
    kNoLink,        // no link could be used
    kUsedUp,        // `link` has brought all bytes that it may, and there is no other
    kNotPublished,  // the server did not have the next part yet
    kLinkLost,      // `link` owed a part, and went away
    kLinkFailed,    // `link` owed a part, and its connection was lost
    kLinkSilent,    // `link` owes a part, and brings nothing
    kLinkSlow,      // `link` brought a part at `rate`, but was expected to at `expected`
    kLinksTooSlow,  // all links together bring `rate`
  };
  enum class Remedy { kUnknown, kOtherLink, kLowerQuality, kNothing };

  Cause cause = Cause::kUnknown;
  std::string link{};
  std::optional<DataRate> rate{}, expected{};
  Remedy remedy = Remedy::kUnknown;
  std::string other_link{};               // the one that would have brought the part in time
  std::optional<QualityIndex> quality{};  // the one that would have come in time
};

/// The reason while playout stands still.
StallReason reason_of_stall(const Session& session, DataRate rate_now, TimePoint now);
/// The reason once the late segment is here. Nothing if the segment was not late, or is not in the record.
std::optional<StallReason> reason_of_stall(const SessionRecord& record, const SessionOptions& options,
                                           SegmentIndex late);

}  // namespace tributary
