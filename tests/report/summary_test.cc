#include "report/summary.hh"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "support/tables.hh"

namespace tributary {
namespace {

using namespace literals;
using namespace std::chrono_literals;

TimePoint at(Duration since_start) { return TimePoint{since_start}; }

/// Three segments: super on time, low half a second late, super on time. Two links, of which lte carries one request.
class SummaryTest : public ::testing::Test {
 protected:
  void SetUp() override {
    event(0s, event::LinkUp{LinkId{0}, "wifi"});
    event(0s, event::LinkUp{LinkId{1}, "lte"});
    fetch(0, 1, LinkId{0}, 750_kB, 0s, 2s);
    action(2s, action::PlaySegment{SegmentIndex{0}, at(2s), std::nullopt, 0s});
    fetch(1, 0, LinkId{1}, 250_kB, 2s, 4500ms);
    action(4500ms, action::PlaySegment{SegmentIndex{1}, at(4500ms), at(4s), 500ms});
    fetch(2, 1, LinkId{0}, 750_kB, 4500ms, 6s);
    action(6s, action::PlaySegment{SegmentIndex{2}, at(6500ms), at(6500ms), 0s});
    action(6s, action::Finish{true, "done"});
  }

  void fetch(int i, int quality, LinkId link, DataSize size, Duration begin, Duration end) {
    const auto segment = static_cast<SegmentIndex>(i);
    const auto id = static_cast<RequestId>(i + 1);
    action(begin, action::StartSegment{segment, static_cast<QualityIndex>(quality), size, 0, {}, 0, ""});
    action(begin, action::SendRequest{id, link, segment, 0, {0_B, size}, {}, ""});
    event(end, event::ResponseBegan{id});
    event(end, event::BytesReceived{id, size});
    event(end, event::RequestDone{id});
    action(end, action::DeliverSegment{segment});
  }
  void event(Duration when, const Event& e) { record.on_event(e, at(when)); }
  void action(Duration when, const Action& a) { record.on_action(a, at(when)); }

