#include "worlds/first_link.hh"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <thread>

#include "transport/document_fetch.hh"

namespace tributary {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

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

/// Fetches over links that answer, fail, or do neither.
class FirstLink : public ::testing::Test {
 protected:
  enum class Link { kAnswers, kFails, kSilent };

  void fetch(const std::map<std::string, Link>& links) {
    ThreeLinks monitor;
    const auto use = [](const std::string& link) { return link == "spare" ? LinkUse::kWhenNeeded : LinkUse::kUse; };
    const auto begin = [&](const std::string& link) -> Attempt {
      asked_.push_back(link);
      return [&links, link] {
        if (links.at(link) == Link::kFails) throw transport::FetchError{FailureReason::kRefused, link + " is refused"};
        return links.at(link) == Link::kAnswers;
      };
    };
    const auto wait = [this](std::optional<Duration> at_most) {
      if (!at_most) throw std::logic_error{"it would wait for ever"};
      waited_ = true;
      std::this_thread::sleep_for(*at_most);
    };
    over_first_link("http://origin.example/x", monitor, use, {begin, wait});
  }

  std::vector<std::string> asked_;
  bool waited_ = false;
};

TEST_F(FirstLink, OneThatAnswersIsEnough) {
  fetch({{"wifi", Link::kAnswers}, {"lte", Link::kAnswers}, {"spare", Link::kAnswers}});
  EXPECT_THAT(asked_, ElementsAre("wifi"));
}

TEST_F(FirstLink, ASilentOneIsNotWaitedFor) {
  fetch({{"wifi", Link::kSilent}, {"lte", Link::kAnswers}, {"spare", Link::kAnswers}});
  EXPECT_THAT(asked_, ElementsAre("wifi", "lte"));
  EXPECT_TRUE(waited_);
}

TEST_F(FirstLink, AfterAFailureTheNextIsAskedAtOnce) {
  fetch({{"wifi", Link::kFails}, {"lte", Link::kAnswers}, {"spare", Link::kAnswers}});
  EXPECT_THAT(asked_, ElementsAre("wifi", "lte"));
  EXPECT_FALSE(waited_);
}

TEST_F(FirstLink, OneForWhenItIsNeededIsAskedWhenAllOthersHaveFailed) {
  fetch({{"wifi", Link::kFails}, {"lte", Link::kFails}, {"spare", Link::kAnswers}});
  EXPECT_THAT(asked_, ElementsAre("wifi", "lte", "spare"));
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
