#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

#include "presentation/segments/partial_segments.hh"
#include "support/simulated_run.hh"
#include "support/tables.hh"

namespace tributary {
namespace {

using namespace literals;
using namespace std::chrono_literals;
using testing::SimulatedRun;

/// 750 kbit/s to 3 Mbit/s, in partial segments of half a second.
SegmentTable in_parts(std::size_t segments) {
  return SegmentTable{in_partial_segments(
      testing::constant_table(segments, {187500_B, 325_kB, 537500_B, 750_kB}).presentation(), 500ms)};
}

SessionOptions at(Duration latency, const std::string& rule = "planned") {
  SessionOptions options;
  options.mode = StreamingMode::kLiveBuffered;
  options.adaptation = rule;
  options.start = StartRule::kFast;
  options.latency = latency;
  follow_live_edge(options, 500ms);
  options.experience = usual_experience(options);
  return options;
}

/// Links of 3 and 2 Mbit/s, of which one is away for 8 s every half minute, in turns.
std::string links_that_die(int seconds) {
  std::string wifi = "wifi 3Mbps 20ms", lte = "lte 2Mbps 60ms";
  for (int t = 30; t < seconds; t += 60) {
    wifi += fmt::format(", down {}s..{}s", t, t + 8);
    lte += fmt::format(", down {}s..{}s", t + 30, t + 38);
  }
  return wifi + "; " + lte;
}

TEST(LowLatency, LinksThatDieAreNoStall) {
  const SimulatedRun run{in_parts(150), at(2500ms), links_that_die(300)};
  EXPECT_TRUE(run.record.complete());
  EXPECT_EQ(run.summary.misses, 0U) << "the worst: " << to_seconds(run.summary.miss_max) << " s";
  ASSERT_TRUE(run.summary.latency);
  EXPECT_LE(run.summary.latency->p95, 3s);
  EXPECT_GE(*run.summary.latency->near_target, 0.95);
  EXPECT_GE(run.summary.mean_level, 2.5) << "of 3";
}

TEST(LowLatency, ALinkThatBringsNothingDoesNotDelayTheBeginning) {
  SessionOptions options = at(2500ms, "fixed:low");
  const std::string links = "wifi 1Mbps 60ms, at 100ms 1kbps, at 60s 2Mbps; lte 3Mbps 60ms";
  const SimulatedRun run{in_parts(20), options, links};
  ASSERT_TRUE(run.summary.startup);
  EXPECT_LT(*run.summary.startup, 2s) << "a first answer may take a second; its connection is given up after three";
  options.without = "rescue,take-over";
  const SimulatedRun waits{in_parts(20), options, links};
  EXPECT_GT(*waits.summary.startup, 3s);
}

TEST(LowLatency, ALinkThatFailedIsNotCountedOnUntilItAnswers) {
  const SimulatedRun run{in_parts(60), at(2500ms), "wifi 1.8Mbps 20ms; lte 4Mbps 60ms, at 40s 1kbps, at 90s 4Mbps"};
  EXPECT_TRUE(run.record.complete());
  for (const auto& [index, segment] : run.record.segments()) {
    const Duration requested = *segment.requested - TimePoint{};
    if (run.session.table().continues(index) || requested < 44s || requested > 88s) continue;
    EXPECT_LE(segment.quality, QualityIndex{1}) << "segment " << to_index(index) << ": 1300 kbit/s";
  }
}

TEST(LowLatency, EachRuleKeepsToSwitchPoints) {
  for (const char* rule :
       {"planned", "robust-mpc", "bola", "bba", "dynamic", "throughput", "lol-plus", "l2a-ll", "thesis"}) {
    SCOPED_TRACE(rule);
    const SimulatedRun run{in_parts(40), at(2500ms, rule), links_that_die(80)};
    EXPECT_TRUE(run.record.complete());
    const auto& segments = run.record.segments();
    for (const auto& [index, segment] : segments) {
      if (!run.session.table().continues(index)) continue;
      EXPECT_EQ(segment.quality, segments.at(static_cast<SegmentIndex>(to_index(index) - 1)).quality)
          << to_index(index);
    }
  }
}

TEST(LowLatency, BehindItsLimitItSkipsToWhereItShouldBe) {
  const std::string away = "wifi 6Mbps 20ms, down 30s..50s";
  SessionOptions options = at(2500ms);
  const SimulatedRun never{in_parts(60), options, away};
  EXPECT_EQ(never.summary.skipped, 0U);
  EXPECT_GT(*never.summary.lag_end, 11s) << "18 s, of which 10 % of the other 70 s are made up for";
  options.latency_limit = 6s;
  const SimulatedRun skips{in_parts(60), options, away};
  EXPECT_EQ(skips.summary.misses, 1U) << "the one that nobody could avoid";
  EXPECT_NEAR(static_cast<double>(skips.summary.skipped), 36, 6) << "parts of the 18 s that were lost";
  EXPECT_LT(*skips.summary.lag_end, 4s);
}

TEST(LowLatency, FarTargetsAreReached) {
  for (const Duration target : {Duration{1500ms}, Duration{4s}, Duration{8s}}) {
    const SimulatedRun run{in_parts(120), at(target), "wifi 6Mbps 20ms; lte 4Mbps 60ms"};
    ASSERT_TRUE(run.summary.latency);
    EXPECT_NEAR(to_seconds(run.summary.latency->median), to_seconds(target), 0.1);
  }
}

}  // namespace
}  // namespace tributary
