#include "lending/yielding_rate.hh"

#include <algorithm>

namespace tributary::lending {
namespace {

constexpr double kFirst = 1e6, kFirstGrowth = 1.25;
constexpr double kHeaders = 1.06;  // bytes on the interface for a byte to a member
constexpr double kLately = 0.5;    // the weight of the newest tick
constexpr double kFades = 0.85;    // what the owner took, with each tick
constexpr double kComes = 0.88;    // of what is allowed; less is short
constexpr double kFollows = 0.95;  // of what is allowed: more would come
constexpr double kShrinks = 0.97;  // the capacity, with each tick that is short
constexpr int kTicksOfCrowd = 2, kShortTicks = 3;
constexpr std::size_t kTicksOfRate = 8;
constexpr double kFilled = 0.96;     // of the capacity
constexpr double kLittle = 0.02;     // of the capacity, as a probe
constexpr double kCrowded = 0.985;   // of the capacity
constexpr double kNearlyAll = 0.85;  // of the capacity
constexpr double kAlone = 0.2;       // the weight of the newest tick in which nothing was lent
constexpr double kOwner = 0.05;      // of the capacity: the owner is there
constexpr double kGrowthStep = 0.001, kMostGrowth = 0.02, kGrowthBesideOwner = 0.002, kGrowthWithout = 0.0006;
constexpr double kComesBack = 1.5, kComesBackBeside = 1.15, kComesBackFrom = 0.1, kProbe = 0.03;

void approach(double& value, double newest) { value += kLately * (newest - value); }

}  // namespace

YieldingRate::YieldingRate(std::optional<DataRate> most)
    : most_{most}, allowed_{most ? std::min(kFirst, most->bits_per_second()) : kFirst}, allowed_lately_{allowed_} {}

std::optional<DataRate> YieldingRate::capacity() const {
  return capacity_ > 0 ? std::optional{DataRate::bits_per_second(capacity_)} : std::nullopt;
}

bool YieldingRate::is_little(double rate) const { return rate <= kLittle * capacity_; }

bool YieldingRate::owner_is_there() const { return capacity_ > 0 && own_lately_ > kOwner * capacity_; }

void YieldingRate::tick(const Came& came) {
  if (came.time <= Duration{}) return;
  const double all = (came.all / came.time).bits_per_second(), lent = (came.lent / came.time).bits_per_second();
  const double own = std::max(0.0, all - kHeaders * lent);
  approach(lent_lately_, lent);
  approach(own_lately_, own);
  approach(allowed_lately_, allowed_);
  if (allowed_ == 0) own_alone_ += kAlone * (own - own_alone_);
  own_at_most_ = std::max(own_lately_, own_at_most_ * kFades);
  all_[ticks_++ % all_.size()] = {came.all, came.time};
  const bool full = came.wanted && lent_lately_ < kComes * allowed_lately_ && !is_little(allowed_lately_);
  learn(full, came.wanted);
  choose(full);
}

/// Bytes of less than a second say little: queues empty at once, and clocks are late.
double YieldingRate::seen(std::size_t until) const {
  DataSize size;
  Duration time{};
  for (std::size_t i = until - std::min(until, kTicksOfRate); i < until; ++i) {
    size += all_[i % all_.size()].first;
    time += all_[i % all_.size()].second;
  }
  return time > Duration{} ? (size / time).bits_per_second() : 0;
}

double YieldingRate::most_seen() const {
  const std::size_t known = std::min(ticks_, all_.size());
  double most = 0;
  for (std::size_t until = ticks_ - known + kTicksOfRate; until <= ticks_; ++until) most = std::max(most, seen(until));
  return most;
}

void YieldingRate::learn(bool full, bool wanted) {
  const double most = most_seen();
  short_ticks_ = full ? short_ticks_ + 1 : 0;
  if (short_ticks_ >= kShortTicks) {
    capacity_ = most;
    growth_ = 0;
  }
  if (capacity_ == 0 || !wanted) return;
  capacity_ = std::max(capacity_, most);
  if (allowed_ == 0) {
    capacity_ *= 1 + kGrowthWithout;
  } else if (full) {
    capacity_ = std::max(most, capacity_ * kShrinks);
  } else if (lent_lately_ > kFollows * allowed_lately_ && !is_little(allowed_lately_)) {
    growth_ = owner_is_there() ? kGrowthBesideOwner : std::min(growth_ + kGrowthStep, kMostGrowth);
    capacity_ *= 1 + growth_;
  }
}

/// What comes for members does not come for the owner.
bool YieldingRate::takes_from_owner() const {
  if (!owner_is_there() || own_alone_ < kNearlyAll * capacity_ || is_little(lent_lately_)) return false;
  return own_lately_ + kHeaders * lent_lately_ < own_alone_ + lent_lately_ / 2;
}

void YieldingRate::choose(bool full) {
  const double most = most_ ? most_->bits_per_second() : allowed_ * kComesBack + capacity_;
  if (capacity_ == 0) {
    if (!full) allowed_ = std::min(lent_lately_ > kComes * allowed_lately_ ? allowed_ * kFirstGrowth : allowed_, most);
    return;
  }
  const double left = std::max(0.0, (kFilled * capacity_ - own_at_most_) / kHeaders);
  const bool crowded = short_ticks_ >= kTicksOfCrowd || seen(ticks_) > kCrowded * capacity_;
  allowed_ = crowded && owner_is_there()
                 ? std::min(left, allowed_ / 2)
                 : std::min(left, std::max(allowed_ * (owner_is_there() ? kComesBackBeside : kComesBack),
                                           (owner_is_there() ? kProbe : kComesBackFrom) * capacity_));
  allowed_ = std::min(allowed_, most);
  if (takes_from_owner()) {
    allowed_ = 0;
    capacity_ = std::max(most_seen(), own_alone_);
  }
  if (is_little(allowed_)) allowed_ = 0;
  ticks_without_ = allowed_ < kComesBackFrom * capacity_ ? ticks_without_ + 1 : 0;
}

}  // namespace tributary::lending
