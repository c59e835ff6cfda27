#include "worlds/discovery/first_link.hh"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <thread>

#include "transport/documents/document_fetch.hh"

namespace tributary {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::Eq;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

class ThreeLinks final : public LinkMonitor {
 public:
  int file_descriptor() const override { return -1; }
  std::vector<LinkChangeNotice> poll() override {
    std::vector<LinkChangeNotice> notices;
    for (const char* name : {"wifi", "lte", "spare"}) {
      LinkChangeNotice& notice = notices.emplace_back();
      notice.link.name = name;
      notice.usable = true;
    }
    return notices;
  }
};

/// A link that is usable at the third look, or never.
class LateLink final : public LinkMonitor {
 public:
  explicit LateLink(bool comes) : comes_{comes} {}

  int file_descriptor() const override { return -1; }
  std::vector<LinkChangeNotice> poll() override {
    if (++looks_ != 3 || !comes_) return {};
    std::vector<LinkChangeNotice> notices(1);
    notices[0].link.name = "neighbour";
    notices[0].usable = true;
    return notices;
  }
  bool is_waiting() const override { return looks_ < 3; }

 private:
  bool comes_;
  int looks_ = 0;
};

/// Fetches over links that answer, fail, or do neither.
class FirstLink : public ::testing::Test {
 protected:
  enum class Link { kAnswers, kFails, kSilent, kBreaksOff, kAnswersTheSecondTime, kConnects };

  void fetch(const std::map<std::string, Link>& links) {
    ThreeLinks monitor;
    fetch(links, monitor);
  }
  void fetch(const std::map<std::string, Link>& links, LinkMonitor& monitor) {
    const auto use = [](const std::string& link) { return link == "spare" ? LinkUse::kWhenNeeded : LinkUse::kUse; };
    const auto begin = [&](const std::string& link) -> Attempt {
      asked_.push_back(link);
      const bool second = std::ranges::count(asked_, link) == 2;
      return [&links, link, second, looks = 0]() mutable {
        const Link kind = links.at(link);
        ++looks;
        if (kind == Link::kFails || (kind == Link::kBreaksOff && looks == 3))
          throw transport::FetchError{FailureReason::kRefused, link + " is refused"};
        if (kind == Link::kAnswers || (kind == Link::kAnswersTheSecondTime && second)) return AttemptState::kThere;
        if (kind == Link::kConnects) return AttemptState::kConnecting;
        return kind == Link::kBreaksOff && looks == 2 ? AttemptState::kComes : AttemptState::kAsked;
      };
    };
    const auto wait = [this](std::optional<Duration> at_most) {
      waits_.push_back(at_most);
      std::this_thread::sleep_for(at_most.value_or(Duration{}));
    };
    const auto tell = [](const std::string& /*what_for*/) {};
    const auto preconnect = [this](const std::string& link) { preconnected_.push_back(link); };
    const auto is_connected = [this](const std::string& link) { return connected_.contains(link); };
    over_first_link("http://origin.example/x", monitor, use, {begin, wait, tell, preconnect, is_connected});
  }

  std::set<std::string> connected_;  // ahead of any question
  std::vector<std::string> asked_, preconnected_;
  std::vector<std::optional<Duration>> waits_;
};

TEST_F(FirstLink, OneThatAnswersIsEnough) {
  fetch({{"wifi", Link::kAnswers}, {"lte", Link::kAnswers}, {"spare", Link::kAnswers}});
  EXPECT_THAT(asked_, ElementsAre("wifi"));
}

TEST_F(FirstLink, ASilentOneIsNotWaitedFor) {
  fetch({{"wifi", Link::kSilent}, {"lte", Link::kAnswers}, {"spare", Link::kAnswers}});
  EXPECT_THAT(asked_, ElementsAre("wifi", "lte"));
  EXPECT_THAT(waits_, Not(IsEmpty()));
  EXPECT_THAT(waits_, Each(Not(Eq(std::nullopt))));
}

TEST_F(FirstLink, AllInUseBeginToConnectAndOneThatIsConnectedSoonerIsAskedAtOnce) {
  connected_ = {"lte"};
  fetch({{"wifi", Link::kConnects}, {"lte", Link::kAnswers}, {"spare", Link::kAnswers}});
  EXPECT_THAT(preconnected_, ElementsAre("lte"));
  EXPECT_THAT(asked_, ElementsAre("wifi", "lte"));
  EXPECT_THAT(waits_, IsEmpty());
}

TEST_F(FirstLink, OneThatIsConnectedNoSoonerHasItsTurnAfterTheHeadStart) {
  connected_ = {"lte"};
  fetch({{"wifi", Link::kSilent}, {"lte", Link::kAnswers}, {"spare", Link::kAnswers}});
  EXPECT_THAT(waits_, Not(IsEmpty()));
}

TEST_F(FirstLink, AfterAFailureTheNextIsAskedAtOnce) {
  fetch({{"wifi", Link::kFails}, {"lte", Link::kAnswers}, {"spare", Link::kAnswers}});
  EXPECT_THAT(asked_, ElementsAre("wifi", "lte"));
  EXPECT_THAT(waits_, IsEmpty());
}

TEST_F(FirstLink, WhatOneBringsAloneTheOthersAreAskedForAgainWhenItBreaksOff) {
  fetch({{"wifi", Link::kBreaksOff}, {"lte", Link::kAnswersTheSecondTime}, {"spare", Link::kAnswers}});
  EXPECT_THAT(asked_, ElementsAre("wifi", "lte", "lte"));
  EXPECT_EQ(waits_.back(), std::nullopt) << "nothing is to be done while it comes";
}

TEST_F(FirstLink, OneForWhenItIsNeededIsAskedWhenAllOthersHaveFailed) {
  fetch({{"wifi", Link::kFails}, {"lte", Link::kFails}, {"spare", Link::kAnswers}});
  EXPECT_THAT(asked_, ElementsAre("wifi", "lte", "spare"));
}

TEST_F(FirstLink, WhereNoneIsUsableOneThatMayComeInAMomentIsWaitedFor) {
  LateLink late{true};
  fetch({{"neighbour", Link::kAnswers}}, late);
  EXPECT_THAT(asked_, ElementsAre("neighbour"));
  EXPECT_EQ(waits_.size(), 2u);
}

TEST_F(FirstLink, UntilItIsKnownThatNoneComes) {
  LateLink none{false};
  EXPECT_THROW(fetch({}, none), NoLinkWorked);
  EXPECT_EQ(waits_.size(), 3u) << "with a look after it is known";
}

TEST_F(FirstLink, WithoutAnyItSaysWhatCameOfEach) {
  try {
    fetch({{"wifi", Link::kFails}, {"lte", Link::kFails}, {"spare", Link::kFails}});
    ADD_FAILURE() << "none of them works";
  } catch (const NoLinkWorked& error) {
    EXPECT_TRUE(error.tried);
    EXPECT_EQ(error.reason, FailureReason::kRefused);
    for (const char* link : {"wifi", "lte", "spare"})
      EXPECT_THAT(error.what(), HasSubstr(std::string{link} + " is refused"));
  }
}

}  // namespace
}  // namespace tributary