  SegmentTable table = testing::constant_table(3, {250_kB, 750_kB});  // 1 and 3 Mbit/s
  SessionRecord record{table};
};

TEST_F(SummaryTest, CountsQualitiesAndMisses) {
  const Summary s = summarise(record, {});
  EXPECT_EQ(s.played, 3U);
  EXPECT_DOUBLE_EQ(s.shares[0], 1.0 / 3);
  EXPECT_DOUBLE_EQ(s.shares[1], 2.0 / 3);
  EXPECT_DOUBLE_EQ(s.mean_level, 2.0 / 3);
  EXPECT_NEAR(s.mean_bitrate_kbit_s, 7000.0 / 3, 1e-6);
  EXPECT_EQ(s.misses, 1U);
  EXPECT_EQ(s.miss_total, 500ms);
  EXPECT_EQ(s.switches, 2U);
  EXPECT_DOUBLE_EQ(s.mean_step_kbit_s, 2000);
  EXPECT_DOUBLE_EQ(s.rebuffer_ratio, 0.5 / 6.5);
  EXPECT_EQ(s.startup, 2s);
}

TEST_F(SummaryTest, QualityOfExperienceIsQualityLessStallsLessSwitches) {
  // 3 + 1 + 3 Mbit/s; half a second at 3 a second; two steps of 2.
  EXPECT_NEAR(summarise(record, {}).qoe_lin, 7 - 1.5 - 4, 1e-9);
  // ln 3 twice, less 2.66 a second of stall, less two steps of ln 3.
  EXPECT_NEAR(summarise(record, {}).qoe_log, -1.33, 1e-9);
  SessionOptions options;
  options.experience = "bitrate:0:2";
  EXPECT_NEAR(summarise(record, options).qoe, 7 - 3, 1e-9);
  options.experience = "bitrate:0:2:1";  // the start took 2 s
  EXPECT_NEAR(summarise(record, options).qoe, 7 - 3 - 6, 1e-9);
  EXPECT_NEAR(summarise(record, options).qoe_lin, 7 - 1.5 - 4, 1e-9);
}

TEST_F(SummaryTest, ThroughputIsFromTheFirstRequestToTheLastByte) {
  EXPECT_NEAR(summarise(record, {}).throughput_kbit_s, 1750e3 * 8 / 6 / 1e3, 1e-6);
}

TEST_F(SummaryTest, ThroughputCountsBytesOfASegmentThatNeverGotComplete) {
  action(6s, action::StartSegment{SegmentIndex{3}, QualityIndex{0}, 500_kB, 0, {}, 0, ""});
  action(6s, action::SendRequest{RequestId{4}, LinkId{0}, SegmentIndex{3}, 0, {0_B, 500_kB}, {}, ""});
  event(8s, event::BytesReceived{RequestId{4}, 250_kB});
  EXPECT_NEAR(summarise(record, {}).throughput_kbit_s, 2000e3 * 8 / 8 / 1e3, 1e-6);
}

TEST_F(SummaryTest, JsonHasEveryLinkWithItsShare) {
  RunLabels labels;
  labels.capacity_bits = 28e6;
  const auto json = summary_json(summarise(record, {}), record, {}, labels);
  EXPECT_EQ(json["links"][1]["name"], "lte");
  EXPECT_EQ(json["links"][1]["bytes"], 250000);
  EXPECT_NEAR(json["links"][1]["share"], 1.0 / 7, 1e-12);
  EXPECT_EQ(json["links"][1]["requests"], 1);
  EXPECT_NEAR(json["links"][1]["goodput_kbit_s"], 800, 1e-9);  // 250 kB in the 2.5 s that it was busy
  EXPECT_EQ(json["lag_max_s"], nullptr);
  EXPECT_NEAR(json["utilisation"], 0.5, 1e-12);
  EXPECT_EQ(json["complete"], true);
}

TEST_F(SummaryTest, EfficiencyIsTheShareOfWhatWasPossible) {
  RunLabels labels;
  labels.possible = Possible{.mean_level = 0.8, .misses = 1};
  const auto json = summary_json(summarise(record, {}), record, {}, labels);
  EXPECT_EQ(json["oracle_mean_level"], 0.8);
  EXPECT_EQ(json["oracle_misses"], 1);
  EXPECT_NEAR(json["efficiency"], 2.0 / 3 / 0.8, 1e-12);
}

TEST_F(SummaryTest, WhereNothingIsKnownOfWhatWasPossibleItIsNull) {
  RunLabels labels;
  const auto real = summary_json(summarise(record, {}), record, {}, labels);
  EXPECT_EQ(real["oracle_mean_level"], nullptr);
  EXPECT_EQ(real["oracle_misses"], nullptr);
  EXPECT_EQ(real["efficiency"], nullptr);
  labels.possible = Possible{};  // not even the second quality
  EXPECT_EQ(summary_json(summarise(record, {}), record, {}, labels)["efficiency"], nullptr);
}

TEST_F(SummaryTest, LagOfALiveStreamIsFromPublicationToPlayout) {
  for (int i = 0; i < 3; ++i) event(6s, event::SegmentPublished{static_cast<SegmentIndex>(i)});
  // All published at 6 s, for the sake of the sum: lags of -4, -1.5 and 0.5 s.
  SessionOptions live;
  live.mode = StreamingMode::kLiveBuffered;
  live.buffer_segments = 1;
  const Summary s = summarise(record, live);
  EXPECT_EQ(s.lag_max, 500ms);
  EXPECT_EQ(s.lag_end, 500ms);
  EXPECT_EQ(s.additional_delay_max, 4500ms);
}

TEST_F(SummaryTest, ASegmentThatPlayedUnpublishedHasNoLag) {
  SessionOptions live;
  live.mode = StreamingMode::kLiveBuffered;
  EXPECT_EQ(summarise(record, live).lag_max, std::nullopt);
  event(6s, event::SegmentPublished{SegmentIndex{0}});
  EXPECT_EQ(summarise(record, live).lag_max, -4s);
}

TEST(Summary, OfASessionInWhichNothingCameIsAllZero) {
  const SegmentTable table = testing::constant_table(1, {1_kB});
  SessionRecord record{table};
  const Summary s = summarise(record, {});
  EXPECT_EQ(s.played, 0U);
  EXPECT_FALSE(s.startup);
  EXPECT_EQ(s.throughput_kbit_s, 0);
  EXPECT_EQ(summary_json(s, record, {}, {})["startup_s"], nullptr);
}

}  // namespace
}  // namespace tributary
