#include "core/rules.hh"

#include <gtest/gtest.h>

#include <array>
#include <stdexcept>
#include <vector>

#include "support/simulated_run.hh"
#include "support/tables.hh"

namespace tributary {
namespace {

using namespace literals;
using testing::SimulatedRun;

/// 750, 1300, 2150 and 3000 kbit/s on average, in segments of two seconds, none like the one before.
SegmentTable movie() {
  std::vector<testing::QualityRow> rows{{"low", {}}, {"medium", {}}, {"high", {}}, {"super", {}}};
  const std::array sizes{187500_B, 325_kB, 537500_B, 750_kB};
  for (int segment = 0; segment < 60; ++segment) {
    for (std::size_t q = 0; q < rows.size(); ++q)
      rows[q].sizes.push_back(scale(sizes[q], 0.7 + 0.06 * (7 * segment % 11)));
  }
  return SegmentTable{testing::presentation_of(rows)};
}

SimulatedRun run_without(const std::string& rules, const std::string& adaptation = "planned",
                         bool plan_forecast = false) {
  SessionOptions options;
  options.buffer_segments = 2;
  options.adaptation = adaptation;
  options.plan_forecast = plan_forecast;
  options.without = rules;
  return SimulatedRun{
      movie(), options,
      "a 2.5Mbps 20ms, at 20s 0.5Mbps, at 40s 2.5Mbps; b 0.5Mbps 40ms, at 20s 2.5Mbps, at 40s 1kbps, at 50s 1.5Mbps"};
}

class EveryRule : public ::testing::TestWithParam<const char*> {};

TEST_P(EveryRule, MakesADifferenceWhereLinksChange) {
  const SimulatedRun without = run_without(GetParam());
  EXPECT_TRUE(without.record.complete());
  // The heads differ by the option itself.
  const auto decisions = [](const SimulatedRun& run) { return run.trace.substr(run.trace.find("link-up")); };
  EXPECT_NE(decisions(without), decisions(run_without("")));
}

INSTANTIATE_TEST_SUITE_P(Rules, EveryRule,
                         ::testing::Values("rescue", "take-over", "sizing", "several-segments", "lasting-rise",
                                           "spread", "look-ahead", "lowering"));

TEST(Rules, AreNamedWithCommasBetween) {
  const Rules rules = Rules::without("rescue,spread");
  EXPECT_FALSE(rules.rescue);
  EXPECT_FALSE(rules.spread);
  EXPECT_TRUE(rules.take_over);
  EXPECT_TRUE(Rules::without("").rescue);
  EXPECT_THROW(Rules::without("luck"), std::invalid_argument);
  EXPECT_THROW(Rules::without("rescue,,spread"), std::invalid_argument);
}

TEST(Forecast, OfThePlanIsCountedOnFromTheBeginning) {
  for (const char* adaptation : {"throughput", "bola", "dynamic", "robust-mpc"}) {
    SCOPED_TRACE(adaptation);
    const SimulatedRun own = run_without("", adaptation), planned = run_without("", adaptation, true);
    EXPECT_TRUE(planned.record.complete());
    const std::string unmeasured = "no segment measured yet";
    EXPECT_LT(planned.trace.find(unmeasured),
              planned.trace.size());  // the first, before any link has brought something
    EXPECT_EQ(planned.trace.find(unmeasured, planned.trace.find(unmeasured) + 1), std::string::npos);
    EXPECT_LT(own.trace.find(unmeasured, own.trace.find(unmeasured) + 1), own.trace.size());
  }
}

}  // namespace
}  // namespace tributary
