#include "core/links/vain_wait.hh"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/session_driver.hh"
#include "support/tables.hh"

namespace tributary {
namespace {

using namespace literals;
using namespace std::chrono_literals;
using testing::constant_table;
using testing::SessionDriver;

/// Since when, after a minute in which so much came at a time.
TimePoint after_a_minute_of(DataSize size, Duration every) {
  VainWait wait{1_kbps};
  for (TimePoint at{every}; at <= TimePoint{60s}; at += every) wait.received(size, at);
  return wait.since();
}

TEST(VainWait, AByteEachSecondIsAsGoodAsNone) {
  EXPECT_EQ(after_a_minute_of(1_B, 1s), TimePoint{60 * 8ms});
  EXPECT_EQ(after_a_minute_of(124_B, 1s), TimePoint{60 * 992ms});
}

TEST(VainWait, WhatIsSlowButOfUseIsNotInVain) {
  EXPECT_EQ(after_a_minute_of(125_B, 1s), TimePoint{60s});
  EXPECT_EQ(after_a_minute_of(16_kB, 6s), TimePoint{60s});  // GPRS, and TLS, whose records come whole
}

TEST(VainWait, KnowsWhatCameMeanwhile) {
  VainWait wait{1_kbps};
  wait.received(10_B, TimePoint{1s});
  wait.received(10_B, TimePoint{2s});
  EXPECT_EQ(wait.came(), 20_B);
  wait.received(10_kB, TimePoint{3s});
  EXPECT_EQ(wait.came(), 0_B);
  EXPECT_EQ(wait.since(), TimePoint{3s});
}

TEST(VainWait, AnotherConnectionIsTriedEveryHalfMinute) {
  VainWait wait{1_kbps};
  wait.restart(TimePoint{8s});
  EXPECT_EQ(wait.renewal(), TimePoint::max());  // an origin may be silent for as long as it needs
  wait.received(250_B, TimePoint{11s});
  EXPECT_EQ(wait.renewal(), TimePoint{40s});
  wait.renewed(TimePoint{40s});
  EXPECT_EQ(wait.renewal(), TimePoint{70s});
  wait.received(250_B, TimePoint{71s});
  EXPECT_EQ(wait.renewal(), TimePoint{70s});
}

SessionOptions one_request_at_a_time(StreamingMode mode) {
  SessionOptions options;
  options.mode = mode;
  options.subsegments = SubsegmentApproach::kStatic;
  options.subsegment_size = 2_MB;
  options.depth = 1;
  return options;
}

/// So much of what is asked for every second, for a hundred seconds at the most. Abandoned requests end, as they do in a world.
void trickle(SessionDriver& d, DataSize each_second) {
  std::size_t abandoned = 0;
  for (int second = 0; second < 100 && !d.session().finished(); ++second) {
    d.wait(1s);
    while (abandoned < d.all<action::AbandonRequests>().size()) {
      ++abandoned;
      d.fail(*d.unanswered().begin(), FailureReason::kAbandoned);
    }
    if (!d.session().finished()) d.happens(event::BytesReceived{*d.unanswered().begin(), each_second});
  }
}

TEST(SessionInVain, ADownloadByTheByteIsTriedOnAnotherConnectionAndGivenUp) {
  SessionDriver d{constant_table(3, {100_kB}), one_request_at_a_time(StreamingMode::kDownload)};
  d.link_up(0, "lte");
  trickle(d, 1_B);
  ASSERT_FALSE(d.all<action::AbandonRequests>().empty());
  EXPECT_EQ(d.all<action::SendRequest>()[1].range, (ByteRange{30_B, 100_kB}));  // what came is kept
  ASSERT_EQ(d.all<action::Finish>().size(), 1U);
  EXPECT_LE(d.now(), TimePoint{62s});
  EXPECT_THAT(d.all<action::Finish>()[0].reason, ::testing::StartsWith("next to nothing (60 bytes) came for 60 s"));
  EXPECT_THAT(d.all<action::Finish>()[0].reason, ::testing::HasSubstr("on lte owes"));
}

// 400 kB after half a minute make up for 24 s, so that half a minute without use is over at 54 s.
TEST(SessionInVain, AnAnswerThatHasNotBegunIsWaitedFor) {
  SessionOptions options = one_request_at_a_time(StreamingMode::kOnDemand);
  options.subsegment_size = 400_kB;
  SessionDriver d{constant_table(3, {2000_kB}), options};
  d.link_up(0, "lte");
  d.wait(30s);
  d.answer(*d.unanswered().begin());
  d.wait(45s);
  EXPECT_TRUE(d.all<action::AbandonRequests>().empty());
  EXPECT_FALSE(d.session().finished());
}

TEST(SessionInVain, ASlowDownloadGoesOn) {
  SessionDriver d{constant_table(3, {1000_kB}), one_request_at_a_time(StreamingMode::kDownload)};
  d.link_up(0, "lte");
  trickle(d, 300_B);  // Iridium
  EXPECT_FALSE(d.session().finished());
  EXPECT_TRUE(d.all<action::AbandonRequests>().empty());
}

// The lowest quality takes 2 MB in 2 s: a second of it in a minute is 16.7 kB each second.
TEST(SessionInVain, AStreamNeedsASecondOfItInAMinute) {
  for (const DataSize each_second : {8_kB, 17_kB}) {
    SessionDriver d{constant_table(3, {2000_kB}), one_request_at_a_time(StreamingMode::kOnDemand)};
    d.link_up(0, "lte");
    trickle(d, each_second);
    EXPECT_EQ(d.all<action::AbandonRequests>().empty(), each_second == 17_kB);
  }
}

}  // namespace
}  // namespace tributary
