#include "lending/yielding_rate.hh"

#include <algorithm>

namespace tributary::lending {
namespace {

constexpr double kFirst = 1e6, kFirstGrowth = 1.5;
constexpr double kHeaders = 1.06;  // bytes on the interface for a byte to a member
constexpr double kLately = 0.5;    // the weight of the newest tick
constexpr double kOwners = 0.3;    // the same, of what is left to the owner
constexpr double kAlone = 0.2;     // the same, of ticks in which nothing was lent
constexpr double kComes = 0.88;    // of what is allowed; less is short
constexpr double kShrinks = 0.97;  // the capacity, with each tick that is short
constexpr int kShortTicks = 3;
constexpr std::size_t kTicksOfRate = 8;
// Of the capacity.
constexpr double kFilled = 0.96;
constexpr double kLittle = 0.02;  // as a probe
constexpr double kNearlyFull = 0.95, kCrowded = 0.985;
constexpr double kNearlyAll = 0.85;
constexpr double kOwner = 0.05;  // the owner is there
// Beyond the capacity.
constexpr double kTried = 0.05, kMostTried = 0.4;
constexpr double kHasCome = 0.4;  // of what was tried
constexpr int kTicksOfTrial = 8, kTicksBetween = 32;
constexpr double kGrowthWithout = 0.0006;  // with each tick
// When the owner wants more: ticks that are short, in which the uplink is full or is not, and what stays then.
constexpr int kTicksOfCrowd = 2, kTicksOfDrop = 6;
constexpr unsigned kTicksBetweenCuts = 4;
constexpr double kCutIfShort = 0.5, kCut = 0.7;
constexpr double kComesBack = 1.5, kComesBackBeside = 1.15, kComesBackFrom = 0.1, kProbe = 0.03;

void approach(double& value, double newest, double weight = kLately) { value += weight * (newest - value); }

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
  if (allowed_ == 0) approach(own_alone_, own, kAlone);
  approach(owners_, own, kOwners);
  seen_.add(came.all, came.time);
  allowed_before_[++ticks_ % allowed_before_.size()] = allowed_lately_;
  const double could_come = *std::ranges::min_element(allowed_before_);
  const bool full = came.wanted && lent_lately_ < kComes * could_come && !is_little(could_come);
  learn(full, came.wanted);
  choose(full);
}

/// Bytes of less than a second say little: queues empty at once, and clocks are late.
double YieldingRate::Seen::until(std::size_t tick) const {
  DataSize size;
  Duration time{};
  for (std::size_t i = tick - std::min(tick, kTicksOfRate); i < tick; ++i) {
    size += ticks_[i % ticks_.size()].first;
    time += ticks_[i % ticks_.size()].second;
  }
  return time > Duration{} ? (size / time).bits_per_second() : 0;
}

double YieldingRate::Seen::most() const {
  const std::size_t known = std::min(count_, ticks_.size());
  double most = 0;
  for (std::size_t tick = count_ - known + kTicksOfRate; tick <= count_; ++tick) most = std::max(most, until(tick));
  return most;
}

void YieldingRate::learn(bool full, bool wanted) {
  const double most = seen_.most();
  short_ticks_ = full ? short_ticks_ + 1 : 0;
  if (short_ticks_ >= kShortTicks) capacity_ = most;
  if (!wanted) end_trial();
  if (capacity_ == 0 || !wanted) return;
  capacity_ = std::max(capacity_, most);
  if (allowed_ == 0)
    capacity_ *= 1 + kGrowthWithout;
  else if (full)
    capacity_ = std::max(most, capacity_ * kShrinks);
  try_more(full);
}

/// More than the capacity is tried for a moment now and then; where it comes, twice as much more at once.
void YieldingRate::try_more(bool full) {
  if (allowed_ == 0) return end_trial();
  if (trial_.beyond == 0 || trial_.ticks == kTicksOfTrial + kTicksBetween) trial_ = {capacity_, owners_, kTried};
  if (++trial_.ticks != kTicksOfTrial || full) return;
  const bool has_come = seen_.lately() > trial_.capacity * (1 + kHasCome * trial_.beyond);
  if (has_come) trial_ = {capacity_, owners_, std::min(2 * trial_.beyond, kMostTried)};
}

void YieldingRate::end_trial() { trial_.ticks = std::max(trial_.ticks, kTicksOfTrial); }

/// If a trial takes bytes from the owner, members do not get them.
double YieldingRate::left() const {
  const bool tries = trial_.ticks < kTicksOfTrial && short_ticks_ < kTicksOfCrowd;
  const double free =
      tries ? (1 + trial_.beyond) * trial_.capacity - std::max(trial_.owners, owners_) : kFilled * capacity_ - owners_;
  return std::max(0.0, free / kHeaders);
}

bool YieldingRate::is_crowded() const {
  const double filled = seen_.lately() / capacity_;
  const bool of_trial = trial_.ticks <= 2 * kTicksOfTrial;
  return short_ticks_ >= (filled > kNearlyFull ? kTicksOfCrowd : kTicksOfDrop) || (!of_trial && filled > kCrowded);
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
  const bool beside = owner_is_there();
  if (beside && is_crowded()) {
    const bool cuts = ticks_ >= cut_at_ + kTicksBetweenCuts;
    if (cuts) cut_at_ = ticks_;
    if (cuts) allowed_ *= short_ticks_ > 0 ? kCutIfShort : kCut;
  } else {
    allowed_ =
        std::max(allowed_ * (beside ? kComesBackBeside : kComesBack), (beside ? kProbe : kComesBackFrom) * capacity_);
  }
  allowed_ = std::min(allowed_, left());
  allowed_ = std::min(allowed_, most);
  if (takes_from_owner()) {
    allowed_ = 0;
    capacity_ = std::max(seen_.most(), own_alone_);
    end_trial();
  }
  if (is_little(allowed_)) allowed_ = 0;
  ticks_without_ = allowed_ < kComesBackFrom * capacity_ ? ticks_without_ + 1 : 0;
}

}  // namespace tributary::lending
