#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "accounts/link_budget.hh"
#include "units/data_size.hh"
#include "units/session_clock.hh"

namespace tributary {

/// The bytes that a tunnel takes of a link's cap, both ways. They are taken from the budget ahead, so that a program that is
/// killed never used more than it said.
class LinkAccount {
 public:
  /// Nothing is counted without a lease: the link is free.
  explicit LinkAccount(std::unique_ptr<LinkLease> lease) : lease_{std::move(lease)} {}
  LinkAccount(LinkAccount&& other) noexcept = default;
  LinkAccount& operator=(LinkAccount&& other) = delete;
  ~LinkAccount() {
    if (lease_) lease_->give_back(std::max(taken_ - used_, DataSize{}));
  }

  void used(DataSize size) {
    used_ += size;
    if (!lease_ || used_ - told_ < kTellEach) return;
    told_ = used_;
    lease_->not_requested(std::max(taken_ - used_, DataSize{}));
  }
  /// Whether bytes are left; takes more of the budget if few are. To be asked before the link is used, and again and again.
  bool allows(TimePoint now) {
    if (!lease_) return true;
    const bool few = taken_ - used_ < scale(kTakenAtOnce, 0.5);
    if (few && (why_not_.empty() || now >= asked_at_ + kAskAgain)) {
      Grant grant = lease_->take(used_ + kTakenAtOnce - taken_);
      asked_at_ = now;
      taken_ += grant.size;
      why_not_ = std::move(grant.why_not_more);
    }
    return taken_ > used_;
  }
  /// Empty: more may be had.
  const std::string& why_not() const { return why_not_; }

 private:
  static constexpr DataSize kTakenAtOnce{2'000'000}, kTellEach{100'000};
  static constexpr Duration kAskAgain = std::chrono::seconds{60};  // a reset day may come

  std::unique_ptr<LinkLease> lease_;
  DataSize taken_, used_, told_;
  std::string why_not_;
  TimePoint asked_at_{};
};

}  // namespace tributary
