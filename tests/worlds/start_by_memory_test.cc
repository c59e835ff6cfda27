#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <sstream>

#include "core/run.hh"
#include "memory/link_measurements.hh"
#include "report/session_record.hh"
#include "support/sweep.hh"
#include "support/tables.hh"
#include "support/told_memory.hh"
#include "trace/replay.hh"
#include "trace/session_trace.hh"
#include "units/split_mix.hh"
#include "worlds/costed_world.hh"
#include "worlds/simulated_world.hh"

namespace tributary {
namespace {

using namespace literals;
using testing::ToldMemory;

constexpr int kSeeds = 5;

/// Links of 1 to 20 Mbit/s and 10 to 100 ms, and a title of six qualities from 250 kbit/s on, each twice the one before.
struct Start {
  explicit Start(int seed, int links) : random{static_cast<std::uint64_t>(seed)}, table{ladder()} {
    for (int i = 0; i < links; ++i) {
      const double mbit = std::exp(random.uniform() * std::log(20.0)), rtt = 10 + 90 * random.uniform();
      scenario += fmt::format("{}l{} {:.3f}Mbps {:.0f}ms", i == 0 ? "" : "; ", i, mbit, rtt);
      right.known[fmt::format("network of l{}", i)] = {DataRate::bits_per_second(mbit * 1e6), from_seconds(rtt / 1e3)};
    }
  }

  SegmentTable ladder() {
    std::vector<testing::QualityRow> rows;
    for (const int kbit : {250, 500, 1000, 2000, 4000, 8000}) {
      testing::QualityRow& row = rows.emplace_back(testing::QualityRow{fmt::format("{}k", kbit), {}});
      for (int i = 0; i < 12; ++i)
        row.sizes.push_back(DataSize{static_cast<std::int64_t>(kbit * 250 * (0.8 + 0.4 * random.uniform()))});
    }
    return SegmentTable{testing::presentation_of(rows)};
  }

  ToldMemory times(double rate, double round_trip) const {
    ToldMemory wrong = right;
    for (auto& [network, link] : wrong.known)
      link = {rate * link.rate, from_seconds(round_trip * to_seconds(link.round_trip))};
    return wrong;
  }

  SplitMix random;
  SegmentTable table;
  std::string scenario{};
  ToldMemory right{};
};

SessionOptions fast() {
  SessionOptions options;
  options.adaptation = traits_of(options.subsegments).adaptation;
  options.start = StartRule::kFast;
  options.startup_segments = 1;
  return options;
}

struct Outcome {
  double first = 0;    // s until the first segment is there
  double quality = 0;  // of it
  double level = 0;    // of the first ten, on average
  int misses = 0;      // of them
  double money = 0;
  std::string trace;
};

/// Modelled links of which something is remembered.
struct MeasuredWorld : World {
  MeasuredWorld(SimulatedWorld& w, LinkMeasurements& m) : world{w}, measurements{m} {}
  TimedEvent next_event(std::optional<TimePoint> deadline) override {
    TimedEvent next = world.next_event(deadline);
    measurements.note(next.event, next.at);
    return next;
  }
  void perform(const Action& action, TimePoint now) override { world.perform(action, now); }

