#include "core/scheduling/why_late.hh"

#include <fmt/format.h>

#include "core/session_state.hh"

namespace tributary {

std::string why_late(const SessionState& s) {
  if (s.links.empty()) return ": no link could be used";
  if (s.book.segments().empty()) return "";
  const SegmentAssembly& segment = s.book.segments().front();
  std::string text =
      fmt::format(": segment {} misses {} bytes", to_index(segment.segment()), segment.missing().bytes());
  for (const OutstandingRequest& request : s.book.outstanding().all()) {
    if (request.segment != segment.segment() || request.abandoned) continue;
    const Link& link = s.links.at(request.link);
    text += fmt::format("; request {} on {} owes {}, {:.3f} s after it was sent", to_index(request.id), link.name,
                        request.left().size().bytes(), to_seconds(s.now - request.sent));
    if (const auto rate = link.estimator->throughput()) {
      text += fmt::format(", estimated at {:.0f} kbit/s", rate->kilobits_per_second());
    }
  }
  if (segment.given_back_bytes() > DataSize{}) {
    text += fmt::format("; {} bytes wait for a link", segment.given_back_bytes().bytes());
  }
  return text;
}

}  // namespace tributary
