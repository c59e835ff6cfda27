#include "core/links/lane_count.hh"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

namespace tributary {
namespace {

using namespace literals;
using namespace std::chrono_literals;

/// A link whose connections are there at once, and always asked for more.
struct Modelled {
  std::function<DataRate(std::uint32_t lanes)> rate;
  std::function<Duration(std::uint32_t lanes)> round_trip = [](std::uint32_t) { return 100ms; };
  std::uint32_t most = LaneCount::kMost;
  bool busy = true, watched = false, measures = true, all_rest = true;

  LaneCount count{};
  std::uint32_t lanes = 1, most_seen = 1;
  DataSize carried{};
  TimePoint now{};

  void goes_on(Duration length) {
    constexpr Duration kStep = 20ms;
    for (const TimePoint end = now + length; now < end; now += kStep) {
      carried += rate(lanes) * kStep;
      lanes = count
                  .decide({.now = now,
                           .lanes = lanes,
                           .most = most,
                           .all_answer = true,
                           .all_rest = all_rest,
                           .busy = busy,
                           .watched = watched,
                           .carried = carried,
                           .round_trip = round_trip(lanes),
                           .least = 100ms,
                           .measured = measures ? now : TimePoint{}})
                  .lanes;
      most_seen = std::max(most_seen, lanes);
    }
  }
};

TEST(LaneCount, IsOneOnALinkThatOneConnectionFills) {
  Modelled link{.rate = [](auto) { return 20_Mbps; }, .round_trip = [](auto) { return 150ms; }};
  link.goes_on(60s);
  EXPECT_EQ(link.most_seen, 1U);
}

TEST(LaneCount, IsAllWhereEachIsHeldDown) {
  Modelled link{.rate = [](auto lanes) { return lanes * 2_Mbps; }};
  link.goes_on(10s);
  EXPECT_EQ(link.lanes, LaneCount::kMost);
  link.goes_on(60s);
  EXPECT_EQ(link.lanes, LaneCount::kMost);
}

TEST(LaneCount, IsOneWhereNothingWasMeasuredAgain) {
  Modelled link{.rate = [](auto) { return 400_kbps; }, .watched = true, .measures = false};
  link.goes_on(60s);
  EXPECT_EQ(link.most_seen, 1U);
}

TEST(LaneCount, GrowsOnceTheRateDoesNot) {
  Modelled link{.rate = {}};
  link.rate = [&link](auto lanes) {
    const auto doublings = std::min<std::int64_t>(link.now.time_since_epoch() / 100ms, 12);
    return lanes * std::min(DataRate::bits_per_second(1e4 * static_cast<double>(1 << doublings)), 4_Mbps);
  };
  link.goes_on(900ms);
  EXPECT_EQ(link.lanes, 1U);
  link.goes_on(1s);
  EXPECT_EQ(link.lanes, LaneCount::kMost);
}

TEST(LaneCount, IsTwoAtMostWhereSomebodyElseFillsTheLink) {
  Modelled link{.rate = [](auto lanes) { return DataRate::bits_per_second(2e7 * lanes / (lanes + 1)); },
                .round_trip = [](auto) { return 120ms; }};
  link.goes_on(6s);
  EXPECT_LE(link.lanes, 2U);
  link.goes_on(20s);
  EXPECT_LE(link.lanes, 2U);
}

TEST(LaneCount, IsLessOnceTheLinkIsFull) {
  bool loses = true;
  Modelled link{.rate = [&](auto lanes) { return loses ? lanes * 2_Mbps : 20_Mbps; },
                .round_trip = [&](auto) -> Duration { return loses ? 100ms : 180ms; }};
  link.goes_on(10s);
  ASSERT_EQ(link.lanes, LaneCount::kMost);
  loses = false;
  link.goes_on(10s);
  EXPECT_EQ(link.lanes, 1U);
}

TEST(LaneCount, IsTwoUntilHalfOfThemBringHalf) {
  Modelled link{.rate = [](auto lanes) { return lanes * 2_Mbps; }, .round_trip = [](auto) { return 120ms; }};
  link.goes_on(2s);
  EXPECT_EQ(link.most_seen, 2U);
  link.goes_on(13s);
  EXPECT_EQ(link.most_seen, LaneCount::kMost);
}

TEST(LaneCount, WaitsUntilTheOthersRest) {
  Modelled link{.rate = [](auto lanes) { return lanes * 2_Mbps; }, .round_trip = [](auto) { return 120ms; }};
  link.all_rest = false;
  link.goes_on(20s);
  EXPECT_EQ(link.most_seen, 2U);
}

TEST(LaneCount, RestsNoLongerThanTheLinkIsFull) {
  bool full = true;
  Modelled link{.rate = [&](auto lanes) { return full ? 8_Mbps : lanes * 2_Mbps; },
                .round_trip = [&](auto) -> Duration { return full ? 122ms : 100ms; }};
  link.goes_on(4500ms);
  ASSERT_EQ(link.most_seen, 2U);
  ASSERT_EQ(link.lanes, 1U);
  full = false;
  link.goes_on(2s);
  EXPECT_EQ(link.lanes, LaneCount::kMost);
}

TEST(LaneCount, IsOneInASessionThatPlaysUntilTheQueueWasEmptyForLong) {
  Modelled link{.rate = [](auto lanes) { return lanes * 2_Mbps; }, .watched = true};
  link.goes_on(1900ms);
  EXPECT_EQ(link.lanes, 1U);
  link.goes_on(2s);
  EXPECT_EQ(link.lanes, LaneCount::kMost);
}

TEST(LaneCount, IsMoreOnceEachBringsAsMuchAsTheOneBesideThem) {
  for (const DataRate ours : {2_Mbps, 1_Mbps}) {
    Modelled link{.rate = [=](auto lanes) { return lanes * ours; },
                  .round_trip = [=](auto) -> Duration { return ours == 2_Mbps ? 100ms : 150ms; }};
    link.lanes =
        link.count.begin_beside({.now = link.now, .carried = {}, .least = 100ms, .measured = {}}, 2_Mbps).lanes;
    EXPECT_EQ(link.lanes, 2U);
    link.goes_on(3s);
    if (ours == 2_Mbps)
      EXPECT_EQ(link.lanes, LaneCount::kMost);
    else
      EXPECT_LE(link.most_seen, 2U);
  }
}

TEST(LaneCount, IsMoreBesideOneOfUnknownRateWhereHalfBringsHalf) {
  for (const bool shares : {false, true}) {
    Modelled link{.rate = [=](auto lanes) { return shares ? 8_Mbps : lanes * 2_Mbps; },
                  .round_trip = [](auto) { return 115ms; }};
    link.lanes =
        link.count.begin_beside({.now = link.now, .carried = {}, .least = 100ms, .measured = {}}, DataRate{}).lanes;
    EXPECT_EQ(link.lanes, 2U);
    link.goes_on(4s);
    if (shares)
      EXPECT_EQ(link.lanes, 1U);
    else
      EXPECT_EQ(link.lanes, 4U);
  }
}

TEST(LaneCount, IsOneWhereNotMoreIsWanted) {
  Modelled link{.rate = [](auto lanes) { return lanes * 2_Mbps; }, .busy = false};
  link.goes_on(60s);
  EXPECT_EQ(link.most_seen, 1U);
}

TEST(LaneCount, IsAtMostWhatIsAllowed) {
  Modelled link{.rate = [](auto lanes) { return lanes * 2_Mbps; }, .most = 3};
  link.goes_on(10s);
  EXPECT_EQ(link.most_seen, 3U);
}

TEST(LaneCount, RestsAfterAFailure) {
  Modelled link{.rate = [](auto lanes) { return lanes * 2_Mbps; }};
  link.count.failed(link.now);
  link.goes_on(50s);
  EXPECT_EQ(link.lanes, 1U);
  link.goes_on(20s);
  EXPECT_EQ(link.lanes, LaneCount::kMost);
}

}  // namespace
}  // namespace tributary
