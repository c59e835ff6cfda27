#pragma once

#include <string>

#include "core/links/link_table.hh"
#include "core/requests/outstanding_requests.hh"
#include "playback/status/stream_status.hh"

namespace tributary {

/// Facts about a link that the core does not keep.
struct LinkNews {
  std::string why_down;     // in the system's words
  std::string why_avoided;  // in the core's last words
  std::optional<FailureReason> last_failure{};
  TimePoint last_byte{};
  std::string why_needed_or_not = "the other links keep up";  // of a link for when it is needed
  std::optional<Duration> round_trip;
};

/// Fills in the link's activity and its reason. `status.rate_now` is known already.
void add_activity(LinkStatus& status, const Link& link, const LinkNews& news, const OutstandingRequests& outstanding,
                  TimePoint now);
/// Whether the link brings none of its requested bytes for longer than its rate explains. `head`: its oldest request.
bool is_silent(const Link& link, const OutstandingRequest& head, std::optional<Duration> round_trip, TimePoint now);

}  // namespace tributary