  SimulatedWorld& world;
  LinkMeasurements& measurements;
};

Outcome run_with(const Start& start, ToldMemory& memory, const SessionOptions& options = fast(),
                 const TermsOfLinks& terms = {}) {
  Session session{start.table, options};
  SessionRecord record{session.table()};
  SimulatedWorld modelled{session.table(), parse_scenario(start.scenario), 1, 0};
  LinkMeasurements measurements{session.outstanding(), memory};
  MeasuredWorld measured{modelled, measurements};
  CostedWorld world{measured, session.outstanding(), {.terms = terms_from(terms)}};
  std::ostringstream text;
  TraceWriter writer{text, session};
  SessionObserver* const observers[] = {&record, &writer};
  run(session, world, observers);
  Outcome outcome;
  for (int i = 0; i < 10; ++i) {
    const SegmentRecord& segment = record.segments().at(static_cast<SegmentIndex>(i));
    outcome.level += to_index(segment.quality) / 10.0;
    outcome.misses += segment.miss > Duration::zero() ? 1 : 0;
  }
  const SegmentRecord& first = record.segments().begin()->second;
  outcome.first = to_seconds(first.complete->time_since_epoch());
  outcome.quality = to_index(first.quality);
  for (const auto& [id, link] : record.links())
    outcome.money += link.cost.price_per_mb * static_cast<double>(link.received.bytes()) / 1e6;
  outcome.trace = text.str();
  return outcome;
}

double median(std::vector<double> values) {
  std::ranges::sort(values);
  return values[values.size() / 2];
}

TEST(StartByMemory, BeginsBetterAndAsSoonAndNothingIsLate) {
  for (const int links : {1, 2}) {
    std::vector<double> slower;
    double quality = 0, more = 0;
    for (int seed = 1; seed <= kSeeds; ++seed) {
      const Start start{seed, links};
      ToldMemory nothing, right = start.right;
      const Outcome without = run_with(start, nothing), with = run_with(start, right);
      slower.push_back(with.first / without.first);
      quality += with.quality - without.quality;
      more += with.level - without.level;
      EXPECT_LE(with.first, std::max(without.first * 1.05, 0.75))
          << start.scenario;  // a quarter of a segment, and connecting
      EXPECT_GE(with.quality, without.quality) << start.scenario;
      EXPECT_EQ(with.misses, 0) << start.scenario;
    }
    EXPECT_LT(median(slower), 1.6);
    EXPECT_GT(quality / kSeeds, 0.5);
    EXPECT_GT(more / kSeeds, 0.2);
  }
}

TEST(StartByMemory, WhatIsWrongTenTimesCostsAMomentAndNoSegment) {
  for (const int links : {1, 2}) {
    for (int seed = 1; seed <= testing::of_sweep(2, kSeeds); ++seed) {
      const Start start{seed, links};
      ToldMemory nothing, low = start.times(0.1, 0.1), high = start.times(10, 1), far_and_high = start.times(10, 10);
      const double without = run_with(start, nothing).first;
      const Outcome with_low = run_with(start, low);
      EXPECT_LT(with_low.first, 1.1 * without + 0.05) << start.scenario;
      EXPECT_EQ(with_low.misses, 0) << start.scenario;
      for (ToldMemory* wrong : {&high, &far_and_high}) {
        const Outcome with = run_with(start, *wrong);
        EXPECT_LT(with.first, without + 2.6) << start.scenario;  // five times a quarter of a segment
        EXPECT_EQ(with.misses, 0) << start.scenario;
      }
    }
  }
}

TEST(StartByMemory, TheStartOfTheThesisCountsOnNothing) {
  const Start start{1, 2};
  SessionOptions options = fast();
  options.start = StartRule::kThesis;
  ToldMemory nothing, right = start.right;
  const auto decisions = [&](ToldMemory& memory) {
    std::istringstream lines{run_with(start, memory, options).trace};
    std::string all;
    for (std::string line; std::getline(lines, line);)
      if (line.find(" action ") != std::string::npos) all += line + '\n';
    return all;
  };
  EXPECT_EQ(decisions(right), decisions(nothing));
}

TEST(StartByMemory, NothingIsPaidForWhatWasRememberedWrong) {
  for (int seed = 1; seed <= 3; ++seed) {
    const Start start{seed, 2};
    const TermsOfLinks paid{{"l1", parse_terms("paid:1/MB")}};
    ToldMemory nothing, low = start.times(0.1, 10);
    const double without = run_with(start, nothing, fast(), paid).money;
    EXPECT_LE(run_with(start, low, fast(), paid).money, 1.05 * without + 0.02) << start.scenario;
  }
}

TEST(StartByMemory, IsInTheTraceAndReplayed) {
  const Start start{1, 2};
  ToldMemory right = start.right;
  const std::string text = run_with(start, right).trace;
  EXPECT_NE(text.find("remembered_rate="), std::string::npos);
  std::istringstream in{text};
  const SessionTrace trace = SessionTrace::read(in);
  Session again = recorded_session(trace);
  EXPECT_EQ(replay(trace, again), std::nullopt);
}

TEST(LinkMeasurements, RemembersWhatLinksCarriedAndHowFarTheyReach) {
  Start start{1, 2};
  start.scenario = "l0 8Mbps 40ms; l1 2Mbps 80ms; l2 5Mbps 20ms, joins 500s";
  ToldMemory memory;
  run_with(start, memory);
  EXPECT_EQ(memory.measured.size(), 2U) << "nothing is known of a link that carried nothing";
  const RememberedLink first = memory.measured.at("network of l0"), second = memory.measured.at("network of l1");
  EXPECT_NEAR(first.rate.bits_per_second(), 8e6, 1.5e6);
  EXPECT_NEAR(second.rate.bits_per_second(), 2e6, 0.4e6);
  EXPECT_NEAR(to_seconds(first.round_trip), 0.04, 0.02);
  EXPECT_NEAR(to_seconds(second.round_trip), 0.08, 0.03);
}

TEST(LinkMeasurements, RemembersALinkThatGoesDownUnderTheNetworkThatItLedTo) {
  struct Moving : ToldMemory {
    int moves = 0;
    std::string network_of(const std::string& /*link*/) override { return fmt::format("network {}", ++moves); }
  } memory;
  Start start{1, 1};
  start.scenario = "l0 4Mbps 40ms, down 6s..7s";
  run_with(start, memory);
  ASSERT_EQ(memory.measured.size(), 2U);
  EXPECT_NEAR(memory.measured.at("network 1").rate.bits_per_second(), 4e6, 0.8e6);
  EXPECT_NEAR(memory.measured.at("network 2").rate.bits_per_second(), 4e6, 0.8e6);
}

}  // namespace
}  // namespace tributary
