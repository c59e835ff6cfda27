#pragma once

#include <string>

#include "core/links/link_table.hh"
#include "core/requests/outstanding_requests.hh"
#include "playback/stream_status.hh"

namespace tributary {

/// What is known of a link beside what the core knows.
struct LinkNews {
  std::string why_down;     // as the system says it
  std::string why_avoided;  // as the core said it last
  std::optional<FailureReason> last_failure{};
  TimePoint last_byte{};
  std::string why_needed_or_not = "the other links keep up";  // if it is for when it is needed
  std::optional<Duration> round_trip;
};

/// Fills in what the link does, and why.
void add_activity(LinkStatus& status, const Link& link, const LinkNews& news, const OutstandingRequests& outstanding,
                  TimePoint now);
/// It brings nothing of what it was asked for, for longer than its rate explains. `head`: its oldest request.
bool is_silent(const Link& link, const OutstandingRequest& head, std::optional<Duration> round_trip, TimePoint now);

}  // namespace tributary
