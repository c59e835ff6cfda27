#include "manifests/caption_channels.hh"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tributary {
namespace {

using testing::ElementsAre;

TEST(CaptionChannels, AreNamedOrInTheOrderOfTheFields) {
  EXPECT_THAT(caption_channels("CC1=eng;CC3=swe"),
              ElementsAre(CaptionChannel{"CC1", "eng"}, CaptionChannel{"CC3", "swe"}));
  EXPECT_THAT(caption_channels("eng;swe"), ElementsAre(CaptionChannel{"CC1", "eng"}, CaptionChannel{"CC3", "swe"}));
  EXPECT_THAT(caption_channels("CC2=eng"), ElementsAre(CaptionChannel{"CC2", "eng"}));
  EXPECT_THAT(caption_channels(""), ElementsAre(CaptionChannel{"CC1", ""}));
}

TEST(CaptionChannels, OfEachFieldTheFirstIsShown) {
  EXPECT_TRUE(is_shown_channel("CC1"));
  EXPECT_TRUE(is_shown_channel("CC3"));
  for (const char* other : {"", "CC2", "CC4", "SERVICE1"}) EXPECT_FALSE(is_shown_channel(other)) << other;
}

TEST(CaptionChannels, ATextWithoutALanguageIsNamedByItsChannel) {
  EXPECT_EQ(caption_track({"CC1", ""}).label.name, "CC1");
  const Track track = caption_track({"CC3", "eng"});
  EXPECT_EQ(track.label.language, "eng");
  EXPECT_EQ(track.captions, "CC3");
  EXPECT_EQ(track.kind, TrackKind::kText);
}

}  // namespace
}  // namespace tributary
