#include "bonding/windows/paced_window.hh"

#include <algorithm>
#include <array>

namespace tributary::bonding {
namespace {

constexpr double kStartGrowth = 2;   // in each round trip
constexpr double kStartGain = 2.77;  // the least that doubles the rate in each round trip: 4 ln 2
constexpr std::array<double, 8> kCycle{1.25, 0.75, 1, 1, 1, 1, 1, 1};
constexpr double kWindowGain = 2;
constexpr int kLongestDrain = 4;  // round trips with less than the rate, until a queue is gone
constexpr double kPlateau = 1.25;
constexpr int kEnoughRoundTrips = 8;
constexpr Duration kLeastQueue = std::chrono::milliseconds{4}, kMostQueue = std::chrono::milliseconds{16};
constexpr int kRoundsOfPlateau = 3;
constexpr double kManyLost = 0.1, kShrink = 0.85, kRecover = 1.05, kLeastRestraint = 0.3;
constexpr double kLeastWindow = 4, kFirstWindow = 10;           // packets (RFC 6928)
constexpr Duration kFirstTime = std::chrono::milliseconds{10};  // in which a first window goes out
constexpr std::size_t kEnoughToJudge = 50;                      // packets
// Packets may leave this much late and catch up: timers are not exact.
constexpr Duration kCatchUp = std::chrono::milliseconds{2};

}  // namespace

DataSize PacedWindow::full_path() const { return rate_ && least_delay_ ? *rate_ * *least_delay_ : DataSize{}; }

/// Nothing stands in the queue of the path, but for what waits for a common feedback.
bool PacedWindow::is_drained(const InFlight& in_flight) const {
  return static_cast<double>(in_flight.size.bytes()) <=
         static_cast<double>(full_path().bytes()) + kLeastWindow * mean_packet_;
}

double PacedWindow::gain() const {
  switch (phase_) {
    case Phase::kStart:
      return kStartGain;
    case Phase::kDrain:
      return 1 / kStartGain;
    case Phase::kCruise:
      break;
  }
  return kCycle[static_cast<std::size_t>(step_)];
}

DataRate PacedWindow::pace() const {
  const DataRate first = DataSize{static_cast<std::int64_t>(kFirstWindow * mean_packet_)} / kFirstTime;
  if (!rate_) return first;
  const DataRate pace = gain() * restraint_ * *rate_;
  return phase_ == Phase::kStart ? std::max(pace, first) : pace;
}

double PacedWindow::window() const {
  if (!rate_ || !least_delay_) return kFirstWindow * mean_packet_;
  const double full = static_cast<double>(full_path().bytes());
  // Feedback comes for two packets at once, and waits up to 25 ms for the second.
  const double window = kWindowGain * restraint_ * full + kLeastWindow * mean_packet_;
  return phase_ == Phase::kStart ? std::max(window, kFirstWindow * mean_packet_) : window;
}

void PacedWindow::sent(DataSize size, const InFlight& /*before*/, TimePoint now) {
  mean_packet_ += (static_cast<double>(size.bytes()) - mean_packet_) / 64;
  leaves_next_ = std::max(leaves_next_, now - kCatchUp) + size / pace();
}

void PacedWindow::take_in(const PathNews& news, TimePoint now) {
  rate_ = news.rate;
  least_delay_ = news.least_delay;
  arrived_ += news.arrived.size();
  lost_ += news.lost.size();
  if (phase_ == Phase::kStart) look_for_queue(news);
  if (phase_ == Phase::kStart && news.round_is_over) look_for_plateau(news);
  if (news.round_is_over) look_at_losses();
  if (phase_ == Phase::kDrain && is_drained(news.in_flight)) begin_cruise(now);
  if (phase_ == Phase::kCruise && least_delay_ && now - step_began_ > *least_delay_) look_for_next_step(news, now);
}

/// A queue stands in the path if even the least of some round trips is longer than the path by itself (RFC 9406, section 4.2).
void PacedWindow::look_for_queue(const PathNews& news) {
  if (news.round_is_over) round_trips_ = {};
  if (!news.round_trip || !least_delay_) return;
  round_trips_.least = std::min(round_trips_.least.value_or(*news.round_trip), *news.round_trip);
  const Duration queue = std::clamp(*least_delay_ / 8, kLeastQueue, kMostQueue);
  if (++round_trips_.count >= kEnoughRoundTrips && *round_trips_.least > *least_delay_ + queue) phase_ = Phase::kDrain;
}

void PacedWindow::look_for_plateau(const PathNews& news) {
  if (news.arrived.empty() || news.arrived.back().mark.idle_path) return;
  if (rate_ && *rate_ >= kPlateau * plateau_) {
    plateau_ = *rate_;
    rounds_without_gain_ = 0;
  } else if (++rounds_without_gain_ >= kRoundsOfPlateau) {
    phase_ = Phase::kDrain;
  }
}

/// After the step that tries more comes the one that drains what it made, until that is gone.
void PacedWindow::look_for_next_step(const PathNews& news, TimePoint now) {
  const bool drains = !is_drained(news.in_flight) && now - step_began_ < kLongestDrain * *least_delay_;
  if (gain() < 1 && drains) return;
  step_ = (step_ + 1) % static_cast<int>(kCycle.size());
  step_began_ = now;
}

void PacedWindow::look_at_losses() {
  const std::size_t sent = arrived_ + lost_;
  if (sent < kEnoughToJudge) return;
  const bool many = static_cast<double>(lost_) > kManyLost * static_cast<double>(sent);
  restraint_ = many ? std::max(restraint_ * kShrink, kLeastRestraint) : std::min(restraint_ * kRecover, 1.0);
  if (many && phase_ == Phase::kStart) phase_ = Phase::kDrain;
  arrived_ = lost_ = 0;
}

void PacedWindow::begin_cruise(TimePoint now) {
  phase_ = Phase::kCruise;
  step_ = 2;
  step_began_ = now;
}

std::optional<DataRate> PacedWindow::likely_rate(const std::optional<DataRate>& measured) const {
  if (phase_ != Phase::kStart || !least_delay_) return measured;
  const DataRate first = DataSize{static_cast<std::int64_t>(kFirstWindow * mean_packet_)} / *least_delay_;
  return std::max(first, measured ? kStartGrowth * *measured : first);
}

void PacedWindow::timed_out(TimePoint /*now*/) { *this = PacedWindow{}; }

std::optional<TimePoint> PacedWindow::opens_at(DataSize size, const InFlight& in_flight, TimePoint now) const {
  const double after = static_cast<double>((in_flight.size + size).bytes());
  if (after > window()) return std::nullopt;
  return std::max(now, leaves_next_);
}

}  // namespace tributary::bonding
