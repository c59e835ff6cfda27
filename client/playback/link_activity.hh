#pragma once

#include <string>

#include "core/link_table.hh"
#include "core/outstanding_requests.hh"
#include "playback/stream_status.hh"

namespace tributary {

/// What a link does, and why, in words.
struct LinkActivityWords {
  LinkActivity activity{};
  std::string why;
};

/// What is known of a link beside what the core knows.
struct LinkNews {
  std::string why_down;     // as the system says it
  std::string why_avoided;  // as the core said it last
  std::string why_needed_or_not = "the other links keep up";  // if it is for when it is needed
  std::optional<Duration> round_trip;
};

LinkActivityWords activity_of(LinkId id, const Link& link, const LinkNews& news,
                              const OutstandingRequests& outstanding, TimePoint now);

}  // namespace tributary
