#include "worlds/pieces/piece_transport.hh"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <deque>
#include <string>
#include <vector>

#include "../../media/chunk_bytes.hh"

namespace tributary::piece_transport_test {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using transport::RangeRequest;

/// A connection, whose answers the test gives.
class Connection final : public transport::HttpTransport {
 public:
  void submit(const RangeRequest& request, TimePoint /*now*/) override { asked.push_back(request); }
  void close(FailureReason reason, TimePoint /*now*/) override { fail(reason); }
  void abandon(TimePoint /*now*/) override { fail(FailureReason::kAbandoned); }
  void advance(TimePoint /*now*/) override {}
  std::optional<transport::Event> next_event() override {
    if (events.empty()) return std::nullopt;
    transport::Event event = events.front();
    events.pop_front();
    return event;
  }
  std::optional<TimePoint> next_deadline() const override { return std::nullopt; }
  std::optional<RoundTrip> round_trip() const override { return std::nullopt; }

  void comes(const std::string& bytes) {
    brought_.push_back(bytes);
    events.emplace_back(transport::BodyReceived{asked.back().id, {}, bytes_of(brought_.back())});
  }
  void ends() { events.emplace_back(transport::RequestDone{asked.back().id}); }
  void fail(FailureReason reason) {
    if (!asked.empty()) events.emplace_back(transport::RequestFailed{asked.back().id, reason, "why"});
  }

  std::vector<RangeRequest> asked;
  std::deque<transport::Event> events;

 private:
  std::deque<std::string> brought_;
};

class PieceTransportTest : public ::testing::Test {
 protected:
  PieceTransportTest() { inits_[0].timescale = 1000; }

  void ask(unsigned id, std::uint32_t index, const std::string& target = "/1.m4s") {
    pieces_.expect({{index, 4}, 0, 500ms});
    RangeRequest request;
    request.id = RequestId{id};
    request.target = target;
    pieces_.submit(request, now_);
  }
  /// What came out, in words: "1 began", "1: bytes of it", "1 (paced): bytes", "1 done".
  std::vector<std::string> heard() {
    pieces_.advance(now_);
    std::vector<std::string> lines;
    while (const auto event = pieces_.next_event()) {
      if (const auto* began = std::get_if<transport::ResponseBegan>(&*event))
        lines.push_back(fmt::format("{} began", to_index(began->id)));
      if (const auto* done = std::get_if<transport::RequestDone>(&*event))
        lines.push_back(fmt::format("{} done", to_index(done->id)));
      if (const auto* failed = std::get_if<transport::RequestFailed>(&*event))
        lines.push_back(fmt::format("{} failed: {}", to_index(failed->id), to_string(failed->reason)));
      if (const auto* body = std::get_if<transport::BodyReceived>(&*event))
        lines.push_back(fmt::format("{}{} from {}: {}", to_index(body->id), body->paced ? " paced" : "",
                                    body->offset.bytes(), body->bytes.size()));
    }
    return lines;
  }
  /// Half a second of media.
  static std::string chunk(int number) {
    return chunk_of(static_cast<std::uint64_t>(500 * number), {{500, 0, 0, std::string(100, 'x')}});
  }

  TimePoint now_;
  std::vector<Connection*> connections_;
  PieceTransport::Inits inits_;
  PieceTransport pieces_{[this] {
                           auto connection = std::make_unique<Connection>();
                           connections_.push_back(connection.get());
                           return connection;
                         },
                         inits_};
  const std::size_t size_ = chunk(0).size();
};

TEST_F(PieceTransportTest, AFileIsAskedForOnceAndAnsweredPieceByPiece) {
  ask(1, 0);
  ask(2, 1);
  ASSERT_EQ(connections_.size(), 1U);
  EXPECT_EQ(connections_[0]->asked.size(), 1U);
  EXPECT_TRUE(connections_[0]->asked[0].whole_file());
  EXPECT_THAT(heard(), IsEmpty());
  const std::string first = chunk(0), second = chunk(1);
  connections_[0]->comes(first.substr(0, 110));
  EXPECT_THAT(heard(), ElementsAre("1 began", "1 paced from 0: 110")) << "it was made when it came";
  connections_[0]->comes(first.substr(110));
  EXPECT_THAT(heard(), ElementsAre(fmt::format("1 from 110: {}", size_ - 110), "1 done"));
  connections_[0]->comes(second);
  EXPECT_THAT(heard(), ElementsAre("2 began", fmt::format("2 paced from 0: {}", size_), "2 done"));
}

TEST_F(PieceTransportTest, WhatCameBeforeItWasAskedForTellsNothingOfTheLink) {
  ask(1, 0);
  const std::string both = chunk(0) + chunk(1);
  connections_[0]->comes(both.substr(0, size_ + 100));
  EXPECT_EQ(heard().back(), "1 done");
  ask(2, 1);
  connections_[0]->comes(both.substr(size_ + 100));
  EXPECT_THAT(heard(),
              ElementsAre("2 began", "2 paced from 0: 100", fmt::format("2 from 100: {}", size_ - 100), "2 done"));
}

TEST_F(PieceTransportTest, FilesComeBesideEachOtherAndConnectionsAreUsedAgain) {
  ask(1, 0, "/picture");
  ask(2, 0, "/sound");
  ASSERT_EQ(connections_.size(), 2U) << "an answer that lasts as long as its segment holds up no other";
  const std::string one = chunk(0);
  connections_[1]->comes(one);
  connections_[1]->ends();
  EXPECT_EQ(heard().back(), "2 done");
  ask(3, 0, "/sound of the next");
  EXPECT_EQ(connections_.size(), 2U);
  EXPECT_EQ(connections_[1]->asked.back().target, "/sound of the next");
}

TEST_F(PieceTransportTest, WhenTheFileEndsAllOfItsPiecesDo) {
  for (unsigned i = 0; i < 4; ++i) ask(i + 1, i);
  const std::string one = chunk(0);
  connections_[0]->comes(one);
  connections_[0]->ends();
  EXPECT_THAT(heard(), ElementsAre("1 began", fmt::format("1 paced from 0: {}", size_), "1 done", "2 began", "2 done",
                                   "3 began", "3 done", "4 began", "4 done"));
}

TEST_F(PieceTransportTest, NothingIsKnownOfPiecesBeforeTheirInitSegmentIs) {
  inits_.clear();
  ask(1, 0);
  const std::string one = chunk(0);
  connections_[0]->comes(one);
  EXPECT_THAT(heard(), IsEmpty());
  inits_[0].timescale = 1000;
  EXPECT_EQ(heard().back(), "1 done");
}

TEST_F(PieceTransportTest, AFailureIsOneOfAllPiecesThatAreStillToCome) {
  ask(1, 0);
  ask(2, 1);
  const std::string one = chunk(0);
  connections_[0]->comes(one);
  EXPECT_EQ(heard().back(), "1 done");
  connections_[0]->fail(FailureReason::kClosedMidBody);
  EXPECT_THAT(heard(), ElementsAre("2 failed: closed-mid-body"));
  ask(3, 1);
  EXPECT_EQ(connections_[0]->asked.size(), 2U) << "the file is asked for anew";
  pieces_.abandon(now_);
  EXPECT_THAT(heard(), ElementsAre("3 failed: abandoned"));
}

}  // namespace
}  // namespace tributary::piece_transport_test
