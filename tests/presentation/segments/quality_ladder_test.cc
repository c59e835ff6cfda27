#include "presentation/segments/quality_ladder.hh"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tributary {
namespace {

using namespace literals;
using ::testing::ElementsAre;

Track picture(const std::string& id, DataRate rate, int width, int height, const std::string& group = "main") {
  Track track;
  track.id = id;
  track.kind = TrackKind::kVideo;
  track.group = group;
  track.bitrate.average = rate;
  track.width = width;
  track.height = height;
  return track;
}

std::vector<Track> tracks() {
  Track sound;
  sound.kind = TrackKind::kAudio;
  return {sound, picture("hd", 3000_kbps, 1280, 720), picture("other camera", 1000_kbps, 640, 360, "second"),
          picture("sd", 700_kbps, 640, 360), picture("upright", 5000_kbps, 1080, 1920)};
}

TEST(QualityLadder, HasTheFirstGroupOfPicturesTheLowestFirst) {
  const QualityLadder ladder{tracks()};
  EXPECT_THAT(ladder.tracks(), ElementsAre(3U, 1U, 4U));
  EXPECT_EQ(ladder.name(ladder.highest()), "upright");
  EXPECT_EQ(ladder.bitrate(QualityIndex{0}), 700_kbps);
  EXPECT_TRUE(ladder.has(1));
  EXPECT_FALSE(ladder.has(0) || ladder.has(2));
}

TEST(QualityLadder, QualitiesAreFoundByNameAndByLines) {
  const QualityLadder ladder{tracks()};
  EXPECT_EQ(ladder.find("hd"), QualityIndex{1});
  EXPECT_EQ(ladder.find("other camera"), std::nullopt);
  EXPECT_EQ(ladder.highest_within(1080), QualityIndex{2}) << "an upright picture has as many columns";
  EXPECT_EQ(ladder.highest_within(719), QualityIndex{0});
  EXPECT_EQ(ladder.highest_within(100), QualityIndex{0}) << "all have more lines";
}

TEST(QualityLadder, WithoutPicturesThereIsNone) { EXPECT_THROW((QualityLadder{{tracks()[0]}}), std::invalid_argument); }

}  // namespace
}  // namespace tributary
