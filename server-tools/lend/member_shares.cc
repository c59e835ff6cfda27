#include "lend/member_shares.hh"

#include <algorithm>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <utility>

#include "bonding/handshake/key_text.hh"

namespace tributary::lending {
namespace {

namespace asio = boost::asio;

constexpr int kWatchersAtOnce = 8;
constexpr int kLookUpsAtOnce = 4;  // as a page with several origins needs
constexpr std::size_t kMostAtOnce = 16'384;
constexpr double kBlock = 1e6;         // bytes of a cap that are taken ahead, at least
constexpr double kBlockSeconds = 2;    // of what it takes
constexpr double kSaved = 0.1;         // s of the rate, for a member that had nothing to take
constexpr double kLately = 0.025;      // the weight of the newest division
constexpr double kHeadroom = 1.5;      // for a member that takes less than it may
constexpr double kLeastWanted = 64e3;  // bits per second
constexpr int kTicksOfLook = static_cast<int>(YieldingRate::kTick / MemberShares::kTick);
const DataRate kAny = DataRate::bits_per_second(100e9);

}  // namespace

MemberShare::MemberShare(const asio::any_io_executor& executor, std::string key, DailyUse& use)
    : key_{std::move(key)},
      use_{use},
      more_{executor, asio::steady_timer::time_point::max()},
      look_ups_{executor, kLookUpsAtOnce},
      watchers_{executor, kWatchersAtOnce} {}

MemberShare::~MemberShare() { settle(); }

void MemberShare::settle() {
  ended_ = true;
  give_reserved_back();
}

void MemberShare::give_reserved_back() {
  use_.give_back(key_, reserved_);
  reserved_.size = {};
}

/// Of today's caps: what is left of an earlier day's is not carried over.
bool MemberShare::reserve(std::size_t wanted) {
  const auto size = DataSize{static_cast<std::int64_t>(wanted)};
  if (reserved_.day < use_.today()) give_reserved_back();
  if (reserved_.size < size) {
    const auto block = static_cast<std::int64_t>(std::max(kBlock, kBlockSeconds * rate_));
    const DailyUse::Taken more = use_.take(key_, std::max(size, DataSize{block}));
    if (reserved_.day < more.day) give_reserved_back();
    reserved_ = {more.day, reserved_.size + more.size};
  }
  return reserved_.size > DataSize{};
}

asio::awaitable<std::size_t> MemberShare::take(std::size_t wanted) {
  while (!ended_) {
    const double allowed = std::min(tokens_, static_cast<double>(std::min(wanted, kMostAtOnce)));
    if (allowed >= 1) {
      if (!reserve(static_cast<std::size_t>(allowed))) co_return 0;
      const auto size = std::min(static_cast<std::size_t>(allowed), static_cast<std::size_t>(reserved_.size.bytes()));
      tokens_ -= static_cast<double>(size);
      taken_ += static_cast<double>(size);
      reserved_.size -= DataSize{static_cast<std::int64_t>(size)};
      co_return size;
    }
    waited_ = true;
    ++waiting_;
    boost::system::error_code ignored;
    co_await more_.async_wait(asio::redirect_error(asio::use_awaitable, ignored));
    --waiting_;
  }
  co_return 0;
}

void MemberShare::give_back(std::size_t unused) {
  tokens_ += static_cast<double>(unused);
  taken_ -= static_cast<double>(unused);
  reserved_.size += DataSize{static_cast<std::int64_t>(unused)};
}

std::optional<DataSize> MemberShare::left_today() const {
  const auto left = use_.left(key_);
  const DataSize reserved = reserved_.day < use_.today() ? DataSize{} : reserved_.size;
  return left ? std::optional{*left + reserved} : std::nullopt;
}

void MemberShare::end() {
  ended_ = true;
  more_.cancel();
  for (LentConnection* connection : std::set{connections_}) connection->end();
}

void MemberShare::allow(DataRate rate, Duration time) {
  const double each_second = rate.bits_per_second() / 8;
  tokens_ = std::min(tokens_ + each_second * to_seconds(time), each_second * kSaved);
  if (time > Duration{}) rate_ += kLately * (taken_ / to_seconds(time) - rate_);
  taken_ = 0;
  if (tokens_ >= 1 && waiting_ > 0) more_.cancel();
}

void MemberShare::look_at_connections(DataRate rate) {
  const auto busy = std::ranges::count_if(connections_, [](LentConnection* each) { return each->has_brought(); });
  const DataRate each = rate / static_cast<double>(std::max<std::ptrdiff_t>(busy, 1));
  for (LentConnection* connection : connections_) connection->expect_at_most(each);
}

MemberShares::MemberShares(asio::any_io_executor executor, LendingLimits limits, DailyUse& use)
    : executor_{std::move(executor)}, limits_{limits}, use_{use}, yielding_{limits.rate} {}

std::shared_ptr<MemberShare> MemberShares::of(const Peer& member) {
  auto& share = shares_[member.key];
  if (!share) share = std::make_shared<MemberShare>(executor_, bonding::key_text(member.key), use_);
  return share;
}

void MemberShares::remove_all_but(const std::vector<Peer>& members) {
  std::erase_if(shares_, [&](const auto& entry) {
    const bool stays = std::ranges::find(members, entry.first, &Peer::key) != members.end();
    if (!stays) entry.second->end();
    return !stays;
  });
}

void MemberShares::settle() {
  for (const auto& [key, share] : shares_) share->settle();
}

bool MemberShares::any() const {
  return std::ranges::any_of(shares_, [](const auto& entry) { return entry.second->connections() > 0; });
}

DataRate MemberShares::wanted_by(const MemberShare& share) const {
  const DataRate most = limits_.member_rate.value_or(kAny);
  if (share.waited_) return most;
  return std::min(most, DataRate::bits_per_second(std::max(share.rate_ * 8 * kHeadroom, kLeastWanted)));
}

void MemberShares::look_at_owner(std::optional<DataSize> received, TimePoint now) {
  if (received && received_ && *received >= *received_) {
    const auto waited = [](const auto& entry) { return entry.second->waited_; };
    const bool flows = came_ > DataSize{} && came_before_ > DataSize{};
    yielding_.tick({now - looked_at_, *received - *received_, came_, flows || std::ranges::any_of(shares_, waited)});
  }
  counted_ = received.has_value();
  received_ = received;
  looked_at_ = now;
  came_before_ = std::exchange(came_, DataSize{});
}

void MemberShares::tick(const std::function<std::optional<DataSize>()>& received, TimePoint now) {
  const bool looks = ++ticks_ % kTicksOfLook == 0;
  if (looks) look_at_owner(received(), now);
  std::vector<Borrower> borrowers;
  for (const auto& [key, share] : shares_)
    borrowers.push_back({share->lent_to_us_.at(now), share->connections() > 0 ? wanted_by(*share) : DataRate{}});
  const DataRate all = counted_ ? yielding_.rate() : limits_.rate.value_or(kAny);
  const std::vector<DataRate> divided = divide(all, borrowers);
  const Duration time = std::max(now - ticked_at_.value_or(now - kTick), Duration{});
  ticked_at_ = now;
  std::size_t next = 0;
  for (const auto& [key, share] : shares_) {
    const DataRate rate = divided[next++];
    share->allow(rate, time);
    if (!looks) continue;
    share->look_at_connections(rate);
    share->waited_ = share->waiting_ > 0;
  }
}

void MemberShares::lent_to_us(const MemberKey& member, DataSize in_all, TimePoint now) {
  const auto found = shares_.find(member);
  if (found == shares_.end()) return;
  MemberShare& share = *found->second;
  if (in_all > share.lent_to_us_in_all_)
    share.lent_to_us_.came(static_cast<double>((in_all - share.lent_to_us_in_all_).bytes()), now);
  share.lent_to_us_in_all_ = in_all;
}

}  // namespace tributary::lending
