#include <gtest/gtest.h>

#include <algorithm>

#include "support/session_driver.hh"
#include "support/tables.hh"

namespace tributary {
namespace {

using namespace literals;
using namespace std::chrono_literals;
using testing::constant_table;
using testing::SessionDriver;
using testing::static_options;

SessionOptions one_segment(std::uint32_t duplicates_percent) {
  SessionOptions options = static_options(1);
  options.depth = 1;
  options.duplicates_percent = duplicates_percent;
  return options;
}

/// Two links; segment 0 (two subsegments) took each of them half a second and plays, segment 1 is requested.
class SessionTakeOver : public ::testing::Test {
 protected:
  void begin(SessionDriver& d) {
    d.link_up(0, "wifi");
    d.link_up(1, "lte");
    d.wait(500ms);
    d.answer(RequestId{1});
    d.answer(RequestId{2});
  }
  /// ... lte brings its half, and wifi nothing; so the end of what wifi owes is asked of lte.
  action::SendRequest until_taken_over(SessionDriver& d) {
    begin(d);
    d.wait(500ms);
    d.answer(RequestId{4});
    d.wait(1400ms);
    EXPECT_EQ(second_tries(d).size(), 1U);
    return second_tries(d).at(0);
  }
  std::vector<action::SendRequest> second_tries(const SessionDriver& d) {
    auto found = d.all<action::SendRequest>();
    std::erase_if(found, [](const action::SendRequest& r) { return !r.takes_over; });
    return found;
  }
};

TEST_F(SessionTakeOver, ALinkThatFallsSilentDoesNotStopPlayout) {
  SessionDriver d{constant_table(20, {200_kB}), one_segment(50)};
  const action::SendRequest again = until_taken_over(d);
  EXPECT_EQ(again.link, LinkId{1});
  EXPECT_EQ(again.takes_over, RequestId{3});
  EXPECT_EQ(again.range.end, 100_kB);
  d.answer(again.request);
  EXPECT_EQ(again.range.begin, 0_kB) << "silent from the beginning: nothing of it is waited for";
}

TEST_F(SessionTakeOver, WhatALinkOwesThatMayBeDeadIsNoDuplicate) {
  SessionDriver d{constant_table(20, {200_kB}), one_segment(0)};
  const action::SendRequest again = until_taken_over(d);
  EXPECT_EQ(again.link, LinkId{1});
  EXPECT_EQ(again.range, (ByteRange{0_kB, 100_kB}));
  d.answer(again.request);
  EXPECT_TRUE(d.all<action::Stall>().empty());
}

TEST_F(SessionTakeOver, WhatALinkOwesThatMayBeDeadIsNotAskedForInABurst) {
  SessionOptions options = one_segment(0);
  options.depth = 2;
  SessionDriver d{constant_table(20, {400_kB}), options};
  d.link_up(0, "wifi");
  d.link_up(1, "lte");
  d.wait(200ms);
  for (const RequestId first : {RequestId{1}, RequestId{3}}) d.happens(event::ResponseBegan{first});
  d.wait(300ms);
  for (const RequestId first : {RequestId{1}, RequestId{3}}) d.answer(first);
  d.wait(500ms);
  for (const RequestId second : {RequestId{2}, RequestId{4}}) d.answer(second);
  for (const RequestId of_lte : {RequestId{7}, RequestId{8}}) {  // wifi brings nothing of segment 1
    d.wait(400ms);
    d.answer(of_lte);
  }
  while (second_tries(d).empty() && d.now() < TimePoint{5s}) d.wait(20ms);
  ASSERT_EQ(second_tries(d).size(), 1U);
  d.happens(event::ResponseBegan{second_tries(d).at(0).request});
  EXPECT_EQ(second_tries(d).size(), 2U);
}

TEST_F(SessionTakeOver, WithoutDuplicatesAndRescueItWaits) {
  SessionOptions options = one_segment(0);
  options.without = "rescue";
  SessionDriver d{constant_table(20, {200_kB}), options};
  begin(d);
  d.wait(500ms);
  d.answer(RequestId{4});
  d.wait(5s);
  EXPECT_TRUE(second_tries(d).empty());
  EXPECT_FALSE(d.all<action::Stall>().empty());
}

TEST_F(SessionTakeOver, WhatBothBringCompletesTheSegmentOnce) {
  SessionDriver d{constant_table(20, {200_kB}), one_segment(50)};
  const action::SendRequest again = until_taken_over(d);
  d.answer(again.request);
  d.answer(RequestId{3});  // brings all of its range
  const auto delivered = d.all<action::DeliverSegment>();
  EXPECT_EQ(
      std::count_if(delivered.begin(), delivered.end(), [](const auto& a) { return a.segment == SegmentIndex{1}; }), 1);
}

TEST_F(SessionTakeOver, AfterTheFirstRequestFailedWhatTheOtherLinkBringsIsNotAskedForAgain) {
  SessionDriver d{constant_table(20, {200_kB}), one_segment(50)};
  const action::SendRequest again = until_taken_over(d);
  const std::size_t requests = d.all<action::SendRequest>().size();
  d.happens(event::LinkDown{LinkId{0}, "no carrier"});
  d.fail(RequestId{3}, FailureReason::kLinkDown);
  EXPECT_EQ(d.all<action::SendRequest>().size(), requests);
  d.answer(again.request);
  EXPECT_EQ(d.all<action::DeliverSegment>().back().segment, SegmentIndex{1});
}

TEST_F(SessionTakeOver, WhatBothFailedToBringIsAskedForOnce) {
  SessionDriver d{constant_table(20, {200_kB}), one_segment(50)};
  const action::SendRequest again = until_taken_over(d);
  const std::size_t requests = d.all<action::SendRequest>().size();
  d.fail(RequestId{3}, FailureReason::kReset);
  d.fail(again.request, FailureReason::kReset);
  d.wait(1s);
  DataSize asked;
  const auto all = d.all<action::SendRequest>();
  for (std::size_t i = requests; i < all.size(); ++i) {
    if (all[i].segment == SegmentIndex{1} && !all[i].takes_over) asked += all[i].range.size();
  }
  EXPECT_EQ(asked, 100_kB);
}

TEST_F(SessionTakeOver, AfterTheSecondRequestFailedTheFirstOneIsWaitedFor) {
  SessionDriver d{constant_table(20, {200_kB}), one_segment(50)};
  const action::SendRequest again = until_taken_over(d);
  const std::size_t requests = d.all<action::SendRequest>().size();
  d.happens(event::LinkDown{LinkId{1}, "no carrier"});
  d.fail(again.request, FailureReason::kLinkDown);
  EXPECT_EQ(d.all<action::SendRequest>().size(), requests);
  d.answer(RequestId{3});
  const auto delivered = d.all<action::DeliverSegment>();
  EXPECT_TRUE(
      std::any_of(delivered.begin(), delivered.end(), [](const auto& a) { return a.segment == SegmentIndex{1}; }));
}

}  // namespace
}  // namespace tributary
