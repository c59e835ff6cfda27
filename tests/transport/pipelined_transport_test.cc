#include "pipelined_transport_fixture.hh"

namespace tributary::transport {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::IsEmpty;

TEST_F(PipelinedTransportTest, ConnectsWhenThereIsSomethingToFetch) {
  advance();
  EXPECT_EQ(network_.connections(), 0u);
  EXPECT_FALSE(transport_.next_deadline());
  ask(1);
  EXPECT_EQ(network_.connections(), 1u);
  connect(0);
  answer(0, good_);
  EXPECT_THAT(log_.lines(), ElementsAre("began 1", "bytes 1: 10", "done 1"));
  EXPECT_FALSE(transport_.next_deadline());
}

TEST_F(PipelinedTransportTest, SendsAtOnceWhatTheConnectionTakes) {
  begin_with(1);
  ask(2);
  ask(3);
  EXPECT_EQ(requests_on(0), 2);
}

TEST_F(PipelinedTransportTest, AFailureToConnectFailsEverythingOutstanding) {
  ask(1);
  ask(2);
  network_.connection(0).state = ByteStream::State::kFailed;
  network_.connection(0).failure = {FailureReason::kRefused, "nobody listens"};
  advance();
  EXPECT_THAT(log_.lines(), ElementsAre("failed 1: refused", "failed 2: refused"));
  EXPECT_EQ(log_.failed()[0].detail, "nobody listens");
  EXPECT_TRUE(network_.connection(0).released);

  ask(3);
  connect(1);
  answer(1, good_);
  EXPECT_EQ(log_.lines().back(), "done 3");
}

TEST_F(PipelinedTransportTest, AbandonKeepsAConnectionThatIsBeingMade) {
  ask(1);
  ask(2);
  transport_.abandon(now_);
  advance();
  EXPECT_THAT(log_.lines(), ElementsAre("failed 1: abandoned", "failed 2: abandoned"));
  ask(3);
  connect(0);
  answer(0, good_);
  EXPECT_EQ(log_.lines().back(), "done 3");
  EXPECT_EQ(network_.connections(), 1u);
}

TEST_F(PipelinedTransportTest, AbandonClosesAConnectionThatOwesAnAnswer) {
  begin_with(2);
  transport_.abandon(now_);
  advance();
  EXPECT_EQ(log_.lines().back(), "failed 2: abandoned");
  EXPECT_TRUE(network_.connection(0).released);
  ask(3);
  connect(1);
  answer(1, good_);
  EXPECT_EQ(log_.lines().back(), "done 3");
  transport_.abandon(now_);  // nothing is outstanding: it stays
  advance();
  EXPECT_FALSE(network_.connection(1).released);
}

TEST_F(PipelinedTransportTest, AnIdleCloseIsInvisible) {
  begin_with(1);
  end(0);
  EXPECT_TRUE(network_.connection(0).released);
  EXPECT_EQ(network_.connections(), 1u);  // nothing to connect for
  ask(2);
  connect(1);
  answer(1, good_);
  EXPECT_EQ(log_.lines().back(), "done 2");
}

TEST_F(PipelinedTransportTest, RequestsThatCrossedAnIdleCloseAreAskedAgain) {
  begin_with(1);
  ask(2);
  ask(3);
  end(0, StreamStatus::kReset);
  connect(1);
  answer(1, good_);
  answer(1, good_);
  EXPECT_THAT(log_.failed(), IsEmpty());
  EXPECT_EQ(log_.lines().back(), "done 3");
}

TEST_F(PipelinedTransportTest, ACloseWithinABodyFailsThatRequestAndMovesTheRest) {
  begin_with(4);
  answer(0, good_.substr(0, good_.size() - 3));
  end(0, StreamStatus::kReset);
  connect(1);
  answer(1, good_);
  answer(1, good_);
  ASSERT_EQ(log_.failed().size(), 1u);
  EXPECT_EQ(log_.failed()[0].id, RequestId{2});
  EXPECT_EQ(log_.failed()[0].reason, FailureReason::kReset);
  EXPECT_EQ(log_.done(), (std::vector{RequestId{1}, RequestId{3}, RequestId{4}}));
}

TEST_F(PipelinedTransportTest, TwoConnectionsInARowWithoutAResponseFailWhatIsOutstanding) {
  ask(1);
  ask(2);
  connect(0);
  end(0);
  EXPECT_THAT(log_.lines(), IsEmpty());
  connect(1);
  end(1);
  EXPECT_THAT(log_.lines(), ElementsAre("failed 1: closed-unanswered", "failed 2: closed-unanswered"));
}

TEST_F(PipelinedTransportTest, AnOriginThatClosesSilentlyAfterEachResponseIsPutUpWith) {
  for (unsigned id = 1; id <= 5; ++id) ask(id);
  for (std::size_t number = 0; number < 5; ++number) {
    connect(number);
    answer(number, good_);
    end(number);
  }
  EXPECT_EQ(log_.done().size(), 5u);
}

TEST_F(PipelinedTransportTest, ARangeIgnoredClosesTheConnectionBeforeTheWholeFileComes) {
  ask(1);
  ask(2);
  connect(0);
  answer(0, response("200 OK", std::string(1000, 'x')));
  EXPECT_EQ(log_.lines().front(), "failed 1: range-ignored");
  EXPECT_TRUE(network_.connection(0).released);
  connect(1);
  answer(1, good_);
  EXPECT_EQ(log_.lines().back(), "done 2");
}

TEST_F(PipelinedTransportTest, FileVersionsAreRememberedAcrossConnections) {
  ask(1);
  connect(0);
  answer(0, partial_content(0, 10, "ETag: \"a\"\r\n"));
  end(0);
  ask(2);
  connect(1);
  answer(1, partial_content(0, 10, "ETag: \"b\"\r\n"));
  EXPECT_EQ(log_.lines().back(), "failed 2: versions-differ");
}

TEST_F(PipelinedTransportTest, CloseFailsEverythingWithTheGivenReason) {
  begin_with(3);
  ask(4);
  answer(0, good_.substr(0, good_.size() - 3));
  transport_.close(FailureReason::kLinkDown, now_);
  advance();
  EXPECT_THAT(log_.lines(), testing::IsSupersetOf(
                                {"bytes 2: 7", "failed 2: link-down", "failed 3: link-down", "failed 4: link-down"}));
  EXPECT_TRUE(network_.connection(0).released);
}

TEST_F(PipelinedTransportTest, SilenceWhileSomethingIsOwedIsAStall) {
  begin_with(2);
  const TimePoint last_byte = now_;
  EXPECT_EQ(transport_.next_deadline(), last_byte + 2s);
  advance(1900ms);
  EXPECT_THAT(log_.failed(), IsEmpty());
  answer(0, good_.substr(0, 5));  // a part of a head is progress, too
  EXPECT_EQ(transport_.next_deadline(), now_ + 2s);
  ask(3);  // a new request does not excuse the silence
  advance(2s);
  EXPECT_THAT(log_.failed(), testing::SizeIs(2));
  EXPECT_EQ(log_.failed()[0].reason, FailureReason::kStalled);
  EXPECT_TRUE(network_.connection(0).released);
}

TEST_F(PipelinedTransportTest, BytesThatArrivedWhileTheProcessSleptAreReadBeforeTheVerdict) {
  begin_with(2);
  network_.connection(0).arriving = good_;
  advance(10s);
  EXPECT_EQ(log_.lines().back(), "done 2");
}

TEST_F(PipelinedTransportTest, AnIdleConnectionOwesNothing) {
  begin_with(1);
  advance(60s);
  ask(2);
  EXPECT_EQ(transport_.next_deadline(), now_ + 2s);
  answer(0, good_);
  EXPECT_EQ(log_.lines().back(), "done 2");
}

TEST_F(PipelinedTransportTest, SlowLinksAndColdConnectionsGetMoreTime) {
  network_.round_trip = RoundTrip{500ms, 400ms};
  ask(1);
  connect(0);
  const TimePoint connected = now_;
  EXPECT_EQ(transport_.round_trip(), (RoundTrip{500ms, 400ms}));
  EXPECT_EQ(transport_.next_deadline(), connected + 4s + 500ms + 1s);
  answer(0, good_);
  ask(2);
  EXPECT_EQ(transport_.next_deadline(), now_ + 4s);
}

TEST_F(PipelinedTransportTest, APartOfATlsRecordIsProgressThoughItCannotBeRead) {
  begin_with(1);
  ask(2);
  network_.silence = 300ms;
  advance(2s);
  EXPECT_EQ(transport_.next_deadline(), now_ + 1700ms);
  network_.silence = 2s;
  advance(1700ms);
  EXPECT_EQ(log_.lines().back(), "failed 2: stalled");
}

/// The other end of all connections lives; so many seconds pass.
class SlowOriginTest : public PipelinedTransportTest {
 protected:
  SlowOriginTest() { network_.silence_of_peer = 0s; }
  void wait(int seconds) {
    for (int second = 0; second < seconds; ++second) advance(1s);
  }
  void ask(unsigned id, int begin) {
    const RangeRequest asked = request(id, begin, begin + 10);
    log_.submitted(asked);
    transport_.submit(asked, now_);
  }
};

TEST_F(SlowOriginTest, IsWaitedForAndItsPaceIsLearned) {
  ask(1, 0);
  connect(0);
  wait(5);
  EXPECT_THAT(log_.failed(), IsEmpty());
  answer(0, good_);
  ask(2, 0);
  wait(9);
  answer(0, good_.substr(0, good_.size() - 5));
  wait(9);
  answer(0, good_.substr(good_.size() - 5));
  EXPECT_EQ(log_.lines().back(), "done 2");
  EXPECT_EQ(network_.connections(), 1u);
}

TEST_F(SlowOriginTest, IsGivenFarMoreTimeAfterEachConnectionInVain) {
  ask(1, 0);
  connect(0);
  wait(7);
  EXPECT_EQ(log_.lines(), std::vector<std::string>{"failed 1: stalled"});
  ask(2, 0);
  connect(1);
  wait(45);
  EXPECT_THAT(log_.failed(), testing::SizeIs(1));
  answer(1, good_);
  EXPECT_EQ(log_.lines().back(), "done 2");
}

TEST_F(SlowOriginTest, ALinkThatDiedMeanwhileIsGivenUp) {
  ask(1, 0);
  connect(0);
  wait(4);
  EXPECT_THAT(log_.failed(), IsEmpty());
  network_.silence_of_peer = 3s;
  wait(1);
  EXPECT_EQ(log_.lines(), std::vector<std::string>{"failed 1: stalled"});
}

TEST_F(SlowOriginTest, TheRestOfABodyMayPause) {
  ask(1, 0);
  connect(0);
  answer(0, good_.substr(0, good_.size() - 5));
  wait(5);
  answer(0, good_.substr(good_.size() - 5));
  EXPECT_EQ(log_.lines().back(), "done 1");
}

TEST_F(SlowOriginTest, OneThatLosesPipelinedRequestsIsAskedOneAtATime) {
  ask(1, 0);
  connect(0);
  answer(0, good_);
  for (const unsigned id : {2U, 3U}) ask(id, 0);
  answer(0, good_);  // and not the other
  wait(2);
  EXPECT_EQ(log_.lines().back(), "failed 3: stalled");
  requests_on(0);
  for (const unsigned id : {4U, 5U, 6U}) ask(id, 0);
  connect(1);
  EXPECT_EQ(requests_on(1), 1);
  for (const unsigned id : {4U, 5U, 6U}) {
    EXPECT_TRUE(log_.open(RequestId{id}));
    answer(1, good_);
    EXPECT_EQ(requests_on(1), id < 6 ? 1 : 0);
  }
  EXPECT_EQ(log_.lines().back(), "done 6");
}

TEST_F(SlowOriginTest, OneThatAnswersOnceOnAConnectionIsGivenOneForEachRequest) {
  ask(1, 0);
  connect(0);
  answer(0, good_);
  ask(2, 0);
  wait(2);
  ask(3, 0);
  connect(1);
  answer(1, good_);
  ask(4, 0);
  wait(2);
  EXPECT_EQ(log_.lines().back(), "failed 4: stalled");
  for (const unsigned id : {5U, 6U, 7U}) ask(id, 0);
  for (const std::size_t connection : {2U, 3U, 4U}) {
    connect(connection);
    EXPECT_EQ(requests_on(connection), 1);
    answer(connection, good_);
  }
  EXPECT_EQ(log_.lines().back(), "done 7");
  EXPECT_EQ(network_.connections(), 5u);
}

TEST_F(SlowOriginTest, OneThatIsSlowWhateverItIsAskedIsPipelinedAgain) {
  ask(1, 0);
  connect(0);
  answer(0, good_);
  ask(2, 0);
  wait(2);
  EXPECT_EQ(log_.lines().back(), "failed 2: stalled");
  ask(3, 0);
  connect(1);
  wait(4);
  answer(1, good_);
  EXPECT_EQ(log_.lines().back(), "done 3");
  requests_on(1);
  for (const unsigned id : {4U, 5U}) ask(id, 0);
  EXPECT_EQ(requests_on(1), 2);
}

TEST_F(PipelinedTransportTest, AnswersOutOfOrderAreAskedForOneAtATime) {
  begin_with(1);
  for (const unsigned id : {2U, 3U, 4U}) {
    const RangeRequest asked = request(id, static_cast<int>(10 * id), static_cast<int>(10 * id) + 10);
    log_.submitted(asked);
    transport_.submit(asked, now_);
  }
  answer(0, partial_content(30, 40) + partial_content(20, 30));
  EXPECT_THAT(log_.failed(), IsEmpty());
  connect(1);
  for (const int begin : {20, 30, 40}) {
    EXPECT_EQ(requests_on(1), 1);
    answer(1, partial_content(begin, begin + 10));
  }
  EXPECT_EQ(log_.lines().back(), "done 4");
  EXPECT_THAT(log_.failed(), IsEmpty());
}

TEST_F(PipelinedTransportTest, WithoutASignOfTheOtherEndAConnectionIsTriedForFourSeconds) {
  ask(1);
  EXPECT_EQ(transport_.next_deadline(), now_ + 4s);
  advance(4s);
  EXPECT_EQ(log_.lines().back(), "failed 1: connect-timeout");
  network_.reached = true;  // the handshake takes long
  ask(2);
  EXPECT_EQ(transport_.next_deadline(), std::nullopt);
  advance(20s);
  connect(1);
  answer(1, good_);
  EXPECT_EQ(log_.lines().back(), "done 2");
}

TEST_F(PipelinedTransportTest, EventsNotTakenKeepTheirBytes) {
  begin_with(2);
  network_.connection(0).arriving = good_;
  transport_.advance(now_);
  EXPECT_EQ(transport_.next_deadline(), now_);
  ask(3);
  network_.connection(0).arriving = partial_content(10, 20);
  transport_.advance(now_);  // must not read over what was not taken
  while (const auto event = transport_.next_event()) log_.add(*event);
  EXPECT_EQ(log_.bytes(RequestId{2}), content({DataSize{0}, DataSize{10}}));
}

TEST_F(PipelinedTransportTest, ALongBodyComesInSeveralLooks) {
  const int size = 600'000;
  const RangeRequest asked = request(1, 0, size);
  log_.submitted(asked);
  transport_.submit(asked, now_);
  connect(0);
  network_.connection(0).arriving =
      response("206 Partial Content", content(asked.range), "Content-Range: bytes 0-599999/600000\r\n");
  advance();
  EXPECT_TRUE(log_.open(RequestId{1}));
  EXPECT_EQ(transport_.next_deadline(), now_);  // there is more: no waiting
  while (transport_.next_deadline() == now_) advance(0ms);
  EXPECT_EQ(log_.bytes(RequestId{1}), content(asked.range));
}

}  // namespace
}  // namespace tributary::transport
