#include "download/search/title_choice.hh"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tributary {
namespace {

using namespace literals;
using ::testing::HasSubstr;

Track track(const std::string& id, TrackKind kind, DataRate rate) {
  Track made;
  made.id = id;
  made.kind = kind;
  made.group = kind == TrackKind::kVideo ? "video" : id;
  made.bitrate.average = rate;
  made.uri = id + "/{n}.m4s";
  made.durations = {1, 1};
  made.sizes = {100_kB, 50_kB};
  return made;
}

Presentation title() {
  Presentation made;
  made.tracks = {track("high", TrackKind::kVideo, 5_Mbps), track("low", TrackKind::kVideo, 1_Mbps),
                 track("middle", TrackKind::kVideo, 2_Mbps)};
  made.tracks[0].height = 1080;
  made.tracks[1].height = 360;
  made.tracks[2].height = 720;
  for (const char* const id : {"talk", "english", "austrian", "german"})
    made.tracks.push_back(track(id, TrackKind::kAudio, 128_kbps));
  made.tracks[3].label = {.language = "de", .name = "Talk", .roles = {TrackRole::kCommentary}};
  made.tracks[4].label.language = "en";
  made.tracks[5].label = {.language = "de-AT", .name = "Original", .roles = {}};
  made.tracks[6].label.language = "de";
  return made;
}

std::string chosen(const std::string& wanted) {
  const SegmentTable table{title()};
  return table.quality_name(quality_of(table, wanted));
}

TEST(TitleChoice, AQualityIsNamedOrTheBestOrAtMostAHeight) {
  EXPECT_EQ(chosen("best"), "high");
  EXPECT_EQ(chosen("lowest"), "low");
  EXPECT_EQ(chosen("middle"), "middle");
  EXPECT_EQ(chosen("720p"), "middle");
  EXPECT_EQ(chosen("1000p"), "middle");
  EXPECT_EQ(chosen("2160p"), "high");
  for (const char* const wrong : {"240p", "p", "", "720", "-5p", "720pp"}) {
    try {
      chosen(wrong);
      ADD_FAILURE() << wrong;
    } catch (const NotInTitle& error) {
      EXPECT_THAT(error.what(), HasSubstr("only: low (360p), middle (720p), high (1080p)"));
    }
  }
}

TEST(TitleChoice, APictureWithoutASoundBesideItMayHoldTheSound) {
  SegmentTable table{title()};
  table.choose_sound(6);
  const std::vector<FilmTrack> both = film_tracks(table, table.highest_quality());
  ASSERT_EQ(both.size(), 2U);
  EXPECT_EQ(both[0].index, 0U);
  EXPECT_FALSE(both[0].sound);
  EXPECT_EQ(both[1].index, 6U);
  EXPECT_EQ(both[1].label.language, "de");
  Presentation silent = title();
  silent.tracks.resize(3);
  const std::vector<FilmTrack> alone = film_tracks(SegmentTable{silent}, QualityIndex{0});
  ASSERT_EQ(alone.size(), 1U);
  EXPECT_TRUE(alone[0].picture && alone[0].sound);
  EXPECT_EQ(size_of_title(SegmentTable{silent}, QualityIndex{0}), 150_kB);
}

}  // namespace
}  // namespace tributary
