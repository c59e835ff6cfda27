// Connections that speak HTTP/2, and what becomes of the requests when they end.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "http2_origin.hh"
#include "pipelined_transport_fixture.hh"

namespace tributary::transport {
namespace {

using namespace std::chrono_literals;
using testing::IsEmpty;

class Http2TransportTest : public PipelinedTransportTest {
 protected:
  void connect(std::size_t number) {
    network_.connection(number).protocol = "h2";
    PipelinedTransportTest::connect(number);
  }
  /// What was sent on the connection goes to the origin, and what that says comes back.
  void talk(std::size_t number, Http2Origin& origin, bool answers = true) {
    ScriptedNetwork::Connection& connection = network_.connection(number);
    for (int i = 0; i < 5; ++i) {
      origin.receive(std::exchange(connection.sent, {}));
      if (answers) origin.answer_all();
      connection.arriving += origin.send();
      advance();
    }
  }
  /// The first connection, proved by request 1.
  void begin() {
    ask(1);
    connect(0);
    talk(0, first_);
  }

  Http2Origin first_, second_;
};

TEST_F(Http2TransportTest, SpeaksWhatWasAgreedOn) {
  begin();
  EXPECT_THAT(log_.lines(), testing::ElementsAre("began 1", "bytes 1: 10", "done 1"));
}

TEST_F(Http2TransportTest, GoingAwayIsSurvivedWithoutAFailure) {
  begin();
  for (unsigned id = 2; id <= 5; ++id) ask(id);
  talk(0, first_, false);
  first_.go_away(first_.requests().at(2).stream);
  talk(0, first_, false);
  ASSERT_EQ(network_.connections(), 2u) << "the next connection is made while the last answers come";
  connect(1);
  talk(0, first_);
  EXPECT_TRUE(network_.connection(0).released);
  talk(1, second_);
  EXPECT_EQ(log_.done().size(), 5u);
  EXPECT_THAT(log_.failed(), IsEmpty());
}

TEST_F(Http2TransportTest, AnOriginThatAlwaysGoesAwayIsGivenUp) {
  ask(1);
  for (std::size_t number = 0; number < 2; ++number) {
    connect(number);
    Http2Origin origin;
    origin.go_away(0);
    talk(number, origin, false);
  }
  ASSERT_EQ(log_.failed().size(), 1u);
  EXPECT_EQ(log_.failed()[0].reason, FailureReason::kClosedUnanswered);
}

TEST_F(Http2TransportTest, ARefusedStreamIsAskedAgain) {
  begin();
  ask(2);
  talk(0, first_, false);
  first_.reset(first_.requests().back().stream, 7);
  talk(0, first_, false);
  ASSERT_EQ(first_.requests().size(), 3u);
  first_.answer(first_.requests().back());
  talk(0, first_, false);
  EXPECT_EQ(log_.done().size(), 2u);
  EXPECT_THAT(log_.failed(), IsEmpty());
}

TEST_F(Http2TransportTest, WhatIsAbandonedCostsNoConnection) {
  begin();
  for (unsigned id = 2; id <= 4; ++id) ask(id);
  talk(0, first_, false);
  transport_.abandon(now_);
  ask(5);
  talk(0, first_, false);
  first_.answer(first_.requests().back());
  talk(0, first_, false);
  EXPECT_EQ(log_.failed().size(), 3u);
  EXPECT_EQ(log_.done().back(), RequestId{5});
  EXPECT_EQ(network_.connections(), 1u);
}

TEST_F(Http2TransportTest, AnOriginThatAllowsNoStreamIsAStall) {
  begin();
  first_.allow(0);
  talk(0, first_);
  ask(2);
  ASSERT_TRUE(transport_.next_deadline());
  for (int i = 0; i < 20 && transport_.next_deadline(); ++i) advance(1s);
  ASSERT_EQ(log_.failed().size(), 1u);
  EXPECT_EQ(log_.failed()[0].reason, FailureReason::kStalled);
}

TEST_F(Http2TransportTest, ASlowOriginThatLivesIsGivenMoreTime) {
  network_.round_trip = RoundTrip{100ms, 100ms};
  begin();
  ask(2);
  for (int i = 0; i < 4; ++i) {  // in all longer than silence may last
    advance(1s);
    talk(0, first_, false);
  }
  EXPECT_GT(first_.pings(), 0);
  EXPECT_THAT(log_.failed(), IsEmpty());
  talk(0, first_);
  EXPECT_EQ(log_.done().size(), 2u);
}

TEST_F(Http2TransportTest, SilenceIsAStall) {
  begin();
  ask(2);
  for (int i = 0; i < 4; ++i) advance(1s);
  ASSERT_EQ(log_.failed().size(), 1u);
  EXPECT_EQ(log_.failed()[0].reason, FailureReason::kStalled);
}

}  // namespace
}  // namespace tributary::transport
