#include <gtest/gtest.h>

#include "support/session_driver.hh"
#include "support/tables.hh"

namespace tributary {
namespace {

using namespace literals;
using testing::constant_table;
using testing::SessionDriver;
using testing::static_options;

SessionOptions download(std::uint32_t buffer) {
  SessionOptions options = static_options(buffer);
  options.mode = StreamingMode::kDownload;
  options.depth = 1;
  return options;
}

TEST(SessionDownload, AChunkIsDeliveredBeforeOneInFrontOfIt) {
  SessionDriver d{constant_table(6, {100_kB}), download(2)};
  d.link_up(0, "slow");
  d.link_up(1, "fast");
  d.answer(RequestId{2});
  d.answer(RequestId{3});
  const auto delivered = d.all<action::DeliverSegment>();
  ASSERT_EQ(delivered.size(), 2U);
  EXPECT_EQ(delivered[0].segment, SegmentIndex{1});
  EXPECT_EQ(delivered[1].segment, SegmentIndex{2});
  EXPECT_EQ(d.request(RequestId{4}).link, LinkId{1}) << "chunk 0 must not close the window";
}

TEST(SessionDownload, NoMoreThanTheBufferIsInFlight) {
  SessionDriver d{constant_table(6, {100_kB}), download(2)};
  for (int link = 0; link < 4; ++link) d.link_up(link, std::string(1, static_cast<char>('a' + link)));
  EXPECT_EQ(d.unanswered().size(), 2U);
}

TEST(SessionDownload, NothingPlaysAndTheLastChunkEndsIt) {
  SessionDriver d{constant_table(6, {100_kB}), download(3)};
  d.link_up(0, "wifi");
  d.answer_all();
  EXPECT_EQ(d.all<action::DeliverSegment>().size(), 6U);
  EXPECT_TRUE(d.all<action::PlaySegment>().empty());
  EXPECT_TRUE(d.all<action::Stall>().empty());
  ASSERT_EQ(d.all<action::Finish>().size(), 1U);
  EXPECT_TRUE(d.all<action::Finish>()[0].complete);
}

TEST(SessionDownload, WhatALostLinkOwedComesOverTheOther) {
  SessionDriver d{constant_table(2, {100_kB}), download(2)};
  d.link_up(0, "wifi");
  d.link_up(1, "lte");
  d.happens(event::LinkDown{LinkId{0}, "no carrier"});
  d.fail(RequestId{1}, FailureReason::kLinkDown);
  d.answer_all();
  EXPECT_TRUE(d.session().finished());
  EXPECT_EQ(d.all<action::DeliverSegment>().size(), 2U);
}

TEST(SessionDownload, WhatHasArrivedOtherwiseIsNotAskedFor) {
  SessionDriver d{constant_table(6, {100_kB}), download(2)};
  d.link_up(0, "wifi");
  d.happens(event::RestArrived{SegmentIndex{2}});
  d.answer_all();
  EXPECT_EQ(d.all<action::SendRequest>().size(), 2U);
  ASSERT_EQ(d.all<action::Finish>().size(), 1U);
  EXPECT_TRUE(d.all<action::Finish>()[0].complete);
}

TEST(SessionDownload, WhatHasArrivedOtherwiseIsNotWaitedFor) {
  SessionDriver d{constant_table(6, {100_kB}), download(2)};
  d.link_up(0, "wifi");
  d.link_up(1, "lte");
  d.happens(event::RestArrived{SegmentIndex{1}});
  ASSERT_EQ(d.all<action::DropSegment>().size(), 1U);
  EXPECT_EQ(d.all<action::DropSegment>()[0].segment, SegmentIndex{1});
  EXPECT_FALSE(d.session().finished()) << "segment 0 has not come";
  d.answer(RequestId{1});
  EXPECT_TRUE(d.all<action::Finish>().at(0).complete);
  EXPECT_EQ(d.all<action::DeliverSegment>().size(), 1U);
}

TEST(SessionDownload, WhatIsComingOtherwiseIsNotStartedUntilItIsToldToStayAway) {
  SessionDriver d{constant_table(6, {100_kB}), download(2)};
  d.link_up(0, "wifi");
  d.happens(event::RestArrived{SegmentIndex{4}, SegmentIndex{2}});
  d.answer_all();
  EXPECT_EQ(d.all<action::DeliverSegment>().size(), 2U);
  EXPECT_FALSE(d.session().finished()) << "segments 2 and 3 have not come";
  d.happens(event::RestArrived{SegmentIndex{4}});
  d.answer_all();
  EXPECT_EQ(d.all<action::DeliverSegment>().size(), 4U);
  EXPECT_TRUE(d.all<action::Finish>().at(0).complete);
}

event::RestArrived shares_the_second(DataSize here, DataSize until) {
  return {SegmentIndex{6}, std::nullopt, SegmentIndex{1}, here, until};
}

TEST(SessionDownload, OfASharedSegmentOnlyTheRestIsAskedFor) {
  SessionDriver d{constant_table(2, {100_kB}), download(2)};
  d.happens(shares_the_second(20_kB, 40_kB));
  d.link_up(0, "wifi");
  d.answer_all();
  DataSize asked;
  for (const auto& request : d.all<action::SendRequest>()) {
    if (request.segment == SegmentIndex{1}) asked += request.range.size();
  }
  EXPECT_EQ(asked, 60_kB);
  EXPECT_EQ(d.all<action::DeliverSegment>().size(), 1U) << "20 kB are still to come";
  d.happens(shares_the_second(40_kB, 40_kB));
  EXPECT_EQ(d.all<action::DeliverSegment>().size(), 2U);
  EXPECT_TRUE(d.all<action::Finish>().at(0).complete);
}

TEST(SessionDownload, WhatDoesNotComeOtherwiseAfterAllIsAskedFor) {
  SessionDriver d{constant_table(2, {100_kB}), download(2)};
  d.happens(shares_the_second(20_kB, 40_kB));
  d.link_up(0, "wifi");
  d.answer_all();
  d.happens(shares_the_second(25_kB, 25_kB));
  const auto last = d.all<action::SendRequest>().back();
  EXPECT_EQ(last.segment, SegmentIndex{1});
  EXPECT_EQ(last.range, (ByteRange{25_kB, 40_kB}));
  d.answer_all();
  EXPECT_TRUE(d.all<action::Finish>().at(0).complete);
}

TEST(SessionDownload, ASegmentThatWasAskedForIsNotShared) {
  SessionDriver d{constant_table(2, {100_kB}), download(2)};
  d.link_up(0, "wifi");
  d.link_up(1, "lte");
  d.happens(shares_the_second(20_kB, 40_kB));
  d.answer_all();
  EXPECT_EQ(d.all<action::DeliverSegment>().size(), 2U);
}

TEST(SessionDownload, WhenAllHasArrivedOtherwiseItIsOver) {
  for (const bool link : {false, true}) {
    SessionDriver d{constant_table(6, {100_kB}), download(2)};
    if (link) d.link_up(0, "wifi");
    d.happens(event::RestArrived{SegmentIndex{0}});
    EXPECT_TRUE(d.all<action::Finish>().at(0).complete);
  }
}

/// Without a link of its own, too.
TEST(SessionDownload, ItIsNotGivenUpWhileMoreArrivesOtherwise) {
  SessionDriver d{constant_table(6, {100_kB}), download(2)};
  const Duration nearly = d.session().options().give_up_after - std::chrono::seconds{1};
  for (int i = 0; i < 3; ++i) {
    d.wait(nearly);
    d.happens(event::RestArrived{SegmentIndex{6}});
  }
  EXPECT_FALSE(d.session().finished());
  d.wait(nearly + std::chrono::seconds{2});
  EXPECT_FALSE(d.all<action::Finish>().at(0).complete);
}

TEST(SessionDownload, AStreamHasToDeliverWhateverArrives) {
  SessionOptions stream = download(2);
  stream.mode = StreamingMode::kOnDemand;
  SessionDriver d{constant_table(6, {100_kB}), stream};
  d.link_up(0, "wifi");
  d.happens(event::RestArrived{SegmentIndex{0}});
  EXPECT_TRUE(d.all<action::DropSegment>().empty());
  EXPECT_FALSE(d.session().finished());
}

}  // namespace
}  // namespace tributary
