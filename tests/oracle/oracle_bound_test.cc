#include <gtest/gtest.h>

#include <string>

#include "oracle/oracle.hh"
#include "support/simulated_run.hh"
#include "support/tables.hh"
#include "units/split_mix.hh"

namespace tributary {
namespace {

/// Sizes around the averages of the thesis' ladder, two seconds each.
SegmentTable variable_table(std::uint64_t seed, std::size_t segments) {
  SplitMix random{seed};
  std::vector<testing::QualityRow> rows{{"low", {}}, {"medium", {}}, {"high", {}}, {"super", {}}};
  for (std::size_t j = 0; j < segments; ++j) {
    const double activity = 0.7 + 0.6 * random.uniform();
    rows[0].sizes.push_back(scale(DataSize{186'500}, activity));
    rows[1].sizes.push_back(scale(DataSize{325'000}, activity));
    rows[2].sizes.push_back(scale(DataSize{535'500}, activity));
    rows[3].sizes.push_back(scale(DataSize{752'500}, activity));
  }
  return SegmentTable{testing::presentation_of(rows)};
}

/// Whatever a session of the whole client does on the modelled links, the oracle stalls no longer, and where the session
/// does not stall either, it has the better quality.
TEST(OracleBound, NoSimulatedSessionIsBetter) {
  int without_misses = 0;
  double reached = 0;
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    const SegmentTable table = variable_table(seed, 30);
    const std::string scenario = "dynamics " + std::to_string(seed);
    SessionOptions options;
    options.mode = seed % 2 == 0 ? StreamingMode::kOnDemand : StreamingMode::kLiveBuffered;
    for (const std::uint32_t buffer : {1U, 2U, 4U}) {
      SCOPED_TRACE(scenario + ", buffer " + std::to_string(buffer));
      options.buffer_segments = buffer;
      const testing::SimulatedRun run{table, options, scenario, seed};
      ASSERT_TRUE(run.record.complete());
      const auto possible =
          best_possible(table, parse_scenario(scenario), {options.segments_at_start(), buffer, *run.summary.startup});
      ASSERT_TRUE(possible);
      EXPECT_GE(run.summary.miss_total, possible->upper.miss_total);
      if (run.summary.misses > 0) continue;
      ++without_misses;
      EXPECT_LE(run.summary.mean_level, possible->upper.mean_level);
      reached += run.summary.mean_level / possible->upper.mean_level;
    }
  }
  ASSERT_GE(without_misses, 5);
  // Not so far below either that the bound would say nothing.
  EXPECT_GT(reached / without_misses, 0.7);
}

/// With little in hand. Live there is not a second more than a segment lasts from publication to playout: what a link owes when
/// it slows down may be late.
TEST(OracleBound, APlannedSessionComesCloseToIt) {
  for (const StreamingMode mode : {StreamingMode::kOnDemand, StreamingMode::kLiveBuffered}) {
    double reached = 0;
    std::uint64_t misses = 0;
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
      const SegmentTable table = variable_table(seed, 60);
      const std::string scenario = "dynamics " + std::to_string(seed);
      SessionOptions options;
      options.mode = mode;
      options.buffer_segments = 2;
      options.adaptation = "planned";
      const testing::SimulatedRun run{table, options, scenario, seed};
      misses += run.summary.misses;
      const auto possible = best_possible(table, parse_scenario(scenario),
                                          {options.segments_at_start(), options.buffer_segments, *run.summary.startup});
      ASSERT_TRUE(possible);
      reached += run.summary.mean_level / possible->upper.mean_level / 5;
    }
    EXPECT_LE(misses, mode == StreamingMode::kOnDemand ? 1U : 2U);  // a short one may be worth its quality
    EXPECT_GT(reached, mode == StreamingMode::kOnDemand ? 0.93 : 0.83);
  }
}

}  // namespace
}  // namespace tributary
