#include "player/links_panel/chart_model.hh"

#include <gtest/gtest.h>

namespace tributary::play {
namespace {

using namespace literals;
using std::chrono::seconds;

StatusSample sample(int at, std::vector<DataRate> rates, int buffered, int quality, bool stalled = false) {
  return {.at = TimePoint{seconds{at}},
          .buffered = seconds{buffered},
          .quality = static_cast<QualityIndex>(quality),
          .stalled = stalled,
          .rates = std::move(rates)};
}

StreamStatus status_of(std::vector<StatusSample> history, int now,
                       std::vector<const char*> links = {"wlan0", "wwan0"}) {
  StreamStatus status;
  status.now = TimePoint{seconds{now}};
  for (std::size_t i = 0; i < links.size(); ++i) {
    LinkStatus link;
    link.id = static_cast<LinkId>(i);
    link.name = links[i];
    status.links.push_back(link);
  }
  status.history = std::move(history);
  return status;
}

TEST(ChartModel, LinksAreStacked) {
  const ChartModel model = chart_model(status_of({sample(10, {3_Mbps, 2_Mbps}, 8, 1)}, 12));
  ASSERT_EQ(model.areas.size(), 2U);
  EXPECT_DOUBLE_EQ(model.areas[0].upper[0].x, -2);
  EXPECT_DOUBLE_EQ(model.areas[0].upper[0].y, 3);
  EXPECT_DOUBLE_EQ(model.areas[1].lower[0], 3);
  EXPECT_DOUBLE_EQ(model.areas[1].upper[0].y, 5);
  EXPECT_DOUBLE_EQ(model.most_megabits, 5);
  EXPECT_DOUBLE_EQ(model.most_buffer, 8);
}

TEST(ChartModel, ALinkThatCameLaterHadNothingBefore) {
  const ChartModel model = chart_model(status_of({sample(0, {3_Mbps}, 8, 1), sample(1, {3_Mbps, 4_Mbps}, 8, 1)}, 1));
  EXPECT_DOUBLE_EQ(model.areas[1].upper[0].y, 3);
  EXPECT_DOUBLE_EQ(model.areas[1].upper[1].y, 7);
}

TEST(ChartModel, EqualNeighboursAreOneSpan) {
  const ChartModel model = chart_model(status_of({sample(0, {}, 5, 1), sample(1, {}, 5, 1), sample(2, {}, 0, 0, true),
                                                  sample(4, {}, 0, 0, true), sample(5, {}, 1, 0)},
                                                 6));
  ASSERT_EQ(model.steps.size(), 2U);
  EXPECT_DOUBLE_EQ(model.steps[0].from, -6);
  EXPECT_DOUBLE_EQ(model.steps[0].to, -4);
  EXPECT_DOUBLE_EQ(model.steps[1].to, 0);
  ASSERT_EQ(model.stalls.size(), 1U);
  EXPECT_DOUBLE_EQ(model.stalls[0].from, -4);
  EXPECT_DOUBLE_EQ(model.stalls[0].to, -1);
}

TEST(ChartModel, TheAxisReachesBackAsFarAsThereIsSomething) {
  EXPECT_DOUBLE_EQ(chart_model(status_of({}, 0)).seconds, 60);
  EXPECT_DOUBLE_EQ(chart_model(status_of({sample(0, {}, 1, 0)}, 150)).seconds, 150);
  EXPECT_DOUBLE_EQ(chart_model(status_of({sample(0, {}, 1, 0)}, 900)).seconds, 300);
}

TEST(ChartModel, TellsTheNearestMoment) {
  const ChartModel model = chart_model(status_of({sample(0, {1_Mbps}, 3, 0), sample(10, {2_Mbps}, 4, 2)}, 10));
  ASSERT_NE(model.nearest(-1), nullptr);
  EXPECT_DOUBLE_EQ(model.nearest(-1)->megabits[0], 2);
  EXPECT_DOUBLE_EQ(model.nearest(-8)->buffered_s, 3);
  EXPECT_EQ(ChartModel{}.nearest(0), nullptr);
}

TEST(ChartModel, AxesEndAtRoundNumbers) {
  for (const auto& [value, round] : {std::pair{0.07, 0.08},
                                     {0.1, 0.1},
                                     {1.1, 1.5},
                                     {1.6, 2.0},
                                     {3.0, 3.0},
                                     {5.1, 6.0},
                                     {25.0, 25.0},
                                     {25.4, 30.0},
                                     {73.0, 80.0},
                                     {81.0, 100.0}}) {
    EXPECT_NEAR(round_number_above(value), round, 1e-9) << value;
  }
  EXPECT_EQ(time_ticks(60), (std::vector<double>{-60, -45, -30, -15, 0}));
  EXPECT_EQ(time_ticks(150), (std::vector<double>{-150, -120, -90, -60, -30, 0}));
  EXPECT_EQ(time_ticks(300), (std::vector<double>{-300, -240, -180, -120, -60, 0}));
}

}  // namespace
}  // namespace tributary::play
