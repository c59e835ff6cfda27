#include "gst/multilink_source.hh"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>

#include "source_pipeline.hh"

namespace tributary {
namespace {

using namespace std::chrono_literals;
using testing::defects;
using testing::DirectoryPlan;
using testing::ShownPicture;
using testing::SourcePipeline;

constexpr unsigned kSegments = 250, kPicturesPerSegment = 10, kPictures = kSegments * kPicturesPerSegment;
constexpr Duration kPatience = 60s;

DirectoryPlan film() { return {.directory = TRIBUTARY_MARKED_CONTENT}; }

/// All switches between four qualities, again and again.
std::size_t switching(std::size_t segment) {
  constexpr std::array<std::size_t, 13> kAllSwitches{0, 1, 0, 2, 0, 3, 1, 2, 1, 3, 2, 3, 0};
  return kAllSwitches[segment % kAllSwitches.size()];
}

TEST(MultilinkSource, SwitchesQualityWithoutATrace) {
  DirectoryPlan plan = film();
  plan.quality = switching;
  SourcePipeline pipeline{plan};
  ASSERT_TRUE(pipeline.play(kPatience));
  EXPECT_EQ(pipeline.warnings(), std::vector<std::string>{});
  EXPECT_EQ(defects(pipeline.pictures(), 0, kPictures - 1, kPicturesPerSegment, switching), "");
  const testing::SoundMarks sound = pipeline.sound();
  EXPECT_EQ(sound.breaks().size(), 0u);
  EXPECT_LE(sound.largest_gap(), 1us);
  EXPECT_NEAR(static_cast<double>(sound.samples()), 100 * 48000, 1024);
  ASSERT_EQ(sound.ticks().size(), 100u);
  for (std::size_t i = 0; i < sound.ticks().size(); ++i)
    EXPECT_NEAR(to_seconds(sound.ticks()[i]), static_cast<double>(i), 0.020);
}

}  // namespace
}  // namespace tributary

int main(int argc, char** argv) {
  ::testing::InitGoogleTest(&argc, argv);
  gst_init(&argc, &argv);
  return RUN_ALL_TESTS();
}
