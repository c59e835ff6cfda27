#include "download/beside/session_watch.hh"

#include <gtest/gtest.h>

namespace tributary {
namespace {

using namespace literals;
using namespace std::chrono_literals;

constexpr TimePoint kStart{10s};

/// A file of 300 kB in three chunks, which the session fetches from the last one on.
class SessionWatchTest : public ::testing::Test {
 protected:
  static Event failure(FailureReason reason) {
    return event::RequestFailed{.request = RequestId{1}, .reason = reason, .detail = "refused"};
  }
  static Action start_of(SegmentIndex segment) {
    action::StartSegment start;
    start.segment = segment;
    return start;
  }

  std::vector<ByteRange> chunks_{{200_kB, 300_kB}, {100_kB, 200_kB}, {0_kB, 100_kB}};
  SessionWatch watch_{chunks_, 300_kB};
};

TEST_F(SessionWatchTest, AllBehindTheChunkThatWasBegunLastIsTheSessions) {
  EXPECT_EQ(watch_.seen().from, 300_kB);
  watch_.on_action(start_of(SegmentIndex{1}), kStart);
  EXPECT_EQ(watch_.seen().begun, 2u);
  EXPECT_EQ(watch_.seen().from, 100_kB);
  EXPECT_FALSE(watch_.seen().begins_no_more);
}

TEST_F(SessionWatchTest, OfASharedChunkTheFrontIsTheAnswers) {
  watch_.on_event(event::RestArrived{.segment = SegmentIndex{3}, .shared = SegmentIndex{1}, .until = 40_kB}, kStart);
  watch_.on_action(start_of(SegmentIndex{1}), kStart);
  EXPECT_EQ(watch_.seen().from, 140_kB);
  EXPECT_TRUE(watch_.seen().begins_no_more);
}

TEST_F(SessionWatchTest, TheLongestSilenceBeginsWithTheFirstRequest) {
  watch_.on_action(action::SendRequest{}, kStart);
  watch_.on_event(event::BytesReceived{.size = 1_kB}, kStart + 3s);
  watch_.on_event(event::BytesReceived{.size = 2_kB}, kStart + 4s);
  EXPECT_EQ(watch_.seen().stillest, 3s);
  EXPECT_EQ(watch_.seen().received, 3_kB);
}

TEST_F(SessionWatchTest, ItsRateIsKnownWhenItHasBroughtBytesForAsLongAsTheFirstTook) {
  watch_.on_action(action::SendRequest{}, kStart);
  EXPECT_FALSE(watch_.seen().rate(kStart + 50ms));
  watch_.on_event(event::BytesReceived{.size = 1_kB}, kStart + 100ms);
  EXPECT_FALSE(watch_.seen().rate(kStart + 199ms)) << "1 kB in 199 ms says nothing of what the links can do";
  watch_.on_event(event::BytesReceived{.size = 99_kB}, kStart + 200ms);
  EXPECT_EQ(watch_.seen().rate(kStart + 200ms), 8_Mbps);
}

TEST_F(SessionWatchTest, ARangeThatIsRefusedMayComeOverAnotherLink) {
  EXPECT_TRUE(watch_.on_event(failure(FailureReason::kRangeIgnored), kStart));
  EXPECT_EQ(watch_.failure(), FailureReason::kRangeIgnored);
  EXPECT_FALSE(watch_.on_event(failure(FailureReason::kStalled), kStart));
  EXPECT_EQ(watch_.failure(), FailureReason::kRangeIgnored) << "a stall says nothing of ranges";
  watch_.something_came();
  EXPECT_FALSE(watch_.failure());
}

TEST_F(SessionWatchTest, ABusyOriginDoesNotRefuseRangesForGood) {
  EXPECT_TRUE(watch_.on_event(failure(FailureReason::kServerBusy), kStart));
  EXPECT_FALSE(watch_.failure());
}

}  // namespace
}  // namespace tributary
