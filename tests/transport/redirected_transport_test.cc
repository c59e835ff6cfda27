#include "transport/redirected_transport.hh"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "canned_responses.hh"
#include "event_log.hh"

namespace tributary::transport {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

/// To one origin: answers what the test says.
class Place final : public HttpTransport {
 public:
  void submit(const RangeRequest& request, TimePoint /*now*/) override { asked.push_back(request); }
  void close(FailureReason reason, TimePoint /*now*/) override { fail(reason, "closed"); }
  void abandon(TimePoint /*now*/) override { fail(FailureReason::kAbandoned, "not wanted"); }
  void advance(TimePoint /*now*/) override {}
  std::optional<Event> next_event() override {
    if (events.empty()) return std::nullopt;
    Event event = events.front();
    events.pop_front();
    return event;
  }
  std::optional<TimePoint> next_deadline() const override { return std::nullopt; }
  std::optional<RoundTrip> round_trip() const override { return std::nullopt; }

  void fail(FailureReason reason, const std::string& detail, const std::string& location = "") {
    for (const RangeRequest& request : std::exchange(asked, {}))
      events.emplace_back(RequestFailed{request.id, reason, detail, std::nullopt, location});
  }
  void redirect(const std::string& location) { fail(FailureReason::kRedirected, "302 Found", location); }
  void answer() {
    for (const RangeRequest& request : std::exchange(asked, {})) {
      events.emplace_back(ResponseBegan{request.id});
      events.emplace_back(RequestDone{request.id});
    }
  }

  std::vector<RangeRequest> asked;
  std::deque<Event> events;
};

class RedirectedTransportTest : public testing::Test {
 protected:
  /// The one to this origin, which must have been asked for.
  Place& at(const std::string& origin) { return *places_.at(origin); }
  std::string path_asked_at(const std::string& origin) { return at(origin).asked.at(0).path(); }
  void ask(unsigned id) { transport_.submit(request(id, 0, 10), now_); }
  /// The events that came out, in words.
  std::vector<std::string> heard() {
    std::vector<std::string> lines;
    while (const auto event = transport_.next_event()) {
      if (std::holds_alternative<ResponseBegan>(*event)) lines.emplace_back("began");
      if (std::holds_alternative<RequestDone>(*event)) lines.emplace_back("done");
      if (const auto* failed = std::get_if<RequestFailed>(&*event)) lines.push_back("failed: " + failed->detail);
    }
    return lines;
  }

  const std::string home_ = "https://film.example";
  TimePoint now_;
  std::map<std::string, Place*> places_;
  const RedirectedTransport::Connect connect_ = [this](const Origin& origin) {
    auto place = std::make_unique<Place>();
    places_[origin.url()] = place.get();
    return place;
  };
  RedirectedTransport transport_{{"https", "film.example", 443}, connect_};
};

TEST_F(RedirectedTransportTest, AnAddressThatHoldsItsFileIsAnsweredWithoutAnOrigin) {
  RangeRequest within = request(1, 1, 3);
  within.target = "data:video/mp4;base64,AAECAw==";
  transport_.submit(within, now_);
  RangeRequest beyond = request(2, 0, 9);
  beyond.target = within.target;
  transport_.submit(beyond, now_);
  EXPECT_EQ(transport_.next_deadline(), now_);
  EXPECT_TRUE(std::holds_alternative<ResponseBegan>(*transport_.next_event()));
  const auto body = transport_.next_event();
  const auto& received = std::get<BodyReceived>(*body);
  EXPECT_EQ(received.offset, DataSize{1});
  EXPECT_THAT(received.bytes, ElementsAre(std::byte{1}, std::byte{2}));
  EXPECT_THAT(heard(), ElementsAre("done", HasSubstr("does not hold these bytes")));
  EXPECT_EQ(transport_.next_deadline(), std::nullopt);
}

/// The files are at three origins.
class AlternativesTest : public RedirectedTransportTest {
 protected:
  AlternativesTest() {
    AlternativeAddresses alternatives;
    alternatives.add({home_ + "/movie/", second_ + "/", third_ + "/a/"});
    transport_ = RedirectedTransport{{"https", "film.example", 443}, connect_, alternatives};
  }
  /// The answers of these origins in turn, until something is heard of it.
  void all_refuse(FailureReason reason) {
    for (const std::string& origin : {home_, second_, third_}) {
      EXPECT_THAT(heard(), ElementsAre());
      at(origin).fail(reason, "refused at " + origin);
    }
  }

