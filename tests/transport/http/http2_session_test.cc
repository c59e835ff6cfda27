#include "transport/http/http2_session.hh"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "canned_responses.hh"
#include "http2_run.hh"

namespace tributary::transport {
namespace {

using namespace literals;
using namespace std::chrono_literals;
using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;

constexpr std::uint32_t kRefusedStream = 7, kCancel = 8, kInternalError = 2, kEnhanceYourCalm = 11;

/// Of one size from the least to the most.
Http2Session::Limits fixed_window(DataSize size) {
  Http2Session::Limits limits;
  limits.window = {.least = size, .most = size};
  return limits;
}

TEST(Http2Session, AsksForOneRangeInPlainForm) {
  Http2Run run;
  run.ask(request(1, 100, 200));
  run.to_origin();
  ASSERT_EQ(run.origin.requests().size(), 1u);
  EXPECT_THAT(run.origin.requests()[0].fields,
              ElementsAre(Pair(":authority", "origin.example"), Pair(":method", "GET"), Pair(":path", "/movie/low.mp4"),
                          Pair(":scheme", "https"), Pair("accept", "*/*"), Pair("accept-encoding", "identity"),
                          Pair("range", "bytes=100-199"), Pair("user-agent", "tributary")));
  constexpr int kEnablePush = 2, kInitialWindow = 4;
  EXPECT_THAT(run.origin.settings(), Contains(Pair(kEnablePush, 0)));
  EXPECT_THAT(run.origin.settings(), Contains(Pair(kInitialWindow, 0)));
}

TEST(Http2Session, AWholeFileOfUnknownSizeIsAskedForWithoutARange) {
  Http2Run run;
  RangeRequest whole = request(1, 0, 100);
  whole.open = whole.stands_alone = true;
  run.ask(whole);
  run.to_origin();
  ASSERT_EQ(run.origin.requests().size(), 1u);
  EXPECT_THAT(run.origin.requests()[0].fields, testing::Not(Contains(testing::Key("range"))));
}

TEST(Http2Session, GivesTheBytesOfAPartialResponse) {
  Http2Run run;
  run.ask(request(1, 100, 200));
  run.talk();
  EXPECT_THAT(run.lines(), ElementsAre("began 1", "bytes 1: 100", "done 1"));
  EXPECT_EQ(run.log().bytes(RequestId{1}), content({100_B, 200_B}));
}

TEST(Http2Session, AsksForMoreOnlyAfterTheFirstGoodPartialResponse) {
  Http2Run run;
  for (const unsigned id : {1, 2, 3}) run.ask(request(id, 0, 10));
  run.talk(false);
  EXPECT_EQ(run.origin.requests().size(), 1u);
  run.origin.answer(run.origin.requests()[0]);
  run.talk(false);
  EXPECT_EQ(run.origin.requests().size(), 3u);
}

TEST(Http2Session, ServesInTheOrderOfTheRequestsWhateverTheOrderOfTheAnswers) {
  constexpr int kSize = 50'000, kWindow = 20'000;
  Http2Run run{fixed_window(DataSize{kWindow})};
  run.prove();
  for (unsigned id = 1; id <= 4; ++id) run.ask(request(id, 0, kSize));
  run.talk(false);
  for (std::size_t i = 4; i > 0; --i) run.origin.answer(run.origin.requests().at(i));
  for (unsigned id = 2; id <= 4; ++id) {
    while (run.log().bytes(RequestId{id}).empty()) {
      run.to_origin();
      run.receive(run.origin.send());
      ASSERT_GT(run.log().open_requests(), 0);
    }
    EXPECT_GE(run.log().bytes(RequestId{id - 1}).size(), std::size_t{kSize - kWindow}) << "before request " << id;
  }
  run.talk(false);
  EXPECT_EQ(run.log().open_requests(), 0);
  EXPECT_THAT(run.log().failed(), IsEmpty());
  EXPECT_EQ(run.log().bytes(RequestId{4}), content({0_B, DataSize{kSize}}));
}

TEST(Http2Session, NeverLetsMoreThanTheWindowComeAtATime) {
  Http2Run run{fixed_window(20_kB)};
  run.prove();
  for (unsigned id = 1; id <= 4; ++id) run.ask(request(id, 0, 50'000));
  run.talk(false);
  run.origin.answer_all();
  constexpr std::size_t kFrames = 1000;  // what is not body
  EXPECT_LE(run.origin.send().size(), 20'000u + kFrames);
}

TEST(Http2Session, PaddingDoesNotStarveAStream) {
  Http2Run run{fixed_window(4_kB), {.padding = 200}};
  run.ask(request(1, 0, 300'000));
  run.talk();
  EXPECT_EQ(run.lines().back(), "done 1");
}

TEST(Http2Session, AnOriginThatSeesTheEndOfABodyLateCanSayIt) {
  Http2Run run;
  run.ask(request(1, 0, 10'000));
  run.talk(false);
  run.origin.answer_all(Http2Origin::End::kWhenAskedForMore);
  run.talk(false);
  EXPECT_EQ(run.lines().back(), "done 1");
}

TEST(Http2Session, TheWindowGrowsWithWhatThePathHolds) {
  Http2Run run;
  run.session().on_round_trip(100ms);
  const DataSize first = run.session().window();
  run.ask(request(1, 0, 900'000));
  for (int round = 0; round < 6; ++round) {
    run.to_origin();
    run.origin.answer_all();
    run.now += 50ms;  // all that may come does
    run.receive(run.origin.send());
    run.now += 50ms;
  }
  EXPECT_GT(run.session().window(), first);
  EXPECT_LE(run.session().window(), Http2Session::Limits{}.window.most);
}

TEST(Http2Session, AnAnswerThatIsNoneFailsAlone) {
  Http2Run run;
  run.prove();
  for (unsigned id = 1; id <= 4; ++id) run.ask(request(id, 0, 10));
  run.talk(false);
  run.origin.answer(run.stream_of(1), "404", {{"content-length", "4"}}, "gone");
  run.origin.answer(run.stream_of(2), "206", {{"content-range", "bytes 5-9/1000"}}, "56789");
  run.origin.answer(run.stream_of(3), "206", {{"content-range", "bytes 0-9/1000"}, {"content-encoding", "gzip"}}, "?");
  run.origin.answer(run.origin.requests()[4]);
  run.talk(false);
  EXPECT_THAT(run.lines(), testing::IsSupersetOf(
                               {"failed 1: not-found", "failed 2: range-mismatch", "failed 3: encoding", "done 4"}));
  EXPECT_TRUE(run.session().accepts_request());
}

/// The head of a good answer to a request for ten bytes, with this field.
Http2Origin::Fields ten_bytes(int begin, const std::string& name, const std::string& value) {
  return {{"content-range", "bytes " + std::to_string(begin) + "-" + std::to_string(begin + 9) + "/1000"},
          {"content-length", "10"},
          {name, value}};
}

TEST(Http2Session, NoticesThatTheFileChanged) {
  for (const auto& [name, first, second, last_line] :
       {std::tuple{"etag", "\"a\"", "\"a\"", "done 2"},
        {"etag", "\"a\"", "\"b\"", "failed 2: versions-differ"},
        {"etag", "W/\"a\"", "W/\"b\"", "failed 2: versions-differ"},
        {"last-modified", "today", "tomorrow", "failed 2: versions-differ"},
        {"content-encoding", "gzip", "gzip", "done 2"},
        {"content-encoding", "gzip", "br", "failed 2: versions-differ"}}) {
    Http2Run run;
    for (RangeRequest each : {request(1, 0, 10), request(2, 10, 20)}) {
      each.file_size = DataSize{1000};
      run.ask(each);
    }
    run.talk(false);
    run.origin.answer(run.stream_of(0), "206", ten_bytes(0, name, first), content({0_B, 10_B}));
    run.talk(false);
    run.origin.answer(run.stream_of(1), "206", ten_bytes(10, name, second), content({10_B, 20_B}));
    run.talk(false);
    EXPECT_EQ(run.lines().back(), last_line) << name << ": " << second;
  }
}

TEST(Http2Session, AsksOnTheConditionThatTheFileIsTheOneThatIsKnown) {
  Http2Run run;
  run.ask(request(1, 0, 10));
  run.talk(false);
  run.origin.answer(run.stream_of(0), "206", ten_bytes(0, "etag", "\"a\""), content({0_B, 10_B}));
  run.talk(false);
  run.ask(request(2, 10, 20));
  run.talk(false);
  EXPECT_THAT(run.origin.requests().at(1).fields, Contains(Pair("if-range", "\"a\"")));
  run.origin.answer(run.stream_of(1), "200", {{"content-length", "1000"}, {"etag", "\"b\""}}, std::string(1000, 'x'));
  run.talk(false);
  EXPECT_EQ(run.lines().back(), "failed 2: versions-differ");
}

TEST(Http2Session, AHeadMayBeAsLongAsByHttp1) {
  Http2Run run;
  run.ask(request(1, 0, 10));
  run.talk(false);
  Http2Origin::Fields fields = ten_bytes(0, "x-0", std::string(20'000, 'x'));
  for (const char* name : {"x-1", "x-2"}) fields.emplace_back(name, std::string(20'000, 'x'));
  run.origin.answer(run.stream_of(0), "206", fields, content({0_B, 10_B}));
  run.talk(false);
  EXPECT_EQ(run.lines().back(), "done 1");
}

TEST(Http2Session, RefusesTwoRangesInOneHead) {
  Http2Run run;
  run.ask(request(1, 0, 10));
  run.talk(false);
  run.origin.answer(run.stream_of(0), "206", ten_bytes(0, "content-range", "bytes 5-14/1000"), content({0_B, 10_B}));
  run.talk(false);
  EXPECT_THAT(run.lines(), ElementsAre("failed 1: range-mismatch"));
}

/// What contradicts itself in its lengths, or names a coding of the transfer, which HTTP/2 has not.
TEST(Http2Session, AHeadThatBreaksTheRulesFailsAlone) {
  for (const auto& [name, value] :
       {std::pair{"content-length", "9"}, {"content-length", "99999999999999999999"}, {"transfer-encoding", "gzip"}}) {
    Http2Run run;
    run.ask(request(1, 0, 10));
    run.talk(false);
    run.origin.answer(run.stream_of(0), "206", {{"content-range", "bytes 0-9/1000"}, {name, value}},
                      std::string(10, 'x'));
    run.talk(false);
    EXPECT_THAT(run.log().failed(), testing::SizeIs(1)) << name << ": " << value;
    EXPECT_EQ(run.log().bytes(RequestId{1}), "");
    EXPECT_TRUE(run.session().accepts_request());
  }
}

TEST(Http2Session, TheWholeFileForARangeIsCalledOff) {
  Http2Run run;
  run.ask(request(1, 0, 10));
  run.talk(false);
  run.origin.answer(run.stream_of(0), "200", {{"content-length", "1000000"}}, std::string(1'000'000, 'x'));
  run.talk(false);
  EXPECT_THAT(run.lines(), ElementsAre("failed 1: range-ignored"));
  EXPECT_THAT(run.origin.resets(), ElementsAre(Pair(run.stream_of(0), kCancel)));
  EXPECT_TRUE(run.session().accepts_request());
}

TEST(Http2Session, ABodyOfAnotherLengthIsRefused) {
  for (const auto& [body, reason] :
       {std::pair{std::string(9, 'x'), "range-mismatch"}, {std::string(11, 'x'), "protocol"}}) {
    Http2Run run;
    run.ask(request(1, 0, 10));
    run.talk(false);
    run.origin.answer(run.stream_of(0), "206", {{"content-range", "bytes 0-9/1000"}}, body);
    run.talk(false);
    EXPECT_EQ(run.lines().back(), std::string{"failed 1: "} + reason);
  }
}

TEST(Http2Session, GoingAwayHandsBackWhatWillNotBeServed) {
  Http2Run run;
  run.prove();
  for (unsigned id = 1; id <= 4; ++id) run.ask(request(id, 0, 10));
  run.talk(false);
  run.origin.go_away(run.stream_of(2));
  run.talk(false);
  EXPECT_TRUE(run.session().draining());
  EXPECT_FALSE(run.session().accepts_request());
  EXPECT_FALSE(run.session().ended());
  EXPECT_THAT(run.handed_back(), ElementsAre(RequestId{3}, RequestId{4}));
  run.origin.answer(run.origin.requests()[1]);
  run.origin.answer(run.origin.requests()[2]);
  run.talk(false);
  EXPECT_EQ(run.lines().back(), "done 2");
  EXPECT_TRUE(run.session().ended());
  EXPECT_THAT(run.log().failed(), IsEmpty());
  EXPECT_EQ(run.session().responses(), 3);
}

TEST(Http2Session, ARefusedStreamIsHandedBack) {
  Http2Run run;
  run.prove();
  run.ask(request(1, 0, 10));
  run.talk(false);
  run.origin.reset(run.stream_of(1), kRefusedStream);
  run.talk(false);
  EXPECT_THAT(run.handed_back(), ElementsAre(RequestId{1}));
  EXPECT_TRUE(run.session().accepts_request());
}

TEST(Http2Session, AnOriginThatRefusesEveryStreamIsBusy) {
  Http2Run run;
  run.prove();
  for (std::size_t i = 1; i <= 3; ++i) {
    run.ask(request(static_cast<unsigned>(i), 0, 10));
    run.talk(false);
    run.origin.reset(run.stream_of(i), kRefusedStream);
    run.talk(false);
  }
  EXPECT_EQ(run.lines().back(), "failed 3: server-busy");
}

TEST(Http2Session, AResetStreamFailsAlone) {
  for (const auto& [error, reason] : {std::pair{kInternalError, "protocol"}, {kEnhanceYourCalm, "server-busy"}}) {
    Http2Run run;
    run.prove();
    run.ask(request(1, 0, 10));
    run.ask(request(2, 0, 10));
    run.talk(false);
    run.origin.reset(run.stream_of(1), error);
    run.origin.answer(run.origin.requests()[2]);
    run.talk(false);
    EXPECT_THAT(run.lines(), Contains(std::string{"failed 1: "} + reason));
    EXPECT_EQ(run.lines().back(), "done 2");
  }
}

TEST(Http2Session, WhatIsAbandonedIsCalledOffAndTheConnectionGoesOn) {
  Http2Run run{fixed_window(20_kB)};
  run.prove();
  run.ask(request(1, 0, 50'000));
  run.ask(request(2, 0, 50'000));
  run.to_origin();
  run.origin.answer_all();
  const std::string late = run.origin.send();
  run.receive(std::string_view{late}.substr(0, 5'000));
  EXPECT_TRUE(run.session().abandon(run.now));
  run.collect();
  EXPECT_THAT(run.lines(), testing::IsSupersetOf({"failed 1: abandoned", "failed 2: abandoned"}));
  EXPECT_FALSE(run.session().busy());
  EXPECT_TRUE(run.receive(std::string_view{late}.substr(5'000))) << "what is still under way is a sign of life";
  run.ask(request(3, 0, 50'000));
  run.talk();
  EXPECT_THAT(run.origin.resets(), ElementsAre(Pair(run.stream_of(1), kCancel), Pair(run.stream_of(2), kCancel)));
  EXPECT_EQ(run.lines().back(), "done 3");
}

TEST(Http2Session, DoesNotResetMoreStreamsThanAServerSuffers) {
  Http2Run run;
  run.prove();
  unsigned id = 0;
  for (int i = 0; i < ResetBudget::kAtOnce; ++i) {
    run.ask(request(++id, 0, 10));
    run.talk(false);
    EXPECT_TRUE(run.session().abandon(run.now));
  }
  run.ask(request(++id, 0, 10));
  EXPECT_FALSE(run.session().abandon(run.now));
  EXPECT_TRUE(run.session().busy());
  run.now += ResetBudget::kOneMore;
  EXPECT_TRUE(run.session().abandon(run.now));
}

TEST(Http2Session, HonoursHowManyStreamsTheOriginAllows) {
  Http2Run run{{}, {.streams = 2}};
  run.prove();
  for (unsigned id = 1; id <= 5; ++id) run.ask(request(id, 0, 10));
  run.talk(false);
  EXPECT_EQ(run.origin.requests().size(), 1u + 2u);
  run.talk();
  EXPECT_EQ(run.log().open_requests(), 0);
  EXPECT_THAT(run.log().failed(), IsEmpty());
}

TEST(Http2Session, AskedForLifeItSendsOnePing) {
  Http2Run run;
  run.ask(request(1, 0, 10));
  run.talk(false);
  run.session().ask_for_life();
  EXPECT_FALSE(run.session().can_ask_for_life());
  run.to_origin();
  EXPECT_EQ(run.origin.pings(), 1);
  EXPECT_TRUE(run.receive(run.origin.send()));
  EXPECT_TRUE(run.session().can_ask_for_life());
}

TEST(Http2Session, PongsWithoutEndAreNoSignOfLife) {
  Http2Run run;
  run.ask(request(1, 0, 10));
  run.talk(false);
  int believed = 0;
  for (int i = 0; i < 10; ++i) {
    if (!run.session().can_ask_for_life()) break;
    run.session().ask_for_life();
    run.to_origin();
    believed += run.receive(run.origin.send()) ? 1 : 0;
  }
  EXPECT_EQ(believed, Http2Session::Limits{}.pongs);
  EXPECT_EQ(run.origin.pings(), Http2Session::Limits{}.pongs) << "more would be a flood";
}

TEST(Http2Session, TheEndOfTheConnectionFailsWhatHasBegunAndHandsBackTheRest) {
  for (const auto& [how, reason] :
       {std::pair{StreamStatus::kClosed, "closed-mid-body"}, {StreamStatus::kReset, "reset"}}) {
    Http2Run run{fixed_window(20_kB)};
    run.prove();
    for (unsigned id = 1; id <= 3; ++id) run.ask(request(id, 0, 50'000));
    run.to_origin();
    run.origin.answer_all();
    run.receive(run.origin.send());
    run.end(how);
    EXPECT_EQ(run.lines().back(), std::string{"failed 1: "} + reason);
    EXPECT_THAT(run.handed_back(), ElementsAre(RequestId{2}, RequestId{3}));
    EXPECT_TRUE(run.session().ended());
  }
}

TEST(Http2Session, GivingUpFailsEverythingOutstanding) {
  Http2Run run;
  run.prove();
  for (const unsigned id : {1, 2}) run.ask(request(id, 0, 10));
  run.session().fail_all(FailureReason::kLinkDown, "wlan0 is gone");
  run.collect();
  EXPECT_THAT(run.lines(), testing::IsSupersetOf({"failed 1: link-down", "failed 2: link-down"}));
}

}  // namespace
}  // namespace tributary::transport
