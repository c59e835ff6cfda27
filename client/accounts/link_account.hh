#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

#include "accounts/link_budget.hh"
#include "units/data_size.hh"
#include "units/session_clock.hh"

namespace tributary {

/// The bytes that a program takes of a link's cap. They are taken from the budget ahead, so that a program that is
/// killed never used more than it said. At the end, the account gives back the bytes that it took and that did not come.
class LinkAccount {
 public:
  explicit LinkAccount(std::unique_ptr<LinkLease> lease) : lease_{std::move(lease)} {}
  LinkAccount(LinkAccount&& other) noexcept = default;
  LinkAccount& operator=(LinkAccount&& other) = delete;
  ~LinkAccount();

  /// Takes more of the budget if few bytes are left. A cap that had no more is asked again after a minute: a reset day
  /// may come, and other programs end and give back what they did not use.
  void look(TimePoint now);

  /// To be called before the request is sent.
  void requested(DataSize size);
  void received(DataSize size) { received_ += size; }
  /// Requested bytes will not come.
  void failed(DataSize size);
  /// Bytes that nobody requests come and go.
  void carried(DataSize size);

  /// Bytes that were taken, and may be requested in all.
  DataSize taken() const { return taken_; }
  /// More bytes may come than have come.
  bool allows_more() const { return taken_ > received_; }
  /// Why the budget gave less than was wanted; empty: more may be had.
  const std::string& why_not_more() const { return why_not_more_; }
  /// Of the cap, without these bytes.
  DataSize used_before() const { return used_before_; }

 private:
  void tell_lease() { lease_->not_requested(std::max(taken_ - requested_, DataSize{})); }

  std::unique_ptr<LinkLease> lease_;
  DataSize taken_, requested_, received_, used_before_;
  std::string why_not_more_;
  TimePoint asked_at_{};
};

}  // namespace tributary
