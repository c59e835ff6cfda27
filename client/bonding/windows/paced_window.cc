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
constexpr int kEnoughSamples = 8;
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
  return in_flight.size <= full_path() + scale(packet_, kLeastWindow);
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
  const DataRate first = scale(packet_, kFirstWindow) / kFirstTime;
  if (!rate_) return first;
  const DataRate pace = gain() * restraint_ * *rate_;
  return phase_ == Phase::kStart ? std::max(pace, first) : pace;
}

double PacedWindow::window() const {
  const auto packet = static_cast<double>(packet_.bytes());
  if (!rate_ || !least_delay_) return kFirstWindow * packet;
  const double full = static_cast<double>(full_path().bytes());
  // Feedback comes for two packets at once, and waits up to 25 ms for the second.
  const double window = kWindowGain * restraint_ * full + kLeastWindow * packet;
  return phase_ == Phase::kStart ? std::max(window, kFirstWindow * packet) : window;
}

void PacedWindow::sent(DataSize size, const InFlight& /*before*/, TimePoint now) {
  packet_ = std::max(packet_, size);
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

/// A queue stands in the path if even the fastest of some packets met one (RFC 9406, section 4.2, which has round trips; those
/// grow with the queue of the way back, too).
void PacedWindow::look_for_queue(const PathNews& news) {
  if (news.round_is_over) queue_ = {};
  if (!news.queue || !least_delay_) return;
  queue_.least = queue_.samples == 0 ? *news.queue : std::min(queue_.least, *news.queue);
  const Duration allowed = std::clamp(*least_delay_ / 8, kLeastQueue, kMostQueue);
  if (++queue_.samples >= kEnoughSamples && queue_.least > allowed) phase_ = Phase::kDrain;
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
  const DataRate first = scale(packet_, kFirstWindow) / *least_delay_;
  return std::max(first, measured ? kStartGrowth * *measured : first);
}

void PacedWindow::timed_out(TimePoint /*now*/) { *this = PacedWindow{}; }

std::optional<TimePoint> PacedWindow::opens_at(DataSize size, const InFlight& in_flight, TimePoint now) const {
  const double after = static_cast<double>((in_flight.size + size).bytes());
  if (in_flight.packets > 0 && after > window()) return std::nullopt;
  return std::max(now, leaves_next_);
}

}  // namespace tributary::bonding
