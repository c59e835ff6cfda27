#include "core/qualities/adaptations/robust_mpc_adaptation.hh"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "core/qualities/rule_inputs.hh"

namespace tributary {
namespace {

using namespace literals;
using namespace std::chrono_literals;
using namespace testing;

/// The QoE of one sequence, said without recursion: `code` has a digit to the base of four for each segment.
double qoe(int code, int segments, double level, int previous, double mbit_s) {
  double sum = 0;
  for (int i = 0; i < segments; ++i, code /= 4) {
    const int q = code % 4;
    const double bitrate = 0.4 * std::pow(2, q);
    const double transfer = 2 * bitrate / mbit_s;
    level = std::min(level, 24.0);
    sum += bitrate - 3.2 * std::max(transfer - level, 0.0) - std::abs(bitrate - 0.4 * std::pow(2, previous));
    level = std::max(level - transfer, 0.0) + 2;
    previous = q;
  }
  return sum;
}

/// The best value among all sequences that begin with this quality.
double best_with(int first, int segments, double level, int previous, double mbit_s) {
  double best = -std::numeric_limits<double>::infinity();
  for (int code = first; code < std::pow(4, segments); code += 4) {
    best = std::max(best, qoe(code, segments, level, previous, mbit_s));
  }
  return best;
}

TEST(RobustMpcAdaptation, BeginsWithTheLowest) {
  RobustMpcAdaptation rule;
  EXPECT_EQ(rule.choose(at_level(20s), doubling_table()).quality, kLow);
}

TEST(RobustMpcAdaptation, TakesTheFirstOfTheBestSequence) {
  std::vector<int> chosen(4);
  for (const double mbit_s : {0.3, 0.7, 1.1, 1.7, 2.3, 3.1, 4.9}) {
    RobustMpcAdaptation rule;
    rule.measured(carried(DataRate::bits_per_second(1e6 * mbit_s), 1s));
    int previous = 0;
    for (const int level : {0, 1, 3, 5, 8, 13, 21, 24, 6, 2}) {
      const auto quality = to_index(rule.choose(at_level(std::chrono::seconds{level}), doubling_table()).quality);
      const double value = best_with(static_cast<int>(quality), 5, level, previous, mbit_s);
      for (int q = 0; q < 4; ++q) {
        EXPECT_GE(value + 1e-9, best_with(q, 5, level, previous, mbit_s)) << mbit_s << " Mbit/s, " << level;
      }
      previous = static_cast<int>(quality);
      ++chosen[quality];
    }
  }
  for (const int times : chosen) EXPECT_GT(times, 0);
}

TEST(RobustMpcAdaptation, CountsOnTheHarmonicMeanLessItsLargestError) {
  RobustMpcAdaptation rule;
  const auto counts_on = [&] {
    const std::string reason = rule.choose(at_level(10s), doubling_table()).reason;
    return reason.substr(reason.find(" at ") + 4, reason.find(" kbit/s") - reason.find(" at ") - 4);
  };
  rule.measured(carried(1000_kbps, 1s));
  EXPECT_EQ(counts_on(), "1000");
  rule.measured(carried(500_kbps, 1s));
  // 2 / (1/1000 + 1/500) = 667, and 1000 were predicted where 500 came: an error of 1.
  EXPECT_EQ(counts_on(), "333");
  for (int i = 0; i < 5; ++i) rule.measured(carried(500_kbps, 1s));
  // The mean of the last five is 500. Errors of the last five predictions: the first of them was the 667.
  EXPECT_EQ(counts_on(), "375");
}

TEST(RobustMpcAdaptation, KnowsTheSizesOfTheSegmentsAhead) {
  // Twenty times the usual comes in segment 4: whoever spends the buffer before it will stall.
  std::vector<DataSize> low(10, 100_kB);
  std::vector<DataSize> high(10, 200_kB);
  const SegmentTable even{presentation_of({{"low", low}, {"high", high}})};
  low[4] = 2000_kB;
  high[4] = 2000_kB;
  const SegmentTable uneven{presentation_of({{"low", low}, {"high", high}})};
  RobustMpcAdaptation one, two;
  for (auto* rule : {&one, &two}) rule->measured(carried(900_kbps, 1s));
  EXPECT_EQ(one.choose(at_level(6s), even).quality, QualityIndex{1});
  EXPECT_EQ(two.choose(at_level(6s), uneven).quality, QualityIndex{0});
}

TEST(RobustMpcAdaptation, LooksNoFurtherThanTheEnd) {
  RobustMpcAdaptation rule;
  rule.measured(carried(900_kbps, 1s));
  AdaptationInput input = at_level(20s);
  input.segment = SegmentIndex{9};
  // 3200 kbit/s take 7.1 s of the 20 s, nothing comes after it: b - |b - b before| is the same for all, the
  // lowest wins.
  EXPECT_EQ(rule.choose(input, doubling_table()).quality, kLow);
}

}  // namespace
}  // namespace tributary
