#include "simulation/congestion_window.hh"

#include <algorithm>
#include <chrono>
#include <cmath>

namespace tributary {
namespace {

using namespace std::chrono_literals;

constexpr double kBeta = 0.7;                                  // RFC 9438 section 4.6
constexpr double kC = 0.4;                                     // RFC 9438 section 5
constexpr double kRenoGrowth = 3 * (1 - kBeta) / (1 + kBeta);  // section 4.3

}  // namespace

void CongestionWindow::acknowledged(TimePoint now, Duration round_trip, double peak) {
  least_round_trip_ = least_round_trip_ ? std::min(*least_round_trip_, round_trip) : round_trip;
  if (slow_start()) {
    leave_slow_start_if_delayed(now, round_trip);
    if (slow_start() && window_ < 2 * peak) window_ += 1;
  } else if (peak + 1 > window_) {
    grow_cubic(now, round_trip);
  }
}

void CongestionWindow::lost() {
  window_before_loss_ = window_;
  window_ = std::max(2.0, window_ * kBeta);
  threshold_ = window_;
  epoch_.reset();
}

void CongestionWindow::timed_out() {
  window_before_loss_ = window_;
  threshold_ = std::max(2.0, window_ * kBeta);
  window_ = 1;
  epoch_.reset();
}

void CongestionWindow::idle_ended(Duration idle, Duration timeout) {
  if (idle < timeout) return;
  threshold_ = std::max(threshold_, 0.75 * window_);
  for (Duration left = idle; left >= timeout && window_ > kInitialWindow; left -= timeout) window_ /= 2;
  window_ = std::max(window_, std::min(kInitialWindow, threshold_));
  epoch_.reset();
}

void CongestionWindow::leave_slow_start_if_delayed(TimePoint now, Duration round_trip) {
  if (now >= round_ends_) {
    round_ends_ = now + round_trip;
    round_least_.reset();
    round_samples_ = 0;
  }
  round_least_ = round_least_ ? std::min(*round_least_, round_trip) : round_trip;
  if (++round_samples_ < 8 || window_ < 16) return;
  const Duration tolerated = std::clamp<Duration>(*least_round_trip_ / 8, 4ms, 16ms);
  if (*round_least_ > *least_round_trip_ + tolerated) threshold_ = window_;
}

void CongestionWindow::grow_cubic(TimePoint now, Duration round_trip) {
  if (!epoch_) {
    epoch_ = now;
    reno_window_ = window_;
    window_before_loss_ = std::max(window_before_loss_, window_);
    seconds_to_regain_ = std::cbrt(window_before_loss_ * (1 - kBeta) / kC);
  }
  const double t = to_seconds(now + round_trip - *epoch_) - seconds_to_regain_;
  const double target = std::min(kC * t * t * t + window_before_loss_, 1.5 * window_);
  reno_window_ += kRenoGrowth / window_;
  const double cubic = target > window_ ? (target - window_) / window_ : 0.01 / window_;
  window_ = std::max(window_ + cubic, reno_window_);
}

}  // namespace tributary
