#include "player/memory/address_history.hh"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "player/memory/history_file.hh"
#include "presentation/json/json_error.hh"
#include "support/files.hh"
#include "units/split_mix.hh"

namespace tributary::play {
namespace {

using std::chrono::seconds;

UtcTime at(int second) { return UtcTime{seconds{1'700'000'000 + second}}; }

AddressHistory two_films() {
  AddressHistory history;
  history.opened("http://a/1", at(1));
  history.opened("http://a/2", at(2), "Fjord");
  history.left_at("http://a/1", seconds{90});
  return history;
}

TEST(AddressHistory, TheLatestIsFirstAndKeepsItsPosition) {
  AddressHistory history = two_films();
  EXPECT_EQ(history.latest().front().url, "http://a/2");
  history.opened("http://a/1", at(3));
  ASSERT_EQ(history.latest().size(), 2U);
  EXPECT_EQ(history.latest().front().url, "http://a/1");
  EXPECT_EQ(history.position("http://a/1"), seconds{90});
  history.left_at("http://a/1", std::nullopt);
  EXPECT_EQ(history.position("http://a/1"), std::nullopt);
  history.left_at("http://a/never-opened", seconds{5});
  EXPECT_EQ(history.latest().size(), 2U);
}

TEST(AddressHistory, IsBounded) {
  AddressHistory history;
  for (int i = 0; i < 300; ++i) history.opened(fmt::format("http://a/{}", i), at(i));
  EXPECT_EQ(history.latest().size(), AddressHistory::kMost);
  EXPECT_EQ(history.latest().front().url, "http://a/299");
}

TEST(AddressHistory, ReadsBack) {
  const AddressHistory history = two_films();
  EXPECT_EQ(AddressHistory::from_json(history.to_json()).latest(), history.latest());
}

TEST(AddressHistory, WhateverWasPlayedReadsBack) {
  constexpr std::uint64_t kSeed = 14;
  SCOPED_TRACE(kSeed);
  SplitMix random{kSeed};
  const std::vector<Duration> odd{Duration{},      Duration{1},        Duration{-1},          Duration::min(),
                                  Duration::max(), seconds{1'000'001}, seconds{1'000'000'000}};
  for (int i = 0; i < 500; ++i) {
    AddressHistory history;
    for (std::uint32_t n = random.below(5) + 1; n > 0; --n) {
      const std::string url = fmt::format("http://a/{}\x1b\n\"{}", n, i);
      const auto when = std::chrono::milliseconds{static_cast<std::int64_t>(random.next()) >> (14 + random.below(46))};
      history.opened(url, UtcTime{when});
      history.left_at(url, random.below(2) == 0 ? odd[random.below(static_cast<std::uint32_t>(odd.size()))]
                                                : Duration{static_cast<std::int64_t>(random.next())});
    }
    const std::string text = history.to_json();
    const AddressHistory read = AddressHistory::from_json(text);
    std::size_t at = 0;
    for (const PlayedAddress& written : history.latest()) {
      if (!utc_from(utc_text(written.opened))) continue;
      ASSERT_LT(at, read.latest().size()) << text;
      const PlayedAddress& address = read.latest()[at++];
      ASSERT_EQ(address.url, written.url);
      ASSERT_EQ(address.opened, written.opened);
      const bool is_position = *written.position >= Duration{} && *written.position <= seconds{1'000'000'000};
      ASSERT_EQ(address.position.has_value(), is_position) << written.position->count();
      if (is_position) {
        ASSERT_NEAR(to_seconds(*address.position), to_seconds(*written.position), 1e-6);
      }
    }
    ASSERT_EQ(at, read.latest().size());
  }
}

TEST(AddressHistory, NamesThePlaceOfWhatIsWrong) {
  for (const auto& [right, wrong, place] : {std::tuple{"tributary-play", "other", "format"},
                                            {"\"version\": 1", "\"version\": 2", "version"},
                                            {"90.0", "-1", "addresses[1].position_s"},
                                            {"90.0", "1e10", "addresses[1].position_s"},
                                            {"2023-11-14", "yesterday", "addresses[0].opened"},
                                            {"\"url\": \"http://a/2\"", "\"url\": 2", "addresses[0].url"}}) {
    std::string text = two_films().to_json();
    const auto found = text.find(right);
    ASSERT_NE(found, std::string::npos) << right << " in " << text;
    try {
      AddressHistory::from_json(text.replace(found, std::string{right}.size(), wrong));
      ADD_FAILURE() << wrong;
    } catch (const JsonError& error) {
      EXPECT_NE(std::string{error.what()}.find(place), std::string::npos) << error.what();
    }
  }
}

TEST(AddressHistory, OnlyTheMiddleIsWorthResuming) {
  EXPECT_EQ(worth_resuming(seconds{5}, seconds{600}), std::nullopt);
  EXPECT_EQ(worth_resuming(seconds{60}, seconds{600}), seconds{60});
  EXPECT_EQ(worth_resuming(seconds{590}, seconds{600}), std::nullopt);
  EXPECT_EQ(worth_resuming(seconds{7000}, seconds{7200}), seconds{7000});
  EXPECT_EQ(worth_resuming(seconds{7100}, seconds{7200}), std::nullopt);  // its closing titles
  EXPECT_EQ(worth_resuming(seconds{12}, seconds{20}), std::nullopt);
}

class HistoryFileTest : public testing::DirectoryTest {
 protected:
  std::string path_ = directory_ + "/state/play.json";
  std::string complaints_;
  HistoryFile file_{path_, [this](const std::string& what) { complaints_ += what; }};
};

TEST_F(HistoryFileTest, SeveralWindowsChangeOneFile) {
  const HistoryFile other{path_, [](const std::string& what) { ADD_FAILURE() << what; }};
  EXPECT_TRUE(file_.read().latest().empty());
  file_.change([](AddressHistory& history) { history.opened("http://a/1", at(1)); });
  other.change([](AddressHistory& history) { history.opened("http://a/2", at(2)); });
  EXPECT_EQ(file_.read().latest().size(), 2U);
  EXPECT_EQ(complaints_, "");
}

TEST_F(HistoryFileTest, WhatCannotBeReadIsPutAside) {
  file_.change([](AddressHistory&) {});
  std::ofstream{path_} << "{\"format\": 1}";
  file_.change([](AddressHistory& history) { history.opened("http://a/1", at(1)); });
  EXPECT_NE(complaints_.find("format"), std::string::npos) << complaints_;
  EXPECT_EQ(testing::content(path_ + ".unreadable"), "{\"format\": 1}");
  EXPECT_EQ(file_.read().latest().size(), 1U);
}

TEST_F(HistoryFileTest, WhereNothingCanBeWrittenPlayingGoesOn) {
  std::ofstream{directory_ + "/file"} << "not a folder";
  const HistoryFile nowhere{directory_ + "/file/play.json", [this](const std::string& what) { complaints_ += what; }};
  nowhere.change([](AddressHistory& history) { history.opened("http://a/1", at(1)); });
  EXPECT_NE(complaints_, "");
}

}  // namespace
}  // namespace tributary::play
