#include "presentation/track_choice.hh"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <utility>
#include <vector>

namespace tributary {
namespace {

using ::testing::HasSubstr;

Track sound(const std::string& id, const std::string& language, std::vector<TrackRole> roles = {},
            const std::string& name = {}) {
  Track made;
  made.id = id;
  made.kind = TrackKind::kAudio;
  made.label = {.language = language, .name = name, .roles = std::move(roles)};
  return made;
}

/// Their ids, or "" for none.
std::string found(const std::vector<Track>& tracks, const std::string& wanted, TrackKind kind = TrackKind::kAudio) {
  Presentation title;
  title.tracks = tracks;
  const auto track = find_track(title, kind, wanted);
  return track ? tracks[*track].id : "";
}

/// Whether a sound in this language is found, alone beside one in Maori.
bool finds(const std::string& wanted, const std::string& language) {
  return found({sound("other", "mi"), sound("it", language)}, wanted) == "it";
}

TEST(TrackChoice, AnyCodeOfALanguageFindsIt) {
  for (const char* const wanted : {"de", "deu", "ger", "DE", "Deu"}) {
    for (const char* const stated : {"de", "deu", "ger", "de-AT", "deu-at", "de_CH"})
      EXPECT_TRUE(finds(wanted, stated)) << wanted << ' ' << stated;
    for (const char* const stated : {"den", "d", "en", "", "und", "x-de"})
      EXPECT_FALSE(finds(wanted, stated)) << wanted << ' ' << stated;
  }
  EXPECT_TRUE(finds("iw", "heb"));
  EXPECT_TRUE(finds("zh-yue", "yue"));
  EXPECT_TRUE(finds("ZH_hant", "zho-Hant-TW"));
  EXPECT_TRUE(finds("Klingonese", "klingonese")) << "what is in no list";
}

TEST(TrackChoice, AnExactWishFindsTheGeneralLanguageAndNoOther) {
  EXPECT_TRUE(finds("de-AT", "deu"));
  EXPECT_TRUE(finds("zh-Hant-TW", "zh-Hant"));
  EXPECT_TRUE(finds("en-a-bbb", "en"));
  EXPECT_FALSE(finds("de-AT", "de-CH"));
  EXPECT_FALSE(finds("pt-BR", "pt-PT"));
  EXPECT_FALSE(finds("zh-Hant-TW", "zh-Hans"));
  EXPECT_EQ(found({sound("zh", "zh"), sound("hant", "zh-Hant")}, "zh-Hant-TW"), "hant");
}

TEST(TrackChoice, TheNearestLanguageGoesFirst) {
  const std::vector<Track> sounds{sound("swiss", "de-CH"), sound("german", "ger"), sound("austrian", "de-AT"),
                                  sound("again", "de")};
  EXPECT_EQ(found(sounds, "de"), "german");
  EXPECT_EQ(found(sounds, "de-at"), "austrian");
  EXPECT_EQ(found(sounds, "de-LI"), "german");
  EXPECT_EQ(found({sounds[0], sounds[2]}, "de"), "swiss");
}

TEST(TrackChoice, TheMainSoundGoesBeforeThoseBesideIt) {
  const std::vector<Track> sounds{sound("talk", "de", {TrackRole::kCommentary}, "Talk"),
                                  sound("told", "de", {TrackRole::kDescription}),
                                  sound("clear", "de", {TrackRole::kIntelligible}),
                                  sound("main", "de-AT", {TrackRole::kDub}), sound("other", "en")};
  EXPECT_EQ(found(sounds, "de"), "main");
  EXPECT_EQ(found({sounds[0], sounds[1], sounds[2]}, "de"), "clear");
  EXPECT_EQ(found({sounds[0], sounds[1]}, "de"), "talk");
  EXPECT_EQ(found(sounds, "Talk"), "talk");
  EXPECT_EQ(found(sounds, "told"), "told");
}

TEST(TrackChoice, ANameIsNoLanguageThatItBeginsWith) {
  EXPECT_EQ(found({sound("main", "de"), sound("de-original", "en")}, "de-original"), "de-original");
  EXPECT_EQ(found({sound("de", "en"), sound("other", "de")}, "de"), "other");
  EXPECT_EQ(found({sound("talk", "en", {TrackRole::kCommentary}), sound("en", "fr")}, "en"), "en");
}

TEST(TrackChoice, SubtitlesForEveryLineGoBeforeForcedOnes) {
  std::vector<Track> texts{sound("sound", "de"), sound("forced", "de", {TrackRole::kForced}),
                           sound("caption", "de", {TrackRole::kCaption}), sound("all", "de")};
  for (std::size_t i = 1; i < texts.size(); ++i) texts[i].kind = TrackKind::kText;
  EXPECT_EQ(found(texts, "de", TrackKind::kText), "all");
  texts.pop_back();
  EXPECT_EQ(found(texts, "de", TrackKind::kText), "caption");
  texts.pop_back();
  EXPECT_EQ(found(texts, "de", TrackKind::kText), "forced");
  texts.pop_back();
  EXPECT_EQ(found(texts, "de", TrackKind::kText), "");
}

TEST(TrackChoice, ASoundIsReplacedByOneOfItsLanguageAndCoding) {
  Presentation title;
  title.tracks = {sound("a", "de"), sound("b", "en"), sound("c", "de"), sound("d", "de")};
  for (Track& track : title.tracks) track.codec = "mp4a.40.2";
  title.tracks[2].codec = "opus";
  EXPECT_EQ(sound_like(title, 0, {}), 3U);
  EXPECT_EQ(sound_like(title, 0, std::vector<std::size_t>{3}), std::nullopt);
  title.tracks[2].codec = "mp4a.40.5";
  EXPECT_EQ(sound_like(title, 0, std::vector<std::size_t>{3}), 2U);
}

TEST(TrackChoice, WhatIsNotThereIsAnErrorThatListsWhatIs) {
  const auto error_of = [](const Presentation& title, const std::string& wanted) -> std::string {
    try {
      return "found " + title.tracks[sound_of(title, wanted)].id;
    } catch (const NotInTitle& error) {
      return error.what();
    }
  };
  Presentation title;
  EXPECT_THAT(error_of(title, "fr"), HasSubstr("\"fr\": the title has no sounds"));
  title.tracks = {sound("a", "en"), sound("b", ""), sound("text", "fr")};
  title.tracks[2].kind = TrackKind::kText;
  EXPECT_EQ(error_of(title, "fr"), "there is no sound \"fr\", only: en (a), b");
  EXPECT_EQ(error_of(title, ""), "there is no sound \"\", only: en (a), b");
  EXPECT_EQ(error_of(title, "b"), "found b");
}

}  // namespace
}  // namespace tributary
