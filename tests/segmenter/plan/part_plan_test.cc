#include "segmenter/plan/part_plan.hh"

#include <gtest/gtest.h>

namespace tributary::segmenter {
namespace {

using namespace std::chrono_literals;

std::vector<std::uint64_t> ends_of(const PartPlan& plan, std::uint64_t from, std::uint64_t until) {
  std::vector<std::uint64_t> ends;
  for (std::uint64_t at = from; at < until; at = ends.back()) ends.push_back(plan.end_of(at));
  return ends;
}

TEST(PartPlan, PartsAreEvenAndNoneIsLonger) {
  const PartPlan plan{SegmentPlan{{25, 1}, 2s}, 500ms};
  EXPECT_EQ(ends_of(plan, 0, 100), (std::vector<std::uint64_t>{10, 20, 30, 40, 50, 60, 70, 80, 90, 100}))
      << "four parts would be of 12.5 pictures, longer than half a second";
  EXPECT_EQ(plan.begin_of(59), 50U);
  EXPECT_TRUE(plan.ends_segment(50));
  EXPECT_FALSE(plan.ends_segment(40));
  EXPECT_EQ(plan.longest_picture(), 10 * 512U);
}

TEST(PartPlan, TheLastPartOfASegmentMayBeShort) {
  EXPECT_EQ(ends_of(PartPlan{SegmentPlan{{25, 1}, 2s}, 700ms}, 50, 100), (std::vector<std::uint64_t>{67, 84, 100}));
}

TEST(PartPlan, APartHasAPicture) {
  EXPECT_EQ(ends_of(PartPlan{SegmentPlan{{2, 1}, 2s}, 200ms}, 0, 4), (std::vector<std::uint64_t>{1, 2, 3, 4}));
}

TEST(PartPlan, WithoutADurationASegmentIsOnePart) {
  const PartPlan plan{SegmentPlan{{25, 1}, 2s}, {}};
  EXPECT_FALSE(plan.divides());
  EXPECT_EQ(ends_of(plan, 0, 150), (std::vector<std::uint64_t>{50, 100, 150}));
}

/// Players want that all but the last part of a segment last 85 % of the longest part at least.
TEST(PartPlan, PartsOfPictureAndSoundAreAlike) {
  for (const FrameRate rate : {FrameRate{24, 1}, {25, 1}, {30000, 1001}, {30, 1}, {50, 1}, {60000, 1001}, {60, 1}}) {
    for (const int sample_rate : {44100, 48000}) {
      for (const Duration longest : {200ms, 250ms, 333ms, 500ms, 1000ms}) {
        const SegmentPlan segments{rate, 2s};
        const PartPlan plan{segments, longest};
        const double picture = static_cast<double>(plan.longest_picture()) / segments.timescale();
        const double frame = 1024.0 / sample_rate;
        const double sound = static_cast<double>(plan.longest_sound(sample_rate, 1024)) * frame;
        EXPECT_GE(std::min(picture, sound - frame), 0.85 * std::max(picture, sound)) << rate.num << " " << sample_rate;
        std::uint64_t before = 0;
        for (std::uint64_t end = plan.end_of(0); end < 10'000; end = plan.end_of(end)) {
          const std::uint64_t frames = segments.sound_frames(end, sample_rate, 1024);
          ASSERT_LE(frames - before, plan.longest_sound(sample_rate, 1024));
          before = frames;
        }
      }
    }
  }
}

}  // namespace
}  // namespace tributary::segmenter
