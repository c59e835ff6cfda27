#include "core/requests/outstanding_requests.hh"

#include <gtest/gtest.h>

#include "support/link_ids.hh"

namespace tributary {
namespace {

using namespace literals;
using testing::kLte;
using testing::kWifi;

OutstandingRequest request(int id, LinkId link, DataSize size) {
  OutstandingRequest r;
  r.id = static_cast<RequestId>(id);
  r.link = link;
  r.range = {0_B, size};
  return r;
}

TEST(OutstandingRequests, TheOldestOfALinkIsItsHead) {
  OutstandingRequests outstanding;
  outstanding.add(request(1, kWifi, 10_kB));
  outstanding.add(request(2, kLte, 10_kB));
  outstanding.add(request(3, kWifi, 10_kB));
  EXPECT_EQ(outstanding.count(kWifi), 2U);
  EXPECT_EQ(outstanding.head(kWifi)->id, RequestId{1});
  outstanding.remove(RequestId{1});
  EXPECT_EQ(outstanding.head(kWifi)->id, RequestId{3});
  EXPECT_EQ(outstanding.find(RequestId{1}), nullptr);
}

TEST(OutstandingRequests, BytesLeftShrinkAsBytesCome) {
  OutstandingRequests outstanding;
  outstanding.add(request(1, kWifi, 10_kB));
  outstanding.add(request(2, kLte, 5_kB));
  outstanding.find(RequestId{1})->received = 4_kB;
  EXPECT_EQ(outstanding.bytes_left(), 11_kB);
}

TEST(OutstandingRequests, WhatTwoLinksWereAskedForCountsOnceUntilTheFirstFails) {
  OutstandingRequests outstanding;
  outstanding.add(request(1, kWifi, 10_kB));
  OutstandingRequest again = request(2, kLte, 4_kB);
  again.takes_over = RequestId{1};
  outstanding.add(again);
  EXPECT_EQ(outstanding.bytes_left(), 10_kB);
  EXPECT_EQ(outstanding.bytes_left(kLte), 4_kB);
  outstanding.remove(RequestId{1});
  outstanding.has_no_end(request(1, kWifi, 10_kB));
  EXPECT_EQ(outstanding.bytes_left(), 4_kB);
}

TEST(OutstandingRequests, WhenTheOneInTheMiddleOfThreeFailsTheLastStillTakesOver) {
  OutstandingRequests outstanding;
  outstanding.add(request(1, kWifi, 10_kB));
  OutstandingRequest second = request(2, kLte, 10_kB);
  second.takes_over = RequestId{1};
  outstanding.add(second);
  OutstandingRequest third = request(3, LinkId{2}, 10_kB);
  third.takes_over = RequestId{2};
  outstanding.add(third);
  outstanding.find(RequestId{1})->taken_over_from = outstanding.find(RequestId{2})->taken_over_from = 0_kB;
  outstanding.remove(RequestId{2});
  outstanding.has_no_end(second);
  EXPECT_EQ(outstanding.find(RequestId{1})->taken_over_from, 0_kB);
  EXPECT_EQ(outstanding.find(RequestId{3})->takes_over, RequestId{1});
  EXPECT_EQ(outstanding.bytes_left(), 10_kB);
}

TEST(OutstandingRequests, CountsAfreshWhenALinkWasIdle) {
  OutstandingRequests outstanding;
  outstanding.add(request(1, kWifi, 1_kB));
  outstanding.add(request(2, kWifi, 1_kB));
  outstanding.remove(RequestId{1});
  outstanding.add(request(3, kWifi, 1_kB));
  EXPECT_EQ(outstanding.sent_since_idle(kWifi), 3U);
  outstanding.remove(RequestId{2});
  outstanding.remove(RequestId{3});
  EXPECT_EQ(outstanding.sent_since_idle(kWifi), 0U);
  EXPECT_TRUE(outstanding.empty());
}

TEST(OutstandingRequests, NothingIsOwedBehindTheEndOfAPart) {
  OutstandingRequests outstanding;
  outstanding.add(request(1, kWifi, 10_kB));
  outstanding.add(request(2, kLte, 30_kB));
  outstanding.end_part(*outstanding.find(RequestId{1}), 12_kB);
  EXPECT_EQ(outstanding.bytes_left(kWifi), 10_kB);
  EXPECT_EQ(outstanding.bytes_left(kLte), 12_kB);
}

TEST(OutstandingRequests, OfTwoWholeAnswersOneIsKept) {
  OutstandingRequests outstanding;
  for (const int id : {1, 2}) {
    OutstandingRequest whole = request(id, id == 1 ? kWifi : kLte, 10_kB);
    whole.to_the_end = true;
    outstanding.add(whole);
  }
  outstanding.end_part(*outstanding.find(RequestId{2}), 25_kB);
  EXPECT_TRUE(outstanding.find(RequestId{1})->abandoned);
  EXPECT_FALSE(outstanding.find(RequestId{2})->abandoned);
  EXPECT_EQ(outstanding.bytes_left(kLte), 25_kB);
}

}  // namespace
}  // namespace tributary
