#include "report/bill.hh"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>

#include "core/run.hh"
#include "report/summary.hh"
#include "support/sweep.hh"
#include "support/tables.hh"
#include "worlds/costed_world.hh"
#include "worlds/simulated_world.hh"

namespace tributary {
namespace {

using namespace literals;

struct BilledRun {
  Duration waited{};  // for the start, and in stalls
  std::optional<Bill> bill;
};

BilledRun billed_run(DataSize segment, const std::string& scenario, const TermsOfLinks& terms, std::uint64_t seed) {
  constexpr int kSegments = 20;
  SessionOptions options;
  options.adaptation = "fixed:low";
  options.buffer_segments = 3;
  options.give_up_after = std::chrono::hours{1};
  Session session{testing::constant_table(kSegments, {segment}), options};
  SimulatedWorld modelled{session.table(), parse_scenario(scenario), seed, 0};
  CostedWorld world{modelled, session.outstanding(), {.terms = terms_from(terms)}};
  SessionRecord record{session.table()};
  SessionObserver* const observers[] = {&record};
  run(session, world, observers);
  const Summary summary = summarise(record, options);
  EXPECT_EQ(summary.played, kSegments);
  const SegmentIndex last{kSegments - 1};
  return {record.segments().at(last).played->time_since_epoch() - session.table().starts_at(last), summary.bill};
}

/// The truth is known here: the same is played again without the link that costs something.
TEST(Bill, WhatIsSaidToBeAvertedIsWhatWouldHaveBeenWaitedFor) {
  const int runs = testing::of_sweep(20, 110);
  std::mt19937 random{7};
  const auto between = [&](double from, double to) {
    return from + (to - from) * static_cast<double>(random()) / static_cast<double>(std::mt19937::max());
  };
  int paid_for = 0, close = 0;
  for (int i = 0; i < runs; ++i) {
    const double free = between(0.3, 1.2), content = free * between(0.8, 2.2);
    std::string later;
    if (i % 3 == 0) {
      const double rate = free * between(0.5, 1.5), from = between(5, 30);
      later = fmt::format(", at {:.1f}s {:.3f}Mbps", from, rate);
    }
    const double loss = i % 2 == 0 ? 0 : between(0, 0.5), rtt = between(10, 80);
    const std::string wifi =
        fmt::format("wifi {:.3f}Mbps {:.0f}ms, jitter 3ms, loss {:.2f}%{}", free, rtt, loss, later);
    const DataSize segment{static_cast<std::int64_t>(content * 1e6 / 8 * 2)};
    const auto seed = static_cast<std::uint64_t>(i);
    const BilledRun with =
        billed_run(segment, wifi + "; lte 10Mbps 40ms", {{"lte", parse_terms("paid:0.01/MB")}}, seed);
    if (!with.bill->waiting_averted) continue;
    const BilledRun without = billed_run(segment, wifi, {}, seed);
    const WaitingAverted& said = *with.bill->waiting_averted;
    const Duration truth = without.waited - with.waited;
    ++paid_for;
    const std::string what = fmt::format(
        "{}, {:.3f} Mbit/s of media, seed {}: {:.2f} s, said to be {:.2f} ({:.2f} to {:.2f})", wifi, content, i,
        to_seconds(truth), to_seconds(said.estimate), to_seconds(said.least), to_seconds(said.most));
    EXPECT_LE(said.least, truth) << what;
    EXPECT_GE(said.most, truth) << what;
    if (std::abs(to_seconds(truth - said.estimate)) < 1 + 0.05 * to_seconds(truth)) ++close;
  }
  EXPECT_GT(paid_for, runs * 7 / 10);
  EXPECT_GT(close, paid_for * 3 / 4);
}

TEST(Bill, IsComparedOnlyWhereItMattersWhoCarriesWhat) {
  const auto paid = parse_terms("paid:0.01/MB"), dear = parse_terms("paid:0.02/MB");
  const auto bill = [](const std::string& links, const TermsOfLinks& terms) {
    return *billed_run(100_kB, links, terms, 1).bill;
  };
  const std::string one = "lte 4Mbps 40ms", two = "lte 1Mbps 40ms; usb 1Mbps 40ms";
  for (const Bill& same : {bill(one, {{"lte", paid}}), bill(two, {{"lte", paid}, {"usb", paid}})}) {
    EXPECT_FALSE(same.money_if_equal || same.spared_bytes_if_equal);
    EXPECT_EQ(bill_text(same).find("alike"), std::string::npos) << bill_text(same);
  }
  const std::string slow = "lte 0.3Mbps 40ms; usb 1Mbps 40ms";
  for (const Bill& other : {bill(slow, {{"usb", paid}}), bill(slow, {{"lte", paid}, {"usb", dear}})}) {
    EXPECT_TRUE(other.money_if_equal && other.spared_bytes_if_equal);
    EXPECT_NE(bill_text(other).find("alike"), std::string::npos) << bill_text(other);
  }
}

/// A session takes bytes of a cap as it needs them: not what it took, but the cap tells what was left.
TEST(Bill, TellsWhatWasLeftOfACap) {
  Bill bill;
  Bill::Entry& lte = bill.entries.emplace_back();
  lte.link = "lte";
  lte.cost = {.kind = CostKind::kMetered, .allowed = 2_MB, .cap = 10_MB, .used_before = 7_MB};
  lte.bytes = 500_kB;
  EXPECT_NE(bill_text(bill).find("for 500 kB of 3.00 MB that were left of its cap"), std::string::npos)
      << bill_text(bill);
  lte.cost.used_before = 11_MB;
  EXPECT_NE(bill_text(bill).find("of 0 B that were left"), std::string::npos) << bill_text(bill);
}

}  // namespace
}  // namespace tributary
