#include "bonding/windows/ccid2_window.hh"

#include <algorithm>
#include <cmath>

namespace tributary::bonding {
namespace {

constexpr double kPacketsOfFeedback = 2;  // received_packets.cc
constexpr double kLeastThreshold = 2;

double count(const InFlight& in_flight) { return static_cast<double>(in_flight.packets); }

}  // namespace

void Ccid2Window::sent(DataSize /*size*/, const InFlight& before, TimePoint /*now*/) {
  was_full_ = was_full_ || count(before) + 1 >= std::floor(window_);
}

void Ccid2Window::take_in(const PathNews& news, TimePoint now) {
  if (cut_for(news.lost)) {
    window_ = threshold_ = std::max(window_ / 2, kLeastThreshold);
    arrived_in_window_ = 0;
    cut_at_ = now;
  } else if (was_full_ && news.lost.empty()) {
    grow(news.arrived.size());
  }
  was_full_ = count(news.in_flight) >= std::floor(window_);
}

void Ccid2Window::timed_out(TimePoint now) {
  threshold_ = std::max(window_ / 2, kLeastThreshold);
  window_ = 1;
  arrived_in_window_ = 0;
  cut_at_ = now;
}

std::optional<TimePoint> Ccid2Window::opens_at(DataSize /*size*/, const InFlight& in_flight, TimePoint now) const {
  return count(in_flight) + 1 <= std::floor(window_) ? std::optional{now} : std::nullopt;
}

/// RFC 4341 section 5: in slow start one packet for two that arrived, at most half of the Ack Ratio for one feedback;
/// above the threshold one for each window.
void Ccid2Window::grow(std::size_t arrived) {
  const auto packets = static_cast<double>(arrived);
  if (in_slow_start()) {
    window_ += std::min(packets / 2, kPacketsOfFeedback / 2);
    return;
  }
  arrived_in_window_ += packets;
  if (arrived_in_window_ < window_) return;
  arrived_in_window_ -= window_;
  window_ += 1;
}

bool Ccid2Window::cut_for(std::span<const SentPacket> lost) const {
  return std::ranges::any_of(lost, [&](const SentPacket& packet) { return !cut_at_ || packet.sent_at >= *cut_at_; });
}

}  // namespace tributary::bonding
