#include "core/qualities/adaptations/l2a_adaptation.hh"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "core/qualities/rule_inputs.hh"

namespace tributary {
namespace {

using namespace literals;
using namespace std::chrono_literals;
using namespace testing;

TEST(OnSimplex, IsTheNearestPointOfIt) {
  EXPECT_EQ(on_simplex({1, 0, 0}), (std::vector<double>{1, 0, 0}));
  EXPECT_EQ(on_simplex({3, 3}), (std::vector<double>{0.5, 0.5}));
  EXPECT_EQ(on_simplex({-5}), (std::vector<double>{1}));
  std::mt19937 random{20261130};
  const auto number = [&] { return static_cast<double>(random()) / 4294967296.0 * 4 - 2; };
  const auto distance = [](const std::vector<double>& a, const std::vector<double>& b) {
    return std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
  };
  for (int n = 0; n < 200; ++n) {
    const std::vector<double> point{number(), number(), number()}, nearest = on_simplex(point);
    EXPECT_NEAR(nearest[0] + nearest[1] + nearest[2], 1, 1e-12);
    for (double a = 0; a <= 1; a += 0.05) {
      for (double b = 0; a + b <= 1; b += 0.05)
        EXPECT_LE(distance(point, nearest), distance(point, {a, b, 1 - a - b}) + 1e-12);
    }
  }
}

TEST(L2aAdaptation, BeginsWithTheLowest) {
  EXPECT_EQ(L2aAdaptation{}.choose(at_level(2s), doubling_table()).quality, kLow);
}

TEST(L2aAdaptation, TakesWhatIsCarriedUntilTheBufferIsFilled) {
  L2aAdaptation rule;
  for (const auto& [rate, quality] : {std::pair{1800_kbps, kHigh}, {440_kbps, kLow}, {1800_kbps, kHigh}}) {
    rule.measured(carried(rate, 100s));
    EXPECT_EQ(rule.choose(at_level(1400ms), doubling_table()).quality, quality);
  }
}

/// In low quality, with a filled buffer. V is 4^.99, and so are Q and half of alpha: with d = 2 s, a step is b / C.
class L2aInLow : public ::testing::Test {
 protected:
  L2aInLow() {
    rule_.measured(carried(500_kbps, 1s));
    EXPECT_EQ(rule_.choose(at_level(1500ms), doubling_table()).quality, kLow);
  }
  QualityChoice after(DataRate rate) {
    rule_.measured(carried(rate, 1s));
    return rule_.choose(at_level(2s), doubling_table());
  }

  L2aAdaptation rule_;
};

TEST_F(L2aInLow, StaysWhereAStepLeadsToNoOtherQuality) {
  // (1, 0, 0, 0) + (400, 800, -1600, -3200) / 1000 = (1.4, .8, -1.6, -3.2), on the simplex (.8, .2, 0, 0).
  const QualityChoice choice = after(1000_kbps);
  EXPECT_EQ(choice.quality, kLow);
  EXPECT_EQ(choice.reason, "low is nearest to 480 kbit/s at 1000 kbit/s");
}

TEST_F(L2aInLow, LearnsWhileTheThroughputIsThere) {
  // Q = 3.945 - 2 + 2 * (2 * 480 - 400) / 1000 = 3.065; the step is .888 b / C. On (.8, .2, 0, 0): (.622, .378, 0, 0).
  after(1000_kbps);
  EXPECT_EQ(after(1000_kbps).reason, "low is nearest to 551 kbit/s at 1000 kbit/s");
  int choices = 0;
  while (after(1000_kbps).quality == kLow && choices < 20) ++choices;
  EXPECT_LT(choices, 20) << "800 kbit/s are carried";
}

TEST_F(L2aInLow, RisesByOneQualityAndOnlyIfThatIsCarried) {
  // With 3200 kbit/s all signs are +, and the highest bitrate moves most: (1.125, .25, .5, 1) becomes (.5625, 0, 0, .4375).
  EXPECT_EQ(after(3200_kbps).reason, "medium is nearest to 1625 kbit/s at 3200 kbit/s");
}

TEST_F(L2aInLow, FallsAtOnce) {
  for (int i = 0; i < 20; ++i) after(20_Mbps);
  EXPECT_EQ(after(20_Mbps).quality, kSuper);
  EXPECT_LT(after(500_kbps).quality, kSuper);
}

TEST_F(L2aInLow, MeasuresAllSegmentsSinceTheChoiceBefore) {
  rule_.measured(carried(500_kbps, 1s));
  EXPECT_EQ(after(1500_kbps).reason, "low is nearest to 480 kbit/s at 1000 kbit/s");
}

}  // namespace
}  // namespace tributary
