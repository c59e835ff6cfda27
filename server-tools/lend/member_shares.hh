#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/steady_timer.hpp>
#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "lend/daily_use.hh"
#include "lend/turns.hh"
#include "lending/identity/peers.hh"
#include "lending/offers.hh"
#include "lending/yielding_rate.hh"
#include "units/data_rate.hh"

namespace tributary::lending {

/// What is lent: a rate, as far as the owner leaves it, and a number of bytes each day.
struct LendingLimits {
  std::optional<DataRate> rate, member_rate;
  DailyUse::Caps each_day{};
};

/// The connection of a member to an origin, as far as its rate is concerned.
class LentConnection {
 public:
  virtual ~LentConnection() = default;
  /// Bytes came since the last call.
  virtual bool has_brought() = 0;
  /// No more is to be under way to it than this rate needs.
  virtual void expect_at_most(DataRate rate) = 0;
  virtual void end() = 0;
};

/// What one member may take now. For one thread.
class MemberShare {
 public:
  MemberShare(const boost::asio::any_io_executor& executor, std::string key, DailyUse& use);
  ~MemberShare();
  MemberShare(const MemberShare&) = delete;

  /// Waits until something may be taken. 0: nothing more today, or the member is no longer one.
  boost::asio::awaitable<std::size_t> take(std::size_t wanted);
  void give_back(std::size_t unused);

  /// That it may still use today; nothing: any number of bytes.
  std::optional<DataSize> left_today() const;

  /// Of names, for its connections. The system's resolver may take long for each.
  Turns& look_ups() { return look_ups_; }
  /// Of connections that tell the status, of which each program of the member's has one.
  Turns& watchers() { return watchers_; }

  void add(LentConnection& connection) { connections_.insert(&connection); }
  void remove(LentConnection& connection) { connections_.erase(&connection); }
  std::size_t connections() const { return connections_.size(); }
  /// Ends its connections: it is no longer a member.
  void end();

 private:
  friend class MemberShares;

  bool reserve(std::size_t wanted);
  void give_reserved_back();
  void settle();
  void allow(DataRate rate, Duration time);
  void look_at_connections(DataRate rate);

  std::string key_;
  DailyUse& use_;
  boost::asio::steady_timer more_;
  Turns look_ups_, watchers_;
  double tokens_ = 0;  // bytes
  DailyUse::Taken reserved_;
  double taken_ = 0;  // bytes since the last division
  double rate_ = 0;   // that it has taken lately, in bytes per second
  int waiting_ = 0;   // calls of take()
  bool waited_ = false;
  bool ended_ = false;
  LentBytes lent_to_us_;
  DataSize lent_to_us_in_all_;
  std::set<LentConnection*> connections_;
};

/// Divides what is lent among members.
class MemberShares {
 public:
  static constexpr Duration kTick = std::chrono::milliseconds{5};

  MemberShares(boost::asio::any_io_executor executor, LendingLimits limits, DailyUse& use);

  std::shared_ptr<MemberShare> of(const Peer& member);
  void remove_all_but(const std::vector<Peer>& members);

  /// To be called every kTick; what a late call has missed is allowed by the next one. `received`: over the lent link in all; nothing: it is not counted, and its owner is taken
  /// to leave everything.
  void tick(const std::function<std::optional<DataSize>()>& received, TimePoint now);
  /// What a member has lent us in all, as counted here.
  void lent_to_us(const MemberKey& member, DataSize in_all, TimePoint now);
  /// Bytes came from an origin.
  void came(std::size_t bytes) { came_ += DataSize{static_cast<std::int64_t>(bytes)}; }
  /// Gives back what was taken of caps and not used. Nothing can be taken afterwards.
  void settle();
  /// Somebody borrows something now.
  bool any() const;
  /// The owner needs the uplink.
  bool is_taken() const { return yielding_.is_taken(); }

 private:
  void look_at_owner(std::optional<DataSize> received, TimePoint now);
  DataRate wanted_by(const MemberShare& share) const;

  boost::asio::any_io_executor executor_;
  LendingLimits limits_;
  DailyUse& use_;
  YieldingRate yielding_;
  std::map<MemberKey, std::shared_ptr<MemberShare>> shares_;
  DataSize came_;                     // since the last look at the owner
  DataSize came_before_;              // between the two looks before
  std::optional<DataSize> received_;  // at the last look
  TimePoint looked_at_{};
  std::optional<TimePoint> ticked_at_;
  int ticks_ = 0;
  bool counted_ = false;  // the link is
};

}  // namespace tributary::lending
