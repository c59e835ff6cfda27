#include "download/beside/answers_beside.hh"

#include <gtest/gtest.h>

#include <deque>

#include "support/files.hh"

namespace tributary {
namespace {

using namespace literals;
using namespace std::chrono_literals;

constexpr Duration kPatience = 350ms;  // Silence::patience() of a quick link

class Nowhere final : public Destination {
 public:
  void write(DataSize /*offset*/, std::span<const std::byte> /*bytes*/) override {}
  void note(const DownloadState& /*state*/) override {}
  void finish(DataSize /*size*/) override {}
  void discard() override {}
};

/// What an origin is asked for, and answers.
struct Origin {
  std::vector<ByteRange> asked;
  std::deque<transport::Event> answers;
};

class OverTheLink final : public transport::HttpTransport {
 public:
  explicit OverTheLink(Origin& origin) : origin_{origin} {}
  void submit(const transport::RangeRequest& request, TimePoint /*now*/) override {
    origin_.asked.push_back(request.range);
  }
  void close(FailureReason /*reason*/, TimePoint /*now*/) override {}
  void abandon(TimePoint /*now*/) override {}
  void advance(TimePoint /*now*/) override {}
  std::optional<transport::Event> next_event() override {
    if (origin_.answers.empty()) return std::nullopt;
    const transport::Event next = origin_.answers.front();
    origin_.answers.pop_front();
    return next;
  }
  std::optional<TimePoint> next_deadline() const override { return std::nullopt; }
  std::optional<RoundTrip> round_trip() const override { return std::nullopt; }

 private:
  Origin& origin_;
};

/// An object of 1 MB, of which the first 100 kB are there, and no first answer goes on.
class AnswersBesideTest : public ::testing::Test {
 protected:
  void advance_to(Duration at) {
    const TimePoint now{at};
    answers_.advance({}, now);
    answers_.ask_if_silent(now);
  }
  /// The session brings bytes.
  void session_brings(ByteRange range) { state_.complete.add(range); }
  void answer_brings(DataSize offset, DataSize size) {
    body_.assign(static_cast<std::size_t>(size.bytes()), std::byte{});
    origin_.answers.push_back(transport::BodyReceived{RequestId{1}, offset, body_});
  }

  Nowhere nowhere_;
  DownloadState state_{"http://a/b", 1000_kB, "", "", {{0_B, 100_kB}}};
  ChunkSink sink_{nowhere_, state_, {}};
  Origin origin_;
  std::vector<std::byte> body_;
  AnswersBeside answers_{
      sink_, state_, {.connect = [this] { return std::make_unique<OverTheLink>(origin_); }}, TimePoint{}};
};

TEST_F(AnswersBesideTest, AfterASilenceAllThatIsMissingIsAskedFor) {
  EXPECT_EQ(answers_.next_deadline(), TimePoint{kPatience});
  advance_to(kPatience - 1ms);
  EXPECT_TRUE(origin_.asked.empty());
  advance_to(kPatience);
  EXPECT_EQ(origin_.asked, (std::vector<ByteRange>{{100_kB, 1000_kB}}));
  EXPECT_TRUE(answers_.running());
}

TEST_F(AnswersBesideTest, BytesOfTheSessionPutTheAnswerOff) {
  session_brings({500_kB, 501_kB});
  advance_to(300ms);
  advance_to(300ms + kPatience - 1ms);
  EXPECT_TRUE(origin_.asked.empty());
  advance_to(300ms + kPatience);
  EXPECT_EQ(origin_.asked.size(), 1u);
}

TEST_F(AnswersBesideTest, AnAnswerIsGivenUpOnceTheSessionBroughtMoreTwiceInARow) {
  advance_to(kPatience);
  answer_brings(100_kB, 10_kB);
  session_brings({900_kB, 930_kB});
  advance_to(kPatience + 1s);
  EXPECT_TRUE(answers_.running());
  EXPECT_EQ(answers_.received(), 10_kB);
  EXPECT_EQ(answers_.rate(), 10_kB / Duration{1s});
  session_brings({930_kB, 960_kB});
  advance_to(kPatience + 2s);
  EXPECT_FALSE(answers_.running());
}

TEST_F(AnswersBesideTest, AnAnswerThatBringsMostStays) {
  advance_to(kPatience);
  for (int second = 0; second < 5; ++second) {
    answer_brings(DataSize{100'000 + 10'000 * second}, 10_kB);
    session_brings({DataSize{900'000 + 10'000 * second}, DataSize{910'000 + 10'000 * second}});
    advance_to(kPatience + 1s * (second + 1));
  }
  EXPECT_TRUE(answers_.running());
}

TEST_F(AnswersBesideTest, TheNextAnswerIsAskedForAfterTwiceTheTime) {
  advance_to(kPatience);
  origin_.answers.push_back(transport::RequestFailed{RequestId{1}, FailureReason::kReset, "", {}, ""});
  advance_to(1s);
  EXPECT_FALSE(answers_.running());
  EXPECT_EQ(answers_.next_deadline(), TimePoint{1s + 2 * kPatience});
  advance_to(1s + 2 * kPatience);
  EXPECT_EQ(origin_.asked.size(), 2u);
}

TEST_F(AnswersBesideTest, AfterAnAnswerOfAnotherVersionNoneIsAskedFor) {
  advance_to(kPatience);
  origin_.answers.push_back(transport::RequestFailed{RequestId{1}, FailureReason::kEntityChanged, "", {}, ""});
  advance_to(1s);
  EXPECT_TRUE(answers_.is_of_another());
  advance_to(60s);
  EXPECT_EQ(origin_.asked.size(), 1u);
  EXPECT_TRUE(answers_.is_silent_for_good(TimePoint{60s}));
}

TEST_F(AnswersBesideTest, AWholeFileIsAskedForNoMore) {
  session_brings({100_kB, 1000_kB});
  advance_to(60s);
  advance_to(120s);
  EXPECT_TRUE(answers_.whole());
  EXPECT_TRUE(origin_.asked.empty());
}

}  // namespace
}  // namespace tributary
