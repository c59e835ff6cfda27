#include "accounts/link_account.hh"

#include <algorithm>
#include <chrono>

namespace tributary {
namespace {

// When half of it is requested, more is taken: a link at 100 Mbit/s asks ten times a second at the most.
constexpr DataSize kTakenAtOnce{2'000'000};
constexpr DataSize kCountedAtOnce{100'000};  // of bytes that nobody requests
constexpr Duration kAsksAgain = std::chrono::seconds{60};

}  // namespace

LinkAccount::~LinkAccount() {
  if (lease_) lease_->give_back(std::max(taken_ - received_, DataSize{}));
}

void LinkAccount::look(TimePoint now) {
  const bool few = taken_ - requested_ < scale(kTakenAtOnce, 0.5);
  if (!few || (!why_not_more_.empty() && now < asked_at_ + kAsksAgain)) return;
  Grant grant = lease_->take(requested_ + kTakenAtOnce - taken_);
  asked_at_ = now;
  taken_ += grant.size;
  used_before_ = std::max(grant.used - taken_, DataSize{});
  why_not_more_ = std::move(grant.why_not_more);
}

void LinkAccount::requested(DataSize size) {
  requested_ += size;
  tell_lease();
}

void LinkAccount::failed(DataSize size) {
  requested_ -= size;
  tell_lease();
}

void LinkAccount::carried(DataSize size) {
  received(size);
  if (received_ <= requested_) return;
  requested(std::max(received_ - requested_, std::min(kCountedAtOnce, taken_ - requested_)));
}

}  // namespace tributary
