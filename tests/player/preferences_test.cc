#include "player/memory/preferences.hh"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <vector>

namespace tributary::play {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class PreferencesTest : public ::testing::Test {
 protected:
  ~PreferencesTest() override { std::filesystem::remove_all(folder_); }
  Preferences from(const std::string& text) {
    complaints_.clear();
    return from_key_file(text, [this](const std::string& what) { complaints_.push_back(what); });
  }

  const std::filesystem::path folder_ =
      std::filesystem::path{::testing::TempDir()} / fmt::format("config {}", getpid());
  std::vector<std::string> complaints_;
};

TEST_F(PreferencesTest, ReadBack) {
  const Preferences all{.colours = Preferences::Colours::kDark,
                        .lines = 720,
                        .hardware = true,
                        .sound = "pt-BR",
                        .subtitles = "de",
                        .remembers = false};
  EXPECT_EQ(from(to_key_file(all)), all);
  EXPECT_EQ(from(to_key_file({})), Preferences{});
  EXPECT_EQ(from(""), Preferences{});
  EXPECT_THAT(complaints_, IsEmpty());
}

TEST_F(PreferencesTest, WhatMeansNothingIsToldAndNotTaken) {
  EXPECT_EQ(from("[player]\ncolours=pink\nquality=many\naudio=nothing-known\nsubtitles=ger\nremember=perhaps\n"
                 "hardware-decoding=sometimes\nnew=x\n"),
            (Preferences{.subtitles = "de"}));
  EXPECT_THAT(complaints_,
              ElementsAre(HasSubstr("colours=pink"), HasSubstr("quality=many"), HasSubstr("audio=nothing-known"),
                          HasSubstr("remember=perhaps"), HasSubstr("hardware-decoding=sometimes")));
  EXPECT_EQ(from("[player]\nquality=-5\n"), Preferences{});
  EXPECT_EQ(complaints_.size(), 1U);
  EXPECT_EQ(from("no key file"), Preferences{});
  EXPECT_EQ(complaints_.size(), 1U);
}

TEST_F(PreferencesTest, AreKeptInAFile) {
  const auto complain = [this](const std::string& what) { complaints_.push_back(what); };
  const PreferencesFile file{folder_ / "tributary/play.conf", complain};
  EXPECT_EQ(file.read(), Preferences{}) << "it is not there yet";
  file.write({.sound = "de"});
  EXPECT_EQ(file.read().sound, "de");
  EXPECT_THAT(complaints_, IsEmpty());
  PreferencesFile{"/proc/nowhere/play.conf", complain}.write({});
  EXPECT_EQ(complaints_.size(), 1U);
}

}  // namespace
}  // namespace tributary::play
