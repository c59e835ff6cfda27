// How one connection follows the other when the origin announces that it closes.
#include "pipelined_transport_fixture.hh"

namespace tributary::transport {
namespace {

using testing::IsEmpty;

TEST_F(PipelinedTransportTest, AfterAnAnnouncedCloseTheSuccessorConnectsBehindTheLastBody) {
  begin_with(4);
  answer(0, last_.substr(0, last_.size() - 3));
  ASSERT_EQ(network_.connections(), 2u);
  connect(1);
  EXPECT_EQ(requests_on(1), 1);  // 3; 4 waits until the successor has proved itself
  network_.connection(1).arriving = good_;
  advance();
  EXPECT_EQ(log_.lines().back(), "bytes 2: 7");  // first asked, first answered: 3 has to wait for 2

  answer(0, last_.substr(last_.size() - 3));
  advance();
  answer(1, good_);
  EXPECT_EQ(log_.done(), (std::vector{RequestId{1}, RequestId{2}, RequestId{3}, RequestId{4}}));
  EXPECT_TRUE(network_.connection(0).released);
}

TEST_F(PipelinedTransportTest, AnAnnouncedCloseWithNothingBehindItOpensNoConnection) {
  begin_with(2);
  answer(0, last_);
  EXPECT_EQ(network_.connections(), 1u);
  EXPECT_EQ(log_.lines().back(), "done 2");
}

TEST_F(PipelinedTransportTest, ALearnedKeepAliveLimitIsNotRunInto) {
  const auto serve_three = [this](std::size_t number) {
    connect(number);
    for (const std::string& response : {good_, good_, last_}) answer(number, response);
  };
  for (unsigned id = 1; id <= 11; ++id) ask(id);
  serve_three(0);
  serve_three(1);
  EXPECT_EQ(requests_on(0), 11);  // eight of them in vain
  connect(2);
  answer(2, good_);
  EXPECT_EQ(requests_on(2), 3);
  ASSERT_EQ(network_.connections(), 4u);  // made while the third still has two responses to give
  connect(3);
  EXPECT_EQ(requests_on(3), 1);
}

TEST_F(PipelinedTransportTest, AKeepAliveLimitThatHoldsNoLongerIsForgotten) {
  for (unsigned id = 1; id <= 6; ++id) ask(id);
  for (std::size_t number = 0; number < 2; ++number) {
    connect(number);
    answer(number, good_);
    answer(number, last_);
  }
  connect(2);
  answer(2, good_);
  answer(2, good_);  // and no word of closing
  EXPECT_TRUE(log_.open_requests() == 0);
  for (unsigned id = 7; id <= 12; ++id) ask(id);
  ASSERT_EQ(network_.connections(), 4u);
  connect(3);
  for (int i = 0; i < 6; ++i) answer(3, good_);
  EXPECT_EQ(log_.done().size(), 12u);
  EXPECT_EQ(network_.connections(), 4u);
}

TEST_F(PipelinedTransportTest, ASuccessorThatCannotConnectFailsTheRestButNotTheLastBody) {
  begin_with(3);
  answer(0, last_.substr(0, last_.size() - 3));
  network_.connection(1).state = ByteStream::State::kFailed;
  network_.connection(1).failure = {FailureReason::kNoRoute, "no route"};
  advance();
  EXPECT_THAT(log_.failed(), IsEmpty());
  answer(0, last_.substr(last_.size() - 3));
  advance();
  EXPECT_EQ(log_.done().back(), RequestId{2});
  EXPECT_EQ(log_.lines().back(), "failed 3: no-route");
}

}  // namespace
}  // namespace tributary::transport
