#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "core/qualities/experience.hh"
#include "support/simulated_run.hh"
#include "support/tables.hh"
#include "units/split_mix.hh"

namespace tributary {
namespace {

using namespace literals;
using testing::SimulatedRun;

/// Around these Mbit/s; each second keeps nine tenths of the logarithm of the one before, and now and then it is a tenth for
/// some seconds.
std::string wavering(SplitMix& random, const std::string& name, double mean, int rtt) {
  std::string link = fmt::format("{} {}Mbps {}ms", name, mean, rtt);
  double apart = 0;
  int low = 0;
  for (int second = 1; second < 130; ++second) {
    apart = 0.9 * apart + 0.5 * (random.uniform() + random.uniform() - 1);
    if (low == 0 && random.below(40) == 0) low = 1 + static_cast<int>(random.below(3));
    link += fmt::format(", at {}s {:.3f}Mbps", second, mean * std::exp(apart) * (low > 0 ? 0.1 : 1));
    low = std::max(low - 1, 0);
  }
  return link;
}

struct Situation {
  StreamingMode mode;
  std::uint32_t buffer;
};

/// By yin2015, over all pairs of links. Playout begins with one segment.
double experience(const std::string& rule, const Situation& in, const std::string& measure = "yin2015") {
  const SegmentTable film = testing::constant_table(60, {187500_B, 325_kB, 537500_B, 750_kB});
  double sum = 0;
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    SplitMix random{seed};
    const std::string links = wavering(random, "a", 2, 30) + "; " + wavering(random, "b", 1.3, 90);
    SessionOptions options;
    options.mode = in.mode;
    options.adaptation = rule;
    options.buffer_segments = in.buffer;
    options.startup_segments = 1;
    options.start = StartRule::kFast;
    options.experience = measure;
    const SimulatedRun run{film, options, links};
    EXPECT_TRUE(run.record.complete());
    sum += run.summary.qoe_lin - Experience::read("yin2015").start_cost(film) * to_seconds(*run.summary.startup);
  }
  return sum;
}

TEST(UsualExperience, TheStartCountsFullyWherePlayoutBeginsEarly) {
  SessionOptions options;
  options.buffer_segments = 3;
  EXPECT_EQ(usual_experience(options), "yin2015-patient");
  options.startup_segments = 1;
  EXPECT_EQ(usual_experience(options), "yin2015");
  options.buffer_segments = 1;
  EXPECT_EQ(usual_experience(options), "yin2015-patient");
}

class AsPeoplePlay : public ::testing::TestWithParam<Situation> {};

TEST_P(AsPeoplePlay, ThePlanIsBetterThanWithAMarginAndThanOtherRules) {
  const double planned = experience("planned", GetParam());
  EXPECT_GT(planned, experience("planned", GetParam(), "yin2015-patient"));
  for (const char* rule : {"bba", "robust-mpc", "thesis"}) EXPECT_GT(planned, experience(rule, GetParam())) << rule;
}

INSTANTIATE_TEST_SUITE_P(Situations, AsPeoplePlay,
                         ::testing::Values(Situation{StreamingMode::kOnDemand, 3},
                                           Situation{StreamingMode::kLiveBuffered, 2}));

}  // namespace
}  // namespace tributary
