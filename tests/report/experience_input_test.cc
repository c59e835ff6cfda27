#include "report/experience_input.hh"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "support/tables.hh"

namespace tributary {
namespace {

using namespace literals;
using namespace std::chrono_literals;

Presentation film(bool with_sound) {
  Presentation film = testing::presentation_of({{"low", {250_kB, 250_kB, 250_kB}}, {"high", {750_kB, 700_kB, 750_kB}}});
  for (Track& track : film.tracks) {
    track.kind = TrackKind::kVideo;
    track.codec = "avc1.640028";
    track.width = 1280;
    track.height = 720;
    track.frame_rate_num = 30'000;
    track.frame_rate_den = 1001;
  }
  if (!with_sound) return film;
  Track sound = film.tracks.front();
  sound.id = "sound";
  sound.kind = TrackKind::kAudio;
  sound.group = "sound";
  sound.codec = "mp4a.40.2";
  sound.sizes.assign(3, 32_kB);
  film.tracks.push_back(sound);
  return film;
}

/// Starts after a second; the second of `segments` is late by half a second.
nlohmann::ordered_json input_of(const Presentation& film, int segments = 3) {
  const SegmentTable table{film};
  SessionRecord record{table};
  const auto play = [&](int i, int quality, Duration when, Duration miss) {
    if (i >= segments) return;
    const auto segment = static_cast<SegmentIndex>(i);
    record.on_action(action::StartSegment{segment, static_cast<QualityIndex>(quality), 250_kB, 0, {}, 0, ""},
                     TimePoint{});
    const auto due = miss > 0s ? std::optional{TimePoint{when - miss}} : std::nullopt;
    record.on_action(action::PlaySegment{segment, TimePoint{when}, due, miss}, TimePoint{when});
  };
  play(0, 0, 1s, 0s);
  play(1, 1, 3500ms, 500ms);
  play(2, 0, 5500ms, 0s);
  return p1203_input(record);
}

TEST(ExperienceInput, HasWhatWasPlayedAndEachStandstillInMediaTime) {
  const nlohmann::ordered_json input = input_of(film(true));
  const auto& pictures = input["I13"]["segments"];
  ASSERT_EQ(pictures.size(), 3U);
  EXPECT_EQ(pictures[1]["codec"], "h264");
  EXPECT_EQ(pictures[1]["start"], 2.0);
  EXPECT_EQ(pictures[1]["duration"], 2.0);
  EXPECT_EQ(pictures[1]["bitrate"], 2800.0);  // of this segment
  EXPECT_EQ(pictures[1]["resolution"], "1280x720");
  EXPECT_NEAR(pictures[1]["fps"].get<double>(), 29.97, .01);
  EXPECT_EQ(pictures[1]["representation"], "high");
  EXPECT_EQ(input["I11"]["segments"][2]["codec"], "aaclc");
  EXPECT_EQ(input["I11"]["segments"][2]["bitrate"], 128.0);
  EXPECT_EQ(input["I23"]["stalling"].dump(), "[[0,1.0],[2.0,0.5]]");
}

TEST(ExperienceInput, WithoutSoundThereIsNoneInIt) { EXPECT_FALSE(input_of(film(false)).contains("I11")); }

TEST(ExperienceInput, OfPlainBytesOrOfNothingThereIsNone) {
  const Presentation bytes = testing::presentation_of({{"low", {1_kB, 1_kB, 1_kB}}, {"high", {2_kB, 2_kB, 2_kB}}});
  EXPECT_TRUE(input_of(bytes).is_null());
  EXPECT_TRUE(input_of(film(true), 0).is_null());
}

}  // namespace
}  // namespace tributary
