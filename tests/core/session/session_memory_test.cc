// What a session makes of what its links could do in an earlier one.
#include <gtest/gtest.h>

#include "core/session.hh"
#include "support/session_driver.hh"
#include "support/tables.hh"

namespace tributary {
namespace {

using namespace literals;
using namespace std::chrono_literals;
using testing::constant_table;
using testing::SessionDriver;

SegmentTable four_qualities() { return constant_table(20, {60_kB, 125_kB, 250_kB, 1_MB}); }  // 240 kbit/s to 4 Mbit/s

SessionOptions starting(StartRule rule) {
  SessionOptions options;
  options.adaptation = traits_of(options.subsegments).adaptation;
  options.start = rule;
  options.startup_segments = 1;
  return options;
}

event::LinkUp remembered(std::uint32_t id, DataRate rate, Duration round_trip = 20ms) {
  return {LinkId{id}, "link" + std::to_string(id), LinkUse::kUse, rate, round_trip};
}

std::uint32_t quality_of(const SessionDriver& d, std::size_t segment) {
  return to_index(d.all<action::StartSegment>().at(segment).quality);
}

TEST(SessionMemory, TheFirstQualityIsTheHighestThatComesInAQuarterOfASegmentByHalfOfTheRate) {
  for (const auto& [rate, quality] : {std::pair{1_Mbps, 0U}, {4500_kbps, 1U}, {9_Mbps, 2U}, {40_Mbps, 3U}}) {
    SessionDriver d{four_qualities(), starting(StartRule::kFast)};
    d.happens(remembered(0, rate));
    EXPECT_EQ(quality_of(d, 0), quality) << rate.bits_per_second();
  }
}

TEST(SessionMemory, WithoutItTheFirstIsTheLowest) {
  SessionDriver d{four_qualities(), starting(StartRule::kFast)};
  d.link_up(0, "link0");
  EXPECT_EQ(quality_of(d, 0), 0U);
}

TEST(SessionMemory, AsMuchIsAskedForAsIsUnderWay) {
  SessionDriver without{four_qualities(), starting(StartRule::kFast)},
      with{four_qualities(), starting(StartRule::kFast)};
  without.link_up(0, "link0");
  with.happens(remembered(0, 9_Mbps, 80ms));
  EXPECT_EQ(without.unanswered().size(), 1U);
  EXPECT_GT(with.unanswered().size(), 1U);
  SessionDriver wrong{four_qualities(), starting(StartRule::kFast)};
  wrong.happens(remembered(0, 1000_Mbps, 10s));
  EXPECT_LE(wrong.session().outstanding().bytes_left(LinkId{0}), 350_kB) << "however far it seems to be";
}

TEST(SessionMemory, OnceMeasuredItIsForgotten) {
  SessionDriver d{four_qualities(), starting(StartRule::kFast)};
  d.happens(remembered(0, 40_Mbps));
  d.wait(40ms);
  const RequestId first = *d.unanswered().begin();
  d.happens(event::ResponseBegan{first});
  d.wait(400ms);
  d.happens(event::BytesReceived{first, 50_kB});  // 1 Mbit/s
  const Link& link = d.session().links().at(LinkId{0});
  const LinkNow now = link.now(LinkId{0}, d.session().outstanding(), d.now());
  EXPECT_EQ(now.remembered, std::nullopt);
  ASSERT_TRUE(now.rate);
  EXPECT_NEAR(now.rate->bits_per_second(), 1e6, 1e5);
}

TEST(SessionMemory, OnlyTheFirstQualityCountsOnIt) {
  SessionDriver d{four_qualities(), starting(StartRule::kFast)};
  d.happens(remembered(0, 100_Mbps));
  d.happens(remembered(1, 100_Mbps));
  for (std::size_t i = 1; i < d.all<action::StartSegment>().size(); ++i) EXPECT_EQ(quality_of(d, i), 0U) << i;
}

TEST(SessionMemory, TheStartOfTheThesisIsWhatItWas) {
  SessionDriver with{four_qualities(), starting(StartRule::kThesis)},
      without{four_qualities(), starting(StartRule::kThesis)};
  with.happens(remembered(0, 100_Mbps));
  without.link_up(0, "link0");
  EXPECT_EQ(quality_of(with, 0), 3U);
  EXPECT_EQ(with.unanswered(), without.unanswered());
}

TEST(SessionMemory, OfALinkThatCostsSomethingNothingIsCountedOn) {
  SessionDriver d{four_qualities(), starting(StartRule::kFast)};
  event::LinkCostTold cost;
  cost.kind = CostKind::kPaid;
  cost.price_per_mb = 1;
  d.happens(cost);
  d.happens(remembered(0, 100_Mbps));
  EXPECT_EQ(d.session().links().at(LinkId{0}).remembered, std::nullopt);
}

TEST(SessionMemory, ImpossibleValuesDoNoHarm) {
  for (const double rate : {0.0, -1.0, 1e-300, 1e300}) {
    SessionDriver d{four_qualities(), starting(StartRule::kFast)};
    d.happens(remembered(0, DataRate::bits_per_second(rate), -5s));
    EXPECT_FALSE(d.unanswered().empty()) << rate;
  }
}

}  // namespace
}  // namespace tributary
