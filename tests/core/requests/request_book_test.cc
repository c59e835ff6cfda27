#include "core/requests/request_book.hh"

#include <array>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/drained.hh"
#include "support/link_ids.hh"
#include "support/session_driver.hh"
#include "support/tables.hh"

namespace tributary {
namespace {

using namespace literals;
using namespace std::chrono_literals;
using testing::constant_table;
using testing::drained;
using testing::kLte;
using testing::kWifi;
using testing::segment;

constexpr QualityIndex kLow{0};

class RequestBookTest : public ::testing::Test {
 protected:
  void begin(int i) { book.add(book.begin(segment(i), kLow, table)); }
  RequestId send(LinkId link, int i, ByteRange range, std::optional<RequestId> takes_over = std::nullopt) {
    SegmentAssembly& of = *book.find_segment(segment(i));
    if (!takes_over) of.take_new(range.size());
    book.send(link, of, {0, range, std::nullopt, 0}, "", std::nullopt, TimePoint{}, actions, takes_over);
    return book.outstanding().all().back().id;
  }
  OutstandingRequest fail(RequestId id) {
    const OutstandingRequest failed = *book.find(id);
    book.remove(id);
    return failed;
  }

  SegmentTable table = constant_table(4, {100_kB, 200_kB});
  RequestBook book{5};
  ActionQueue actions;
};

TEST_F(RequestBookTest, SegmentsAreTakenWhenTheyAreComplete) {
  begin(0);
  begin(1);
  const RequestId first = send(kWifi, 0, {0_B, 100_kB});
  const RequestId second = send(kLte, 1, {0_B, 100_kB});
  EXPECT_TRUE(book.receive(*book.find(second), 100_kB, TimePoint{}));
  EXPECT_EQ(book.take_complete_front(), std::nullopt);
  EXPECT_FALSE(book.receive(*book.find(first), 40_kB, TimePoint{}));
  EXPECT_TRUE(book.receive(*book.find(first), 60_kB, TimePoint{}));
  EXPECT_EQ(book.take_complete_front(), segment(0));
  EXPECT_EQ(book.take_complete_front(), segment(1));
  EXPECT_TRUE(book.segments().empty());
}

TEST_F(RequestBookTest, OrInAnyOrder) {
  begin(0);
  begin(1);
  const RequestId second = send(kLte, 1, {0_B, 100_kB});
  book.receive(*book.find(second), 100_kB, TimePoint{});
  EXPECT_THAT(book.take_complete(), ::testing::ElementsAre(segment(1)));
  EXPECT_EQ(book.segments().size(), 1U);
}

TEST_F(RequestBookTest, WhatAFailedRequestOwedIsWantedAgainButForWhatAnotherOwes) {
  begin(0);
  const RequestId first = send(kWifi, 0, {0_B, 100_kB});
  book.receive(*book.find(first), 10_kB, TimePoint{});
  book.take_over(first, {80_kB, 100_kB});
  send(kLte, 0, {80_kB, 100_kB}, first);
  book.want_again(fail(first), 0);
  const auto& given_back = book.segments()[0].given_back();
  ASSERT_EQ(given_back.size(), 1U);
  EXPECT_EQ(given_back[0].range, (ByteRange{10_kB, 80_kB}));
  EXPECT_EQ(given_back[0].failed_on, kWifi);
}

TEST_F(RequestBookTest, WholePartsAreAskedForFromTheBeginning) {
  begin(0);
  const RequestId first = send(kWifi, 0, {0_B, 50_kB});
  const RequestId second = send(kLte, 0, {50_kB, 100_kB});
  book.receive(*book.find(first), 10_kB, TimePoint{});
  book.ask_for_whole_parts();
  book.want_again(fail(first), 0);
  EXPECT_TRUE(book.find(second)->abandoned);
  EXPECT_EQ(book.segments()[0].missing(), 100_kB);
  EXPECT_EQ(book.segments()[0].given_back()[0].range, (ByteRange{0_B, 100_kB}));
}

/// Four segments in two stretches, each with an init segment.
SegmentTable table_in_stretches() {
  Presentation presentation = constant_table(4, {100_kB, 200_kB}).presentation();
  for (Track& track : presentation.tracks) {
    track.init = Resource{"a", {0_B, 1_kB}};
    track.stretches = {{segment(2), Resource{"b", {0_B, 2_kB}}, 0}};
  }
  return SegmentTable{presentation};
}

TEST_F(RequestBookTest, EachStretchOfAQualityIsInitialisedOnce) {
  table = table_in_stretches();
  for (int i = 0; i < 4; ++i) begin(i);
  std::vector<std::uint32_t> init_parts;
  for (const SegmentAssembly& one : book.segments()) init_parts.push_back(one.init_parts());
  EXPECT_THAT(init_parts, ::testing::ElementsAre(1, 0, 1, 0));
  EXPECT_EQ(book.segments()[2].part_size(0), 2_kB);
  EXPECT_TRUE(book.brings_what_others_need(book.segments()[0]));
  EXPECT_TRUE(book.brings_what_others_need(book.segments()[2]));
  EXPECT_FALSE(book.brings_what_others_need(book.segments()[3]));
}

TEST_F(RequestBookTest, AStretchThatWasInitialisedBeforeASeekStaysSo) {
  table = table_in_stretches();
  begin(0);
  begin(2);
  book.receive(*book.find(send(kWifi, 0, {0_B, 1_kB})), 1_kB, TimePoint{});
  book.drop_all_but(segment(2), true, actions);  // before its init segment was complete, as far as the book knows
  EXPECT_EQ(book.begin(segment(1), kLow, table).init_parts(), 1U);
  EXPECT_EQ(book.begin(segment(3), kLow, table).init_parts(), 0U);
}

TEST_F(RequestBookTest, DuplicatesAreAPartOfWhatCame) {
  begin(0);
  const RequestId first = send(kWifi, 0, {0_B, 100_kB});
  EXPECT_EQ(book.duplicates_left().size, 0_B);
  book.receive(*book.find(first), 40_kB, TimePoint{});
  EXPECT_EQ(book.duplicates_left().size, 2_kB);  // 5 %
  EXPECT_TRUE(book.duplicates_left().ample);
  book.take_over(first, {DataSize{98'500}, 100_kB});
  EXPECT_EQ(book.duplicates_left().size, 500_B);
  EXPECT_FALSE(book.duplicates_left().ample);
}

TEST_F(RequestBookTest, ASeekKeepsWhatIsReceivedFromThereOn) {
  for (int i = 0; i < 3; ++i) begin(i);
  EXPECT_TRUE(book.drop_all_but(segment(1), true, actions));
  EXPECT_EQ(drained<action::DropSegment>(actions).size(), 1U);
  EXPECT_EQ(book.segments().front().segment(), segment(1));
  EXPECT_FALSE(book.drop_all_but(segment(1), false, actions));  // as with another sound
  EXPECT_EQ(drained<action::DropSegment>(actions).size(), 2U);
}

TEST_F(RequestBookTest, ALinkThatWouldBeBusyForLongWithWhatNobodyWantsIsToldToEnd) {
  begin(0);
  send(kWifi, 0, {0_B, 50_kB});
  send(kLte, 0, {50_kB, 100_kB});
  book.drop_all_but(segment(3), true, actions);
  const LinkNow fast{kWifi, 1_Mbps, {}, {}, {}, true};  // .4 s
  const LinkNow slow{kLte, 500_kbps, {}, {}, {}, true};
  book.abandon_what_is_not_wanted(std::array{fast, slow}, actions);
  const auto abandoned = drained<action::AbandonRequests>(actions);
  ASSERT_EQ(abandoned.size(), 1U);
  EXPECT_EQ(abandoned[0].link, kLte);
}

}  // namespace
}  // namespace tributary
