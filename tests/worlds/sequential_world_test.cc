#include "worlds/sequential_world.hh"

#include <gtest/gtest.h>

#include "core/qualities/adaptations/fixed_quality.hh"
#include "support/tables.hh"

namespace tributary {
namespace {

using namespace literals;
using namespace std::chrono_literals;

// Segments of two seconds and of 2 Mbit: 1000 kbit/s.
SequentialResult play(SequentialWorld world, std::size_t segments) {
  FixedQuality rule{QualityIndex{0}};
  return world.play(testing::constant_table(segments, {250_kB}), rule);
}

TEST(SequentialWorld, ARequestWaitsAndIsThenTransferredAtTheRateOfTheTraceWhichRepeats) {
  const auto result = play({{{3s, 1_Mbps}, {1s, 4_Mbps}}, 100ms, 25s}, 4);
  const auto& s = result.segments;
  EXPECT_EQ(s[0].complete, TimePoint{2100ms});
  // Begins at 2.2 s: 0.8 Mbit until 3 s, the other 1.2 Mbit at 4 Mbit/s.
  EXPECT_EQ(s[1].complete, TimePoint{3300ms});
  EXPECT_EQ(s[2].complete, TimePoint{3900ms});
  EXPECT_EQ(s[3].complete, TimePoint{6000ms});  // its wait ends with the trace, at 4 s
  EXPECT_EQ(s[1].level, 2s);
  EXPECT_EQ(s[2].level, 2800ms);
  EXPECT_EQ(s[3].level, 4200ms);
  EXPECT_EQ(result.rebuffer_events, 0U);
  EXPECT_NEAR(result.mean_bitrate.kilobits_per_second(), 1000 * 8 / (2.1 + 8), 1e-6);
}

TEST(SequentialWorld, NothingComesWhileTheRateIsZero) {
  const auto result = play({{{1s, 1_Mbps}, {5s, 0_Mbps}}, 0s, 25s}, 1);
  EXPECT_EQ(result.segments[0].complete, TimePoint{7s});  // 1 Mbit in the first second, 1 Mbit in the seventh
}

TEST(SequentialWorld, ASegmentThatComesLaterThanTheBufferLastsIsAnEventButTheFirst) {
  const auto result = play({{{1h, 800_kbps}}, 100ms, 25s}, 4);
  // Each takes 2.6 s, and two are played meanwhile.
  EXPECT_EQ(result.rebuffer_events, 3U);
  EXPECT_EQ(result.rebuffer, 1800ms);
  EXPECT_EQ(result.segments[3].rebuffer, 600ms);
  EXPECT_NEAR(result.mean_bitrate.kilobits_per_second(), 1000 * 8 / (2.6 + 8 + 1.8), 1e-6);
}

TEST(SequentialWorld, ARequestIsMadeWhenItsSegmentFits) {
  const auto result = play({{{1h, 20_Mbps}}, 100ms, 6s}, 5);
  const auto& s = result.segments;  // each takes 0.2 s
  EXPECT_EQ(s[1].level, 2s);
  EXPECT_EQ(s[2].level, 3800ms);
  EXPECT_EQ(s[3].level, 4s);  // 5.6 s were buffered at 0.6 s
  EXPECT_EQ(s[3].requested, TimePoint{2200ms});
  EXPECT_EQ(s[4].level, 4s);  // 5.8 s at 2.4 s
  EXPECT_EQ(s[4].requested, TimePoint{4200ms});
}

TEST(SequentialWorld, ARuleIsToldWhatWasMeasured) {
  class Listener : public QualityAdaptation {
   public:
    QualityChoice choose(const AdaptationInput& input, const SegmentTable& /*table*/) override {
      capacity = input.capacity;
      return {};
    }
    void measured(const SegmentMeasurement& m) override { heard.push_back(m); }
    std::vector<SegmentMeasurement> heard;
    Duration capacity{};
  } rule;
  SequentialWorld{{{1h, 800_kbps}}, 100ms, 25s}.play(testing::constant_table(2, {250_kB}), rule);
  ASSERT_EQ(rule.heard.size(), 2U);
  EXPECT_EQ(rule.heard[1].size, 250_kB);
  EXPECT_EQ(rule.heard[1].duration, 2500ms);
  EXPECT_EQ(rule.heard[1].latency, 100ms);
  EXPECT_EQ(rule.capacity, 25s);
}

/// Gives up one request, when so much time has passed.
class Impatient : public QualityAdaptation {
 public:
  explicit Impatient(Duration patience) : patience_{patience} {}
  QualityChoice choose(const AdaptationInput& /*input*/, const SegmentTable& /*table*/) override { return {}; }
  bool abandons(const SegmentProgress& progress, const SegmentTable& /*table*/) override {
    heard.push_back(progress);
    if (gave_up_ || progress.elapsed < patience_) return false;
    gave_up_ = true;
    return true;
  }
  std::vector<SegmentProgress> heard;

 private:
  Duration patience_;
  bool gave_up_ = false;
};

SequentialResult play_impatiently(Impatient& rule, SequentialWorld::Abandonment abandonment) {
  return SequentialWorld{{{1h, 800_kbps}}, 100ms, 25s}.play(testing::constant_table(2, {250_kB}), rule, abandonment);
}

TEST(SequentialWorld, ARuleMayGiveUpASegmentWhichIsThenRequestedAnew) {
  Impatient rule{150ms};
  const auto result = play_impatiently(rule, SequentialWorld::Abandonment::kAllowed);
  ASSERT_GE(rule.heard.size(), 3U);
  EXPECT_EQ(rule.heard[0].segment, SegmentIndex{1});  // the first is not given up
  EXPECT_EQ(rule.heard[0].elapsed, 115ms);            // a packet after the wait
  EXPECT_EQ(rule.heard[0].received, DataSize{1500});
  EXPECT_EQ(rule.heard[1].elapsed, 165ms);
  EXPECT_EQ(rule.heard[1].received, DataSize{6500});
  EXPECT_EQ(rule.heard[1].level, 1835ms);
  EXPECT_EQ(rule.heard[2].elapsed, 115ms);
  EXPECT_EQ(result.abandoned, 1U);
  EXPECT_EQ(result.segments[1].requested, TimePoint{2765ms});
  EXPECT_EQ(result.segments[1].complete, TimePoint{5365ms});
  EXPECT_EQ(result.rebuffer, 765ms);
  EXPECT_EQ(result.rebuffer_events, 1U);
}

TEST(SequentialWorld, StandstillThatGoesOnAfterASegmentWasGivenUpIsOneEvent) {
  Impatient rule{2100ms};
  const auto result = play_impatiently(rule, SequentialWorld::Abandonment::kAllowed);
  EXPECT_EQ(result.rebuffer_events, 1U);
  EXPECT_EQ(result.segments[1].rebuffer, 2715ms);  // 2.115 s and 2.6 s, of which 2 s were buffered
}

TEST(SequentialWorld, NothingIsGivenUpUnlessThatIsAllowed) {
  Impatient rule{0s};
  EXPECT_EQ(play_impatiently(rule, SequentialWorld::Abandonment::kNever).abandoned, 0U);
  EXPECT_TRUE(rule.heard.empty());
}

}  // namespace
}  // namespace tributary
