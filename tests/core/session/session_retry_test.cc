#include <gtest/gtest.h>

#include <algorithm>

#include "support/session_driver.hh"
#include "support/tables.hh"

namespace tributary {
namespace {

using namespace literals;
using namespace std::chrono_literals;
using testing::constant_table;
using testing::kLte;
using testing::kWifi;
using testing::SessionDriver;

SessionOptions options() { return testing::static_options(3); }

TEST(SessionRetry, AFailedRangeGoesToAnotherLinkWithoutTheBytesThatCame) {
  SessionDriver d{constant_table(2, {1000_kB}), options()};
  d.link_up(0, "wifi");
  d.link_up(1, "lte");
  d.happens(event::ResponseBegan{RequestId{1}});
  d.happens(event::BytesReceived{RequestId{1}, 30_kB});
  d.fail(RequestId{1}, FailureReason::kReset);
  d.fail(RequestId{2}, FailureReason::kReset);
  const auto avoided = d.all<action::AvoidLink>();
  ASSERT_EQ(avoided.size(), 1U);  // one lost connection is one failure
  EXPECT_EQ(avoided[0].link, kWifi);
  EXPECT_EQ(avoided[0].until, TimePoint{250ms});
  d.answer(RequestId{3});
  d.answer(RequestId{4});
  const auto sent = d.all<action::SendRequest>();
  EXPECT_EQ(sent[4].link, kLte);
  EXPECT_EQ(sent[4].range, (ByteRange{30_kB, 100_kB}));
  EXPECT_NE(sent[4].reason.find("failed on wifi"), std::string::npos) << sent[4].reason;
  d.answer_all();
  EXPECT_TRUE(d.all<action::Finish>().at(0).complete);
}

TEST(SessionRetry, TheOnlyLinkTriesAgainAfterItsRest) {
  SessionDriver d{constant_table(1, {100_kB}), options()};
  d.link_up(0, "wifi");
  d.fail(RequestId{1}, FailureReason::kConnectTimeout);
  EXPECT_EQ(d.all<action::SendRequest>().size(), 1U);
  d.wait(249ms);
  EXPECT_EQ(d.all<action::SendRequest>().size(), 1U);
  d.wait(1ms);
  EXPECT_EQ(d.all<action::SendRequest>().size(), 2U);
  d.answer_all();
  EXPECT_TRUE(d.all<action::Finish>().at(0).complete);
}

TEST(SessionRetry, ALinkThatGoesLosesWhatItOwesAndIsUsedAgainWhenItReturns) {
  SessionDriver d{constant_table(4, {200_kB}), options()};
  d.link_up(0, "wifi");
  d.link_up(1, "lte");
  d.happens(event::LinkDown{kLte, "no carrier"});
  d.fail(RequestId{3}, FailureReason::kLinkDown);
  d.fail(RequestId{4}, FailureReason::kLinkDown);
  d.answer(RequestId{1});
  d.answer(RequestId{2});
  for (const RequestId id : d.unanswered()) EXPECT_EQ(d.request(id).link, kWifi);
  d.link_up(1, "lte");
  EXPECT_EQ(d.all<action::SendRequest>().back().link, kLte);
  d.answer_all();
  d.wait(20s);
  d.answer_all();
  EXPECT_TRUE(d.all<action::Finish>().at(0).complete);
}

/// Although that one has been asked for as much as it should be.
TEST(SessionRetry, WhatALostLinkOwedIsAskedOfTheOtherInTheSameStep) {
  using enum SubsegmentApproach;
  for (const SubsegmentApproach approach : {kStatic, kDynamic, kBalanced}) {
    SessionOptions o = options();
    o.subsegments = approach;
    SessionDriver d{constant_table(4, {1000_kB}), o};
    d.link_up(0, "wifi");
    d.link_up(1, "lte");
    const auto sent = d.all<action::SendRequest>();
    const auto first = std::ranges::find(sent, kLte, &action::SendRequest::link);
    ASSERT_NE(first, sent.end());
    d.happens(event::LinkDown{kLte, "no carrier"});
    d.fail(first->request, FailureReason::kLinkDown);
    const action::SendRequest again = d.all<action::SendRequest>().back();
    EXPECT_GT(again.request, sent.back().request) << name_of(approach);
    EXPECT_EQ(again.link, kWifi);
    EXPECT_EQ(again.range, first->range);
  }
}

/// An answer may be shorter than what was asked for, and the rest is asked for again: but not byte by byte.
TEST(SessionRetry, AnOriginThatAnswersWithAByteAtATimeIsNotAskedForEach) {
  const auto requests_at = [](DataSize bytes_of_each) {
    SessionDriver d{constant_table(1, {1000_kB}), options()};
    d.link_up(0, "wifi");
    while (d.all<action::Finish>().empty() && d.all<action::SendRequest>().size() < 2000) {
      if (d.unanswered().empty()) d.wait(1s);
      if (d.unanswered().empty()) continue;
      const RequestId id = *d.unanswered().begin();
      const DataSize asked = d.request(id).range.size();
      if (asked <= bytes_of_each) {
        d.answer(id);
        continue;
      }
      d.happens(event::ResponseBegan{id});
      d.happens(event::BytesReceived{id, bytes_of_each});
      d.fail(id, FailureReason::kRangeMismatch);
    }
    return std::pair{d.all<action::SendRequest>().size(), d.all<action::Finish>()};
  };
  const auto [bytewise, given_up] = requests_at(1_B);
  ASSERT_EQ(given_up.size(), 1U);
  EXPECT_FALSE(given_up[0].complete);
  EXPECT_NE(given_up[0].reason.find("range-mismatch (tried 4 times)"), std::string::npos) << given_up[0].reason;
  EXPECT_LT(bytewise, 20U);
  const auto [in_blocks, whole] = requests_at(4096_B);  // of a cache, perhaps
  ASSERT_EQ(whole.size(), 1U);
  EXPECT_TRUE(whole[0].complete);
  EXPECT_LE(in_blocks, 260U);
}

TEST(SessionRetry, AnOriginThatIgnoresRangesIsAskedForWholeFiles) {
  SessionDriver d{constant_table(3, {300_kB}), options()};
  d.link_up(0, "wifi");
  d.link_up(1, "lte");
  while (!d.unanswered().empty()) {
    const RequestId id = *d.unanswered().begin();
    if (d.request(id).range.size() < 300_kB) {
      d.fail(id, FailureReason::kRangeIgnored);
    } else {
      d.answer(id);
    }
  }
  int whole = 0;
  for (const auto& sent : d.all<action::SendRequest>()) {
    if (sent.segment == SegmentIndex{0} && sent.range == ByteRange{0_kB, 300_kB}) ++whole;
  }
  EXPECT_EQ(whole, 1);  // once, however many requests told
  EXPECT_TRUE(d.all<action::Finish>().at(0).complete);
}

TEST(SessionRetry, WhereWholeFilesAreAskedForTheirRangesAreNot) {
  SessionOptions small = options();
  small.subsegment_size = 100_kB;
  SessionDriver d{constant_table(2, {400_kB}), small};
  d.link_up(0, "wifi");
  d.link_up(1, "lte");
  d.fail(RequestId{1}, FailureReason::kRangeIgnored);  // of wifi; the others were asked for meanwhile
  d.happens(event::LinkDown{kWifi, "no carrier"});
  d.fail(RequestId{3}, FailureReason::kLinkDown);
  d.answer(RequestId{2});
  d.answer(RequestId{4});
  for (const auto& sent : d.all<action::SendRequest>()) {
    if (sent.segment != SegmentIndex{0} || to_index(sent.request) <= 4) continue;
    EXPECT_EQ(sent.range.size(), 400_kB);
  }
}

TEST(SessionRetry, AShortAnswerThatBringsSomethingIsNoWrongOne) {
  SessionDriver d{constant_table(1, {100_kB}), options()};
  d.link_up(0, "wifi");
  for (int i = 0; i < 10 && !d.unanswered().empty(); ++i) {
    const RequestId id = *d.unanswered().begin();
    d.happens(event::ResponseBegan{id});
    d.happens(event::BytesReceived{id, 1_kB});
    d.fail(id, FailureReason::kRangeMismatch);
  }
  EXPECT_FALSE(d.session().finished());
  EXPECT_TRUE(d.all<action::AvoidLink>().empty());
  d.answer_all();
  EXPECT_TRUE(d.all<action::Finish>().at(0).complete);
}

/// 416 without a size, where no answer has told one.
TEST(SessionRetry, AFileEndsWhereNothingMoreIsThereAndAllBeforeIsHere) {
  Presentation film = constant_table(1, {100_kB}).presentation();
  for (Track& track : film.tracks) track.estimated.assign(track.sizes.size(), true);
  SessionOptions halves = options();
  halves.subsegment_size = 25_kB;
  SessionDriver d{SegmentTable{std::move(film)}, halves};
  d.link_up(0, "wifi");
  d.link_up(1, "lte");
  const auto nothing_is_there = [&](RequestId id) {
    d.happens(event::RequestFailed{id, FailureReason::kNotFound, "416", std::nullopt, true});
  };
  ASSERT_GE(d.unanswered().size(), 2U);
  const RequestId front = *d.unanswered().begin(), behind = *std::next(d.unanswered().begin());
  EXPECT_EQ(d.request(behind).range.begin, 25_kB);
  nothing_is_there(behind);  // the front is still to come
  EXPECT_TRUE(d.all<action::DeliverSegment>().empty());
  EXPECT_EQ(d.all<action::AvoidLink>().size(), 1U);
  d.answer(front);
  while (d.all<action::DeliverSegment>().empty() && d.now() < TimePoint{10s}) {
    for (const RequestId id : std::set<RequestId>{d.unanswered()}) {
      if (id != front && id != behind) nothing_is_there(id);
    }
    d.wait(100ms);
  }
  EXPECT_EQ(d.all<action::DeliverSegment>().size(), 1U);
  EXPECT_TRUE(d.all<action::Finish>().at(0).complete);
}

TEST(SessionRetry, AnOriginThatIsAlwaysBusySaysSoInTheEnd) {
  SessionDriver d{constant_table(1, {100_kB}), options()};
  d.link_up(0, "wifi");
  while (!d.session().finished()) {
    for (const RequestId id : std::set<RequestId>{d.unanswered()}) d.fail(id, FailureReason::kServerBusy);
    d.wait(1s);
  }
  EXPECT_NE(d.all<action::Finish>().at(0).reason.find("the last failure: over wifi: server-busy"), std::string::npos);
}

TEST(SessionRetry, ALinkOverWhichTheOriginWantsRestHasIt) {
  SessionDriver d{constant_table(2, {1000_kB}), options()};
  d.link_up(0, "wifi");
  d.link_up(1, "lte");
  d.happens(event::RequestFailed{RequestId{1}, FailureReason::kServerBusy, "", 12s});
  ASSERT_EQ(d.all<action::AvoidLink>().size(), 1U);
  EXPECT_EQ(d.all<action::AvoidLink>()[0].until, TimePoint{12s});
  d.answer(RequestId{3});
  EXPECT_EQ(d.all<action::SendRequest>().back().link, kLte);
}

TEST(SessionRetry, WhatIsOfAnotherVersionIsAskedForWholeAndAfresh) {
  SessionDriver d{constant_table(2, {300_kB}), options()};
  d.link_up(0, "wifi");
  d.link_up(1, "lte");
  d.happens(event::ResponseBegan{RequestId{1}});
  d.happens(event::BytesReceived{RequestId{1}, 100_kB});
  d.happens(event::RequestDone{RequestId{1}});
  for (const RequestId id : std::set<RequestId>{d.unanswered()}) {
    if (id != RequestId{1} && d.request(id).link == kLte) d.fail(id, FailureReason::kVersionsDiffer);
  }
  d.wait(1s);
  while (!d.unanswered().empty()) d.answer(*d.unanswered().begin());
  std::set<SegmentIndex> afresh;
  for (const auto& sent : d.all<action::SendRequest>()) {
    if (!sent.afresh) continue;
    EXPECT_EQ(sent.range, (ByteRange{0_kB, 300_kB}));
    EXPECT_TRUE(afresh.insert(sent.segment).second) << "segment " << to_index(sent.segment) << " twice";
  }
  EXPECT_TRUE(afresh.contains(SegmentIndex{0}));
  EXPECT_TRUE(d.all<action::Finish>().at(0).complete);
}

TEST(SessionRetry, AMissingFileEndsADownloadWithItsName) {
  SessionOptions download = options();
  download.mode = StreamingMode::kDownload;
  SessionDriver d{constant_table(3, {100_kB}), download};
  d.link_up(0, "wifi");
  for (int i = 0; i < 4 && !d.session().finished(); ++i) {
    for (const RequestId id : std::set<RequestId>{d.unanswered()}) {
      if (d.request(id).segment == SegmentIndex{0}) {
        d.fail(id, FailureReason::kNotFound);
      } else {
        d.answer(id);
      }
    }
    d.wait(10s);
  }
  const auto finish = d.all<action::Finish>();
  ASSERT_EQ(finish.size(), 1U);
  EXPECT_FALSE(finish[0].complete);
  EXPECT_EQ(finish[0].reason, "segment 0, part 0 (low/00001.bin), bytes 0-99999 over wifi: not-found (tried 4 times)");
}

TEST(SessionRetry, WithoutAnyLinkItGivesUpAfterAWhile) {
  SessionDriver d{constant_table(3, {100_kB}), options()};
  d.wait(59s);
  EXPECT_FALSE(d.session().finished());
  d.wait(1s);
  ASSERT_EQ(d.all<action::Finish>().size(), 1U);
  EXPECT_EQ(d.all<action::Finish>()[0].reason, "no byte came for 60 s: no link could be used");
}

TEST(SessionRetry, ALinkThatCannotBeTrustedIsTheEndOnlyIfItIsTheLast) {
  SessionDriver d{constant_table(3, {300_kB}), options()};
  d.link_up(0, "wifi");
  d.link_up(1, "lte");
  d.fail(RequestId{1}, FailureReason::kTlsVerification);
  EXPECT_FALSE(d.session().finished());
  d.fail(RequestId{3}, FailureReason::kTlsVerification);
  ASSERT_TRUE(d.session().finished());
  EXPECT_EQ(d.all<action::Finish>()[0].reason, "no link can be used: tls-verification");
}

TEST(SessionRetry, ALinkThatComesBackIsTrustedAnew) {
  SessionDriver d{constant_table(3, {300_kB}), options()};
  d.link_up(0, "wifi");
  d.link_up(1, "lte");
  d.fail(RequestId{1}, FailureReason::kTlsVerification);
  EXPECT_FALSE(d.session().links().at(LinkId{0}).usable(TimePoint{}));
  d.happens(event::LinkDown{LinkId{0}, "no carrier"});
  d.link_up(0, "wifi");
  EXPECT_TRUE(d.session().links().at(LinkId{0}).usable(TimePoint{}));
}

TEST(SessionRetry, WaitingForTheBufferToEmptyIsNotSilence) {
  SessionOptions o = options();
  o.give_up_after = 1500ms;  // less than a segment lasts
  SessionDriver d{constant_table(10, {100_kB}), o};
  d.link_up(0, "wifi");
  for (int i = 0; i < 30 && !d.session().finished(); ++i) {
    d.answer_all();
    d.wait(1s);
  }
  EXPECT_TRUE(d.all<action::Finish>().at(0).complete);
}

}  // namespace
}  // namespace tributary
