#include "segmenter/encoders/even_choice.hh"

#include <gtest/gtest.h>

#include <chrono>
#include <deque>
#include <vector>

namespace tributary::segmenter {
namespace {

/// Encoders that do `per_picture` of a picture while one comes in; pictures that were kept, in order, and
/// how far they were behind in the second half.
std::vector<std::uint64_t> kept_by(EvenChoice& choice, std::uint64_t pictures, double per_picture,
                                   std::uint64_t* most_behind = nullptr) {
  std::vector<std::uint64_t> kept;
  std::deque<std::uint64_t> waiting;
  double done = 0;  // of the one in front
  for (std::uint64_t picture = 0; picture < pictures; ++picture) {
    const std::uint64_t behind = waiting.size() > 1 ? picture - waiting.front() : 0;
    if (most_behind != nullptr && picture > pictures / 2) *most_behind = std::max(*most_behind, behind);
    if (choice.keep(picture, behind)) {
      kept.push_back(picture);
      waiting.push_back(picture);
    }
    for (done += per_picture; done >= 1 && !waiting.empty(); --done) waiting.pop_front();
    if (waiting.empty()) done = 0;
  }
  return kept;
}

TEST(EvenChoice, KeepsAllThatEncodersCanDo) {
  EvenChoice choice{25, 0};
  EXPECT_EQ(kept_by(choice, 1000, 1.0).size(), 1000U);
}

TEST(EvenChoice, KeepsWhatSlowEncodersCanDoEvenlyAndLetsFewWait) {
  for (const double speed : {0.8, 0.5, 0.25}) {
    EvenChoice choice{25, 0};
    std::uint64_t behind = 0;
    const auto kept = kept_by(choice, 10'000, speed, &behind);
    EXPECT_NEAR(static_cast<double>(kept.size()) / 10'000, speed, 0.02);
    EXPECT_LE(behind, 20U);
    std::uint64_t longest = 0;
    for (std::size_t i = kept.size() / 2; i < kept.size(); ++i) longest = std::max(longest, kept[i] - kept[i - 1]);
    EXPECT_LE(static_cast<double>(longest), 3 / speed) << speed;
  }
}

TEST(EvenChoice, TheFirstPicturesMayPileUp) {
  EvenChoice choice{25, 100};
  for (std::uint64_t picture = 0; picture < 100; ++picture) EXPECT_TRUE(choice.keep(picture, 1000));
  EXPECT_FALSE(choice.keep(100, 1000));
}

TEST(EvenChoice, AllAreKeptAgainWhenTheEncodersHaveCaughtUp) {
  EvenChoice choice{25, 0};
  kept_by(choice, 1000, 0.3);
  std::uint64_t last_left_out = 0;
  for (std::uint64_t picture = 1000; picture < 3000; ++picture) {
    if (!choice.keep(picture, 0)) last_left_out = picture;
  }
  EXPECT_LT(last_left_out, 2000U);
}

TEST(EvenChoice, ALateSourceCatchesUpAtOnceAndSegmentsKeepTheirFirstPictures) {
  const SegmentPlan plan{{25, 1}, std::chrono::seconds{2}};
  CountingChoice choice{{25, 0}, plan, {plan, {}}};
  EXPECT_TRUE(choice.keep(0, 0));
  choice.source_is_late(30);
  for (std::uint64_t picture = 1; picture < 50; ++picture) EXPECT_FALSE(choice.keep(picture, 0));
  EXPECT_TRUE(choice.keep(50, 0));
  EXPECT_EQ(choice.left_out(), 49U);
  choice.source_is_late(0);
  EXPECT_TRUE(choice.keep(51, 0));
}

TEST(EvenChoice, PartsKeepAsManyOfTheirFirstPicturesAsEncodersReorder) {
  const SegmentPlan plan{{25, 1}, std::chrono::seconds{2}};
  CountingChoice choice{{25, 0}, plan, {plan, std::chrono::milliseconds{400}}};
  std::vector<std::uint64_t> kept;
  for (std::uint64_t picture = 0; picture < 22; ++picture) {
    if (choice.keep(picture, 1000)) kept.push_back(picture);
  }
  EXPECT_EQ(kept, (std::vector<std::uint64_t>{0, 1, 2, 10, 11, 12, 20, 21}));
}

}  // namespace
}  // namespace tributary::segmenter
