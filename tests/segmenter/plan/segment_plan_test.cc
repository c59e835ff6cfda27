#include "segmenter/plan/segment_plan.hh"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace tributary::segmenter {
namespace {

using namespace std::chrono_literals;

TEST(SegmentPlan, TicksOfAPictureAreWhole) {
  const SegmentPlan pal{{25, 1}, 2s};
  EXPECT_EQ(pal.pictures_per_segment(), 50);
  EXPECT_EQ(pal.timescale(), 12800u);
  EXPECT_EQ(pal.picture_ticks(), 512);
  const SegmentPlan ntsc{{30000, 1001}, 2s};
  EXPECT_EQ(ntsc.pictures_per_segment(), 60) << "2.002 s, not 2 s";
  EXPECT_EQ(ntsc.timescale(), 30000u);
  EXPECT_EQ(ntsc.picture_ticks(), 1001);
}

TEST(SegmentPlan, TheLastSegmentMayBeShort) {
  const SegmentPlan plan{{25, 1}, 2s};
  EXPECT_EQ(plan.segments(0), 0u);
  EXPECT_EQ(plan.segments(1), 1u);
  EXPECT_EQ(plan.segments(50), 1u);
  EXPECT_EQ(plan.segments(51), 2u);
  EXPECT_TRUE(plan.starts_segment(50));
  EXPECT_FALSE(plan.starts_segment(49));
}

TEST(SegmentPlan, CutsMayBeGiven) {
  const SegmentPlan plan{{25, 1}, 2s, {0, 40, 110}, 200};
  EXPECT_EQ(plan.segments(40), 1u);
  EXPECT_EQ(plan.segments(41), 2u);
  EXPECT_EQ(plan.segments(200), 3u);
  EXPECT_EQ(plan.begin(2), 110u);
  EXPECT_EQ(plan.begin(3), 200u);
  EXPECT_TRUE(plan.starts_segment(40));
  EXPECT_FALSE(plan.starts_segment(50));
}

TEST(SegmentPlan, AVeryShortSegmentIsOnePicture) { EXPECT_EQ((SegmentPlan{{2, 1}, 100ms}).pictures_per_segment(), 1); }

TEST(SegmentPlan, SoundIsCutAtTheNearestFrameAndNeverDrifts) {
  constexpr int kFrameSamples = 1024;
  const std::vector<FrameRate> rates{{25, 1}, {30000, 1001}, {30, 1}, {50, 1}, {60, 1}};
  for (const FrameRate rate : rates) {
    for (const int sample_rate : {44100, 48000}) {
      const SegmentPlan plan{rate, 2s};
      for (std::uint64_t segment = 1; segment <= 10000; segment += 37) {
        const std::uint64_t pictures = segment * static_cast<std::uint64_t>(plan.pictures_per_segment());
        const double sound =
            static_cast<double>(plan.sound_frames(pictures, sample_rate, kFrameSamples)) * kFrameSamples / sample_rate;
        EXPECT_LE(std::abs(sound - plan.seconds(pictures)), 0.5 * kFrameSamples / sample_rate + 1e-9)
            << rate.num << "/" << rate.den << " " << sample_rate << " segment " << segment;
      }
    }
  }
}

TEST(ConstantRate, UsualRatesAreRecognisedThroughBlurredTimestamps) {
  EXPECT_EQ(constant_rate({25, 1}, {25, 1}), (FrameRate{25, 1}));
  EXPECT_EQ(constant_rate({2997, 100}, {30000, 1001}), (FrameRate{30000, 1001}));
  EXPECT_EQ(constant_rate({30, 1}, {30, 1}), (FrameRate{30, 1}));
  EXPECT_EQ(constant_rate({24999, 1000}, {1000, 1}), (FrameRate{25, 1}));
}

TEST(ConstantRate, OneThatVariesIsNone) {
  EXPECT_EQ(constant_rate({2571, 100}, {30, 1}), std::nullopt);
  EXPECT_EQ(constant_rate({2800, 100}, {90000, 1}), std::nullopt);
  EXPECT_EQ(constant_rate({1, 2}, {0, 0}), std::nullopt);
}

TEST(ConstantRate, AnUnusualConstantRateIsKept) {
  EXPECT_EQ(constant_rate({10, 1}, {10, 1}), (FrameRate{10, 1}));
  EXPECT_EQ(constant_rate({25, 2}, {25, 2}), (FrameRate{25, 2}));
  EXPECT_EQ(constant_rate({240, 1}, {240, 1}), (FrameRate{240, 1}));
}

TEST(ConstantRate, WithoutAnyRateItIs25) {
  EXPECT_EQ(constant_rate({0, 0}, {0, 0}), (FrameRate{25, 1}));
  EXPECT_EQ(constant_rate({0, 1}, {0, 1}), (FrameRate{25, 1}));
  EXPECT_EQ(constant_rate({0, 0}, {30, 1}), (FrameRate{30, 1}));
}

}  // namespace
}  // namespace tributary::segmenter
