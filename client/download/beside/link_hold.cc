#include "download/beside/link_hold.hh"

#include <algorithm>
#include <chrono>

namespace tributary {
namespace {

LinkHold::Carried carried_by(const FrontDownload& front) { return {front.received(), front.heard() - front.began()}; }

}  // namespace

bool LinkHold::advance(const FrontDownload& front, const SessionSeen& session, TimePoint now) {
  const bool ends = !front.running() || front.hands_over(session, options_.turnaround, now);
  if (ends || front.silent(now) || look_for_room(front, now)) return let_go(front);
  if (now >= front.began() + options_.patience) hold(Holds::kItsLink);
  return false;
}

/// The answer is slower than its link: packets are lost, or the server holds it down. Bytes that are there within a second or
/// two are not worth further connections.
bool LinkHold::look_for_room(const FrontDownload& front, TimePoint now) {
  constexpr Duration kWorthIt = std::chrono::seconds{1};
  if (!options_.may_share || until_then_) return false;
  const Duration window = SteadyRate::window(options_.turnaround);
  steady_.sample(front.received(), window, now);
  auto rate = steady_.rate(front.received(), window, now);
  if (!rate && front.out_of_order()) rate = DataRate{};  // a loss ended slow start: the rate is not known
  const auto left = front.time_left();
  if (!rate || !left || *left < kWorthIt + 4 * options_.turnaround) return false;
  const auto round_trip = front.round_trip();
  if (!round_trip || SteadyRate::is_full(*round_trip, options_.turnaround)) return false;
  leaves_room_ = rate;
  return true;
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

LinkHold::Carried LinkHold::carried_with_session(const FrontDownload& front) const {
  if (!until_then_) return {};
  const Carried all = carried_by(front);
  return {all.size - until_then_->size, all.busy - until_then_->busy};
}

}  // namespace tributary
