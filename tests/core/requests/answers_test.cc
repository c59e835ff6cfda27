#include "core/requests/answers.hh"

#include <gtest/gtest.h>

#include "core/session_state.hh"
#include "support/link_ids.hh"
#include "support/session_driver.hh"
#include "support/tables.hh"

namespace tributary {
namespace {

using namespace literals;
using namespace std::chrono_literals;
using testing::constant_table;
using testing::kWifi;
using testing::segment;

/// One segment of 100 kB, all of which a link was asked for, one second ago.
class AnswersTest : public ::testing::Test {
 protected:
  AnswersTest() {
    s.links.up(kWifi, "wifi", LinkUse::kUse, std::nullopt);
    s.book.add(s.book.begin(segment(0), QualityIndex{0}, s.timeline.table()));
    s.book.segments().front().take_new(100_kB);
    s.send(kWifi, s.book.segments().front(), {0, {0_B, 100_kB}, std::nullopt, 0}, "");
    s.now = TimePoint{1s};
  }

  SessionState s{constant_table(2, {100_kB}), {}};
  const RequestId request{1};
  const RequestId unknown{7};
};

TEST_F(AnswersTest, BytesThatCompleteASegmentMatterToAllStages) {
  EXPECT_FALSE(take_in(event::BytesReceived{request, 60_kB}, s));
  EXPECT_TRUE(take_in(event::BytesReceived{request, 40_kB}, s));
  EXPECT_EQ(s.book.take_complete_front(), segment(0));
}

TEST_F(AnswersTest, TheLinkIsMeasuredByTheAnswer) {
  take_in(event::ResponseBegan{request}, s);
  EXPECT_TRUE(s.book.find(request)->began);
  s.now += 1s;
  take_in(event::BytesReceived{request, 100_kB}, s);
  take_in(event::RequestDone{request}, s);
  EXPECT_EQ(s.links.at(kWifi).estimator->throughput(), 100_kB / Duration{1s});
  EXPECT_TRUE(s.book.outstanding().empty());
}

TEST_F(AnswersTest, SomethingCameSoThatNobodyWaitsInVain) {
  take_in(event::BytesReceived{request, 100_kB}, s);
  EXPECT_EQ(s.wait.since(), s.now);
}

TEST_F(AnswersTest, AnswersToNobodyChangeNothing) {
  take_in(event::ResponseBegan{unknown}, s);
  take_in(event::RequestDone{unknown}, s);
  EXPECT_TRUE(take_in(event::BytesReceived{unknown, 10_kB}, s));  // every stage looks
  EXPECT_EQ(s.book.bytes_to_come(), 100_kB);
}

}  // namespace
}  // namespace tributary
