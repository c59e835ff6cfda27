#include "proxy/held/held_question.hh"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "transport/documents/document_fetch.hh"

namespace tributary::proxy {
namespace {

using namespace std::chrono_literals;
using State = HeldAnswer::Attempt::State;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

/// An answer that links bring as the test says.
struct Told {
  std::map<std::string, State> states{};            // by link; others wait
  std::map<std::string, FailureReason> failures{};  // likewise
  std::vector<std::string> asked{}, running{};      // links
  std::string end;                                  // what became of it
};

class FakeAnswer : public HeldAnswer {
 public:
  explicit FakeAnswer(Told& told) : told_{told} {}
  std::unique_ptr<Attempt> ask(transport::CurlLoop& /*loop*/, const transport::LinkRules& over_link) override {
    return std::make_unique<OverLink>(told_, over_link.link);
  }
  void came() override { told_.end = "came"; }
  void failed(unsigned status, const std::string& why) override { told_.end = std::to_string(status) + " " + why; }

 private:
  class OverLink : public Attempt {
   public:
    OverLink(Told& told, std::string link) : told_{told}, link_{std::move(link)} {
      told_.asked.push_back(link_);
      told_.running.push_back(link_);
    }
    ~OverLink() override { std::erase(told_.running, link_); }
    State advance() override {
      if (const auto failure = told_.failures.find(link_); failure != told_.failures.end())
        throw transport::FetchError{failure->second, link_ + " failed"};
      const auto state = told_.states.find(link_);
      return state == told_.states.end() ? State::kWaits : state->second;
    }
    DataSize take_received() override { return {}; }

   private:
    Told& told_;
    const std::string link_;
  };
  Told& told_;
};

class HeldQuestionTest : public ::testing::Test {
 protected:
  static HeldQuestion::Asked asked(Told& told, Duration held_for) {
    return {.number = 1, .url = "http://a/1", .held_for = held_for, .answer = std::make_unique<FakeAnswer>(told)};
  }
  void ask(const std::string& link, Duration at) { question_.ask(link, loop_, {.link = link}, start_ + at); }
  HeldQuestion::News advance(Duration at) { return question_.advance(start_ + at); }
  bool wants_another(Duration at) const { return question_.wants_another(start_ + at); }

  const HeldQuestion::Clock::time_point start_{1h};
  Told told_;
  transport::CurlLoop loop_;
  HeldQuestion question_{asked(told_, 600ms), start_};
};

TEST_F(HeldQuestionTest, AnAnswerThatIsHeldIsNotOverdue) {
  EXPECT_TRUE(wants_another(0ms));
  ask("wifi", 0ms);
  EXPECT_FALSE(wants_another(850ms)) << "600 ms, and what an answer takes";
  EXPECT_TRUE(wants_another(950ms));
}

TEST_F(HeldQuestionTest, WhoeverBringsSomethingFirstGoesOnAlone) {
  ask("wifi", 0ms);
  ask("lte", 950ms);
  told_.states["lte"] = State::kComes;
  const HeldQuestion::News news = advance(1s);
  EXPECT_EQ(news.brought_by, "lte");
  EXPECT_THAT(news.late, ElementsAre("wifi"));
  EXPECT_THAT(told_.running, ElementsAre("lte"));
  EXPECT_FALSE(news.over);
}

TEST_F(HeldQuestionTest, ALinkThatWasAskedLaterIsNotLate) {
  ask("wifi", 0ms);
  ask("lte", 950ms);
  told_.states["wifi"] = State::kThere;
  const HeldQuestion::News news = advance(1s);
  EXPECT_THAT(news.late, IsEmpty());
  EXPECT_TRUE(news.over);
  EXPECT_EQ(told_.end, "came");
}

TEST_F(HeldQuestionTest, AFileThatComesInChunksIsOverdueAfterALongerSilence) {
  ask("wifi", 0ms);
  told_.states["wifi"] = State::kComes;
  for (const Duration at : {500ms, 1'100ms, 1'700ms}) (void)advance(at);  // chunks of 600 ms
  told_.states["wifi"] = State::kWaits;
  (void)advance(2'300ms);
  EXPECT_FALSE(wants_another(3s));
  EXPECT_TRUE(wants_another(3'300ms));
}

TEST_F(HeldQuestionTest, AskingOneMoreLinkInVainTakesTwiceThePatience) {
  ask("wifi", 0ms);
  ask("lte", 950ms);
  EXPECT_FALSE(wants_another(950ms + 1'700ms));
  EXPECT_TRUE(wants_another(950ms + 1'850ms));
}

TEST_F(HeldQuestionTest, AnOriginThatSaysNoIsNotAskedAgain) {
  ask("wifi", 0ms);
  told_.failures["wifi"] = FailureReason::kNotFound;
  EXPECT_TRUE(advance(50ms).over);
  EXPECT_EQ(told_.end, "404 wifi failed");
}

TEST_F(HeldQuestionTest, AfterAFailureOfTheLinkAnotherOneIsAskedAtOnce) {
  ask("wifi", 0ms);
  told_.failures["wifi"] = FailureReason::kReset;
  EXPECT_FALSE(advance(50ms).over);
  EXPECT_TRUE(question_.has_failed_over("wifi"));
  EXPECT_TRUE(wants_another(50ms));
}

TEST_F(HeldQuestionTest, WithoutALinkNothingIsToBeDone) {
  question_.may_ask(false);
  EXPECT_EQ(question_.next_deadline(), question_.give_up_at());
  question_.may_ask(true);
  EXPECT_EQ(question_.next_deadline(), start_) << "a link that comes is asked at once";
}

TEST_F(HeldQuestionTest, ALinkThatHasGoneIsGivenUp) {
  ask("wifi", 0ms);
  question_.keep_to({"lte"});
  EXPECT_THAT(told_.running, IsEmpty());
  EXPECT_TRUE(wants_another(10ms));
}

}  // namespace
}  // namespace tributary::proxy
