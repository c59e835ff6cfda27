#include "download/beside/link_hold.hh"

#include <algorithm>

namespace tributary {
namespace {

LinkHold::Carried carried_by(const FrontDownload& front) { return {front.received(), front.heard() - front.began()}; }

}  // namespace

bool LinkHold::advance(const FrontDownload& front, const SessionSeen& session, TimePoint now) {
  const bool ends = !front.running() || front.hands_over(session, options_.turnaround, now);
  if (ends || front.silent(now)) return let_go(front);
  if (now >= front.began() + options_.patience) hold(Holds::kItsLink);
  return false;
}

bool LinkHold::let_go(const FrontDownload& front) {
  if (until_then_) return false;
  until_then_ = carried_by(front);
  hold(Holds::kNoLink);
  return true;
}

void LinkHold::hold(Holds what) {
  if (what <= holds_) return;
  holds_ = what;
  if (options_.let_go) options_.let_go();
}

std::optional<TimePoint> LinkHold::next_deadline(const FrontDownload& front) const {
  if (until_then_) return std::nullopt;
  if (holds_ != Holds::kAllLinks) return front.silent_at();
  return std::min(front.silent_at(), front.began() + options_.patience);
}

std::optional<LinkHold::Carried> LinkHold::carried_alone(const FrontDownload& front) const {
  if (options_.at_first == Holds::kNoLink) return std::nullopt;
  return until_then_ ? until_then_ : carried_by(front);
}

}  // namespace tributary
