#include "player/links_panel/link_answers.hh"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace tributary::play {
namespace {

namespace fs = std::filesystem;

class LinkAnswersTest : public ::testing::Test {
 protected:
  void TearDown() override { fs::remove_all(folder); }
  LinkAnswers answers() {
    return {folder / "play-links.json",
            {[this](const std::string& link) { return link + " via " + gateway; },
             [this](const std::string& text) { warnings += text; }}};
  }

  fs::path folder = fs::temp_directory_path() / ("link-answers-test-" + std::to_string(getpid()));
  std::string gateway = "10.0.0.1", warnings;
};

TEST_F(LinkAnswersTest, ARememberedOneIsDecidedAnewOrForgotten) {
  LinkAnswers first = answers();
  first.answered("wwan0", LinkUse::kDoNotUse, true);
  using Networks = std::map<std::string, LinkUse>;
  EXPECT_EQ(first.remembered(), (Networks{{"wwan0 via 10.0.0.1", LinkUse::kDoNotUse}}));
  first.decide("wwan0 via 10.0.0.1", LinkUse::kUse);
  EXPECT_EQ(first.of("wwan0"), LinkUse::kUse);
  EXPECT_EQ(answers().of("wwan0"), LinkUse::kUse);
  first.decide("wwan0 via 10.0.0.1", std::nullopt);
  EXPECT_EQ(first.of("wwan0"), std::nullopt);
  EXPECT_EQ(answers().remembered(), Networks{});
}

TEST_F(LinkAnswersTest, WhatIsRememberedHoldsForTheNetworkAndNoOther) {
  {
    LinkAnswers first = answers();
    EXPECT_EQ(first.of("wwan0"), std::nullopt);
    first.answered("wwan0", LinkUse::kDoNotUse, true);
    EXPECT_EQ(first.of("wwan0"), LinkUse::kDoNotUse);
  }
  LinkAnswers second = answers();
  EXPECT_EQ(second.of("wwan0"), LinkUse::kDoNotUse);
  gateway = "10.9.9.9";
  EXPECT_EQ(second.of("wwan0"), std::nullopt);
  EXPECT_EQ(warnings, "");
}

TEST_F(LinkAnswersTest, WhatIsNotRememberedHoldsForThisRun) {
  LinkAnswers first = answers();
  first.answered("wwan0", LinkUse::kUse, false);
  EXPECT_EQ(first.of("wwan0"), LinkUse::kUse);
  EXPECT_EQ(answers().of("wwan0"), std::nullopt);
}

TEST_F(LinkAnswersTest, AnotherChoiceTakesThePlaceOfARememberedAnswer) {
  LinkAnswers first = answers();
  first.answered("wwan0", LinkUse::kDoNotUse, true);
  first.chosen("wwan0", LinkUse::kWhenNeeded);
  first.chosen("wlan0", LinkUse::kDoNotUse);
  EXPECT_EQ(answers().of("wwan0"), LinkUse::kWhenNeeded);
  EXPECT_EQ(answers().of("wlan0"), std::nullopt);
}

TEST_F(LinkAnswersTest, ADamagedFileIsToldAndAskedAboutAgain) {
  fs::create_directories(folder);
  std::ofstream{folder / "play-links.json"} << R"({"format": "tributary-play-links", "version": 1,
    "networks": [{"network": "wwan0 via 10.0.0.1", "use": "always"}]})";
  EXPECT_EQ(answers().of("wwan0"), std::nullopt);
  EXPECT_NE(warnings.find("networks[0].use"), std::string::npos) << warnings;
}

}  // namespace
}  // namespace tributary::play