  const std::string second_ = "https://b.example";
  const std::string third_ = "https://c.example";
};

TEST_F(AlternativesTest, AnotherAddressIsAskedAtOnce) {
  using enum FailureReason;
  for (const FailureReason reason :
       {kNotFound, kUnauthorized, kServerBusy, kResolve, kRefused, kConnectTimeout, kTls, kTlsVerification, kNoRoute}) {
    SCOPED_TRACE(to_string(reason));
    AlternativeAddresses alternatives;
    alternatives.add({home_ + "/movie/", second_ + "/"});
    transport_ = RedirectedTransport{{"https", "film.example", 443}, connect_, alternatives};
    ask(1);
    ask(2);
    at(home_).fail(reason, "no");
    EXPECT_THAT(heard(), ElementsAre());
    EXPECT_EQ(at(second_).asked.size(), 2u);
    EXPECT_EQ(path_asked_at(second_), "/low.mp4");
    at(second_).answer();
    EXPECT_THAT(heard(), ElementsAre("began", "done", "began", "done"));
    ask(3);
    EXPECT_EQ(at(second_).asked.size(), 1u) << "it is preferred now";
  }
}

TEST_F(AlternativesTest, WhatIsNowhereFailsAndChangesNothing) {
  ask(1);
  all_refuse(FailureReason::kNotFound);
  EXPECT_THAT(heard(), ElementsAre("failed: refused at https://c.example"));
  ask(2);
  EXPECT_EQ(path_asked_at(home_), "/movie/low.mp4");
}

TEST_F(AlternativesTest, ABrokenAnswerIsToldAndTheNextRequestGoesElsewhere) {
  ask(1);
  at(home_).fail(FailureReason::kStalled, "no byte");
  EXPECT_THAT(heard(), ElementsAre("failed: no byte"));
  ask(2);
  EXPECT_EQ(path_asked_at(second_), "/low.mp4");
  at(second_).fail(FailureReason::kReset, "reset");
  EXPECT_THAT(heard(), ElementsAre("failed: reset"));
  ask(3);
  EXPECT_EQ(path_asked_at(third_), "/a/low.mp4");
}

TEST_F(AlternativesTest, ALinkThatGoesIsNotTheFaultOfAnAddress) {
  using enum FailureReason;
  for (const FailureReason reason : {kLinkDown, kInterface, kAbandoned}) {
    ask(1);
    at(home_).fail(reason, "gone");
    EXPECT_THAT(heard(), ElementsAre("failed: gone"));
  }
  ask(2);
  EXPECT_EQ(path_asked_at(home_), "/movie/low.mp4");
}

TEST_F(AlternativesTest, ARedirectionIsFollowedFromEachOfThem) {
  ask(1);
  at(home_).redirect("https://cdn.example/x");
  EXPECT_THAT(heard(), ElementsAre());
  at("https://cdn.example").fail(FailureReason::kServerBusy, "503");
  EXPECT_THAT(heard(), ElementsAre());
  EXPECT_EQ(path_asked_at(second_), "/low.mp4");
  at(second_).redirect("https://cdn.example/y");
  EXPECT_THAT(heard(), ElementsAre());
  EXPECT_EQ(path_asked_at("https://cdn.example"), "/y");
  at("https://cdn.example").answer();
  EXPECT_THAT(heard(), ElementsAre("began", "done"));
  ask(2);
  EXPECT_EQ(path_asked_at("https://cdn.example"), "/y") << "remembered, and preferred";
}

TEST_F(RedirectedTransportTest, AnAnswerWithoutARedirectionIsPassedOn) {
  ask(1);
  EXPECT_EQ(path_asked_at(home_), "/movie/low.mp4");
  at(home_).answer();
  EXPECT_THAT(heard(), ElementsAre("began", "done"));
  EXPECT_EQ(places_.size(), 1U);
}

TEST_F(RedirectedTransportTest, FollowsToOtherPathsAndOrigins) {
  ask(1);
  at(home_).redirect("../elsewhere.mp4?token=1");
  EXPECT_THAT(heard(), ElementsAre());
  EXPECT_EQ(path_asked_at(home_), "/elsewhere.mp4?token=1");
  EXPECT_EQ(at(home_).asked.at(0).target, "/movie/low.mp4") << "it is the same file";
  at(home_).redirect("https://cdn.example:8443/a/b");
  heard();
  EXPECT_EQ(path_asked_at("https://cdn.example:8443"), "/a/b");
  at("https://cdn.example:8443").answer();
  EXPECT_THAT(heard(), ElementsAre("began", "done"));
}

TEST_F(RedirectedTransportTest, AnAbsoluteTargetIsAskedForAtItsOwnOrigin) {
  const auto ask_for = [&](unsigned id, const std::string& target) {
    transport_.submit({.id = RequestId{id}, .target = target, .range = {DataSize{0}, DataSize{10}}}, now_);
  };
  ask_for(1, "https://cdn.example/film/low.mp4?a=b");
  EXPECT_EQ(path_asked_at("https://cdn.example"), "/film/low.mp4?a=b");
  at("https://cdn.example").answer();
  EXPECT_THAT(heard(), ElementsAre("began", "done"));
  ask_for(2, "ftp://cdn.example/low.mp4");
  EXPECT_THAT(heard(), ElementsAre(HasSubstr("ftp")));
  for (unsigned id = 10; id < 10 + RedirectedTransport::kMostOrigins; ++id)
    ask_for(id, "https://cdn" + std::to_string(id) + ".example/x");
  EXPECT_THAT(heard(), ElementsAre(HasSubstr("more than 8 origins")));
}

TEST_F(RedirectedTransportTest, RemembersWhereAFileIsUntilItIsRefusedThere) {
  ask(1);
  at(home_).redirect("https://cdn.example/a");
  heard();
  at("https://cdn.example").answer();
  heard();
  ask(2);
  EXPECT_TRUE(at(home_).asked.empty());
  at("https://cdn.example").fail(FailureReason::kUnauthorized, "403 Forbidden");
  EXPECT_THAT(heard(), ElementsAre());
  EXPECT_EQ(path_asked_at(home_), "/movie/low.mp4");
  at(home_).redirect("https://cdn.example/b");
  heard();
  at("https://cdn.example").fail(FailureReason::kUnauthorized, "403 Forbidden");
  EXPECT_THAT(heard(), ElementsAre("failed: 403 Forbidden, redirected to https://cdn.example/b")) << "it was just told";
  ask(3);
  EXPECT_EQ(path_asked_at(home_), "/movie/low.mp4");
}

TEST_F(RedirectedTransportTest, APlaceThatIsKnownFromBeforeIsAskedUntilItExpires) {
  for (const FailureReason reason : {FailureReason::kUnauthorized, FailureReason::kNotFound, FailureReason::kRefused,
                                     FailureReason::kServerBusy, FailureReason::kClosedUnanswered}) {
    const std::string known = "https://signed.example";
    transport_.knows("/movie/low.mp4", parse_url(known + "/low.mp4?expires=1"));
    ask(1);
    EXPECT_EQ(path_asked_at(known), "/low.mp4?expires=1");
    at(known).fail(reason, "expired");
    EXPECT_THAT(heard(), ElementsAre()) << to_string(reason);
    at(home_).redirect(known + "/low.mp4?expires=2");
    heard();
    EXPECT_EQ(path_asked_at(known), "/low.mp4?expires=2");
    at(known).answer();
    EXPECT_THAT(heard(), ElementsAre("began", "done"));
  }
}

TEST_F(RedirectedTransportTest, APlaceThatDoesNotAnswerIsForgottenAndTheOriginNotWaitedForAsWell) {
  for (const FailureReason reason : {FailureReason::kConnectTimeout, FailureReason::kStalled}) {
    transport_.knows("/movie/low.mp4", parse_url("https://lost.example/low.mp4"));
    ask(1);
    at("https://lost.example").fail(reason, "silent");
    EXPECT_THAT(heard(), ElementsAre(HasSubstr("silent"))) << to_string(reason);
    ask(2);
    EXPECT_EQ(path_asked_at(home_), "/movie/low.mp4");
    at(home_).answer();
    heard();
  }
}

TEST_F(RedirectedTransportTest, WhatBringsNothingIsNotRemembered) {
  ask(1);
  at(home_).redirect("https://login.example/");
  heard();
  at("https://login.example").fail(FailureReason::kEntityChanged, "the file has 9 bytes");
  heard();
  ask(2);
  EXPECT_EQ(path_asked_at(home_), "/movie/low.mp4");
}

TEST_F(RedirectedTransportTest, DoesNotFollowWhereItMustNot) {
  for (const auto& [location, why] : {std::pair{"http://film.example/x", "from https to http"},
                                      {"https://me@film.example/x", "a user name"},
                                      {"ftp://film.example/x", "only http and https"}}) {
    ask(1);
    at(home_).redirect(location);
    EXPECT_THAT(heard(), ElementsAre(HasSubstr(why))) << location;
  }
  EXPECT_EQ(places_.size(), 1U);
}

TEST_F(RedirectedTransportTest, ACircleEnds) {
  ask(1);
  for (int i = 0; i < RedirectedTransport::kMostRedirects; ++i) {
    at(home_).redirect("/round");
    ASSERT_THAT(heard(), ElementsAre());
  }
  at(home_).redirect("/round");
  EXPECT_THAT(heard(), ElementsAre(HasSubstr("redirected more than 50 times")));
}

TEST_F(RedirectedTransportTest, OriginsThatAreNotAskedAnyMoreMakeRoom) {
  for (unsigned id = 1; id <= 3 * RedirectedTransport::kMostOrigins; ++id) {
    const std::string cdn = "https://cdn" + std::to_string(id) + ".example";
    transport_.submit({.id = RequestId{id},
                       .target = "/" + std::to_string(id),
                       .range = {DataSize{0}, DataSize{10}},
                       .file_size = {}},
                      now_);
    at(home_).redirect(cdn + "/x");
    heard();
    at(cdn).answer();
    ASSERT_THAT(heard(), ElementsAre("began", "done"));
  }
}

TEST_F(RedirectedTransportTest, MoreOriginsAtATimeThanThereIsRoomForAreRefused) {
  for (unsigned id = 1; id < RedirectedTransport::kMostOrigins; ++id) {
    ask(id);
    at(home_).redirect("https://cdn" + std::to_string(id) + ".example/x");
    ASSERT_THAT(heard(), ElementsAre());
  }
  ask(100);
  at(home_).redirect("https://another.example/x");
  EXPECT_THAT(heard(), ElementsAre(HasSubstr("more than 8 origins")));
  transport_.abandon(now_);
  EXPECT_EQ(heard().size(), RedirectedTransport::kMostOrigins - 1);
}

}  // namespace
}  // namespace tributary::transport
