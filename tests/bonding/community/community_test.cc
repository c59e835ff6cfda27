#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "bonding/community/community_database.hh"
#include "bonding/community/monitoring_agent.hh"

namespace tributary::bonding {
namespace {

using namespace literals;
using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

LocalReport report(std::uint32_t member, TimePoint stated_at, double loss = 0) {
  return {.member = static_cast<MemberId>(member),
          .stated_at = stated_at,
          .links = {{.name = "lte", .rate = 115_kbps, .loss = loss}}};
}

TEST(CommunityDatabase, TheNewestReportOfAMemberCounts) {
  CommunityDatabase database{3s};
  EXPECT_TRUE(database.take_in(report(1, TimePoint{5s}, 0.1), TimePoint{100s}));
  EXPECT_FALSE(database.take_in(report(1, TimePoint{4s}, 0.2), TimePoint{101s}));
  EXPECT_FALSE(database.take_in(report(1, TimePoint{5s}, 0.3), TimePoint{101s}));
  EXPECT_THAT(database.members(TimePoint{101s}), ElementsAre(report(1, TimePoint{5s}, 0.1)));
  EXPECT_TRUE(database.take_in(report(1, TimePoint{6s}, 0.4), TimePoint{101s}));
  EXPECT_THAT(database.members(TimePoint{101s}), ElementsAre(report(1, TimePoint{6s}, 0.4)));
}

TEST(CommunityDatabase, AMemberThatFallsSilentIsForgotten) {
  CommunityDatabase database{3s};
  database.take_in(report(1, TimePoint{900s}), TimePoint{100s});
  EXPECT_THAT(database.members(TimePoint{102999ms}), SizeIs(1));
  EXPECT_THAT(database.members(TimePoint{103s}), IsEmpty());
  EXPECT_TRUE(database.take_in(report(1, TimePoint{1s}), TimePoint{103s}));  // it began again, and so did its clock
}

/// Else an old report in another member's would bring it back.
TEST(CommunityDatabase, AMemberThatLeavesIsGoneAtOnce) {
  CommunityDatabase database{3s};
  database.take_in(report(1, TimePoint{1s}), TimePoint{100s});
  LocalReport farewell = report(1, TimePoint{2s});
  farewell.leaves = true;
  database.take_in(farewell, TimePoint{100s});
  EXPECT_THAT(database.members(TimePoint{100s}), IsEmpty());
  EXPECT_FALSE(database.take_in(report(1, TimePoint{1s}), TimePoint{100s}));
}

/// Members on a LAN of this delay, on which some reports are lost.
class Community {
 public:
  Community(std::uint32_t members, Duration delay, double loss, std::uint64_t seed)
      : delay_{delay}, loss_{loss}, random_{seed} {
    for (std::uint32_t i = 0; i < members; ++i)
      agents_.emplace_back(static_cast<MemberId>(i), ReportTimes{}, random_.next(), TimePoint{});
  }

  void run_until(TimePoint end) {
    while (true) {
      const auto next = std::ranges::min_element(agents_, {}, [&](const MonitoringAgent& agent) {
        return is_silent(agent) ? TimePoint::max() : agent.next_deadline();
      });
      const TimePoint message = messages_.empty() ? TimePoint::max() : messages_.begin()->first;
      const TimePoint at = std::min(next->next_deadline(), message);
      if (at > end) return;
      if (at == message) {
        deliver(messages_.extract(messages_.begin()).mapped(), at);
      } else {
        wake(*next, at);
      }
    }
  }

  std::vector<TimePoint> to_proxy;
  std::vector<LocalReport> at_proxy;
  std::size_t to_members = 0;
  std::optional<std::size_t> silent;  // a member that fails
  MonitoringAgent& agent(std::size_t i) { return agents_[i]; }

 private:
  struct Message {
    std::size_t to;
    MonitoringAgent::Due what;
  };
  bool is_silent(const MonitoringAgent& agent) const { return silent && &agent == &agents_[*silent]; }
  void wake(MonitoringAgent& agent, TimePoint now) {
    const auto due = agent.wake({.links = {{.name = "lte", .rate = 115_kbps}}}, now);
    if (due.to_members) ++to_members;
    if (due.to_proxy) {
      to_proxy.push_back(now);
      at_proxy = due.to_proxy->members;
    }
    for (std::size_t to = 0; to < agents_.size(); ++to)
      if (&agents_[to] != &agent && random_.uniform() >= loss_) messages_.emplace(now + delay_, Message{to, due});
  }
  void deliver(const Message& message, TimePoint now) {
    if (is_silent(agents_[message.to])) return;
    if (message.what.to_members) agents_[message.to].heard(*message.what.to_members, now);
    if (message.what.to_proxy) agents_[message.to].heard(*message.what.to_proxy, now);
  }

  Duration delay_;
  double loss_;
  SplitMix random_;
  std::vector<MonitoringAgent> agents_;
  std::multimap<TimePoint, Message> messages_;
};

/// The least of N + 1 parts of S_d passes before the first timer of N members ends.
TEST(Suppression, OneReportGoesToTheProxyInEachInterval) {
  constexpr Duration kDelay = 2ms;
  Community community{10, kDelay, 0, 1};
  community.run_until(TimePoint{1000s});
  std::size_t intervals = 0;
  for (std::size_t i = 1; i < community.to_proxy.size(); ++i) {
    const Duration gap = community.to_proxy[i] - community.to_proxy[i - 1];
    EXPECT_TRUE(gap <= kDelay || gap >= 5s) << to_seconds(gap);
    EXPECT_LE(gap, 6s + kDelay);
    if (gap > kDelay) ++intervals;
  }
  const double expected = 1000 / (5 + 1.0 / 11 + to_seconds(kDelay));
  EXPECT_NEAR(static_cast<double>(intervals + 1), expected, 3);
  EXPECT_LE(community.to_proxy.size(), intervals + 1 + 10);  // 2 ms of a spread of 1 s: few overlap
  EXPECT_EQ(community.to_members, 10'010U);
  EXPECT_THAT(community.at_proxy, SizeIs(10));
}

TEST(Suppression, LossMakesMoreReportsAndNeverFewer) {
  Community community{10, 2ms, 0.2, 2};
  community.run_until(TimePoint{1000s});
  Duration longest{};
  for (std::size_t i = 1; i < community.to_proxy.size(); ++i)
    longest = std::max(longest, community.to_proxy[i] - community.to_proxy[i - 1]);
  EXPECT_LE(longest, 6s + 2ms);
  EXPECT_GT(community.to_proxy.size(), 197U);
}

TEST(Suppression, OthersReportWhenAMemberFallsSilent) {
  Community community{3, 2ms, 0, 3};
  community.run_until(TimePoint{20s});
  EXPECT_THAT(community.at_proxy, SizeIs(3));
  community.silent = 1;
  community.run_until(TimePoint{40s});
  EXPECT_THAT(community.at_proxy, SizeIs(2));
  EXPECT_GE(community.to_proxy.back(), TimePoint{33s});
}

TEST(MonitoringAgent, TellsAtOnceWhatHasChanged) {
  MonitoringAgent agent{MemberId{1}, {}, 1, TimePoint{}};
  EXPECT_TRUE(agent.wake({}, TimePoint{}).to_members);
  EXPECT_FALSE(agent.wake({}, TimePoint{300ms}).to_members);
  agent.changed(TimePoint{300ms});
  EXPECT_EQ(agent.next_deadline(), TimePoint{300ms});
  const auto due = agent.wake({.energy = 0.1}, TimePoint{300ms});
  ASSERT_TRUE(due.to_members);
  EXPECT_EQ(due.to_members->member, MemberId{1});
  EXPECT_EQ(due.to_members->energy, 0.1);
  EXPECT_EQ(agent.next_deadline(), TimePoint{1300ms});
}

/// An echo of its own must not count as news.
TEST(MonitoringAgent, KnowsItselfBetterThanOthersDo) {
  MonitoringAgent agent{MemberId{1}, {}, 1, TimePoint{}};
  agent.heard(ProxyReport{{report(1, TimePoint{99s}, 0.5), report(2, TimePoint{99s})}}, TimePoint{100ms});
  agent.wake({.links = {}}, TimePoint{200ms});
  ASSERT_THAT(agent.members(TimePoint{200ms}), SizeIs(2));
  EXPECT_THAT(agent.members(TimePoint{200ms})[0].links, IsEmpty());
}

}  // namespace
}  // namespace tributary::bonding
