#include "worlds/costed_world.hh"

#include <gtest/gtest.h>

#include <sstream>

#include "core/run.hh"
#include "report/summary.hh"
#include "support/tables.hh"
#include "trace/replay.hh"
#include "trace/session_trace.hh"
#include "worlds/simulated_world.hh"

namespace tributary {
namespace {

using namespace literals;

/// A session over modelled links, one of which costs something.
struct CostedRun {
  CostedRun(DataSize segment, const std::string& scenario, const TermsOfLinks& terms, SessionOptions options = {}) {
    options.adaptation = "fixed:low";
    Session session{testing::constant_table(40, {segment}), options};
    SimulatedWorld modelled{session.table(), parse_scenario(scenario), 1, 0};
    CostedWorld world{modelled, session.outstanding(), {.terms = terms_from(terms)}};
    SessionRecord record{session.table()};
    std::ostringstream text;
    TraceWriter writer{text, session};
    SessionObserver* const observers[] = {&record, &writer};
    run(session, world, observers);
    summary = summarise(record, options);
    trace = text.str();
    const LinkRecord& free = record.links().at(LinkId{0});
    const Duration busy = free.busy_since ? free.busy + (record.now() - *free.busy_since) : free.busy;
    free_busy = to_seconds(busy) / to_seconds(record.now().time_since_epoch());
  }
  Summary summary;
  std::string trace;
  double free_busy = 0;
};

const TermsOfLinks kPaid{{"lte", parse_terms("paid:0.01/MB")}};

TEST(CostedWorld, TheMinimumIsPaidForAndNobodyWaits) {
  const CostedRun run{1250_kB, "wifi 3Mbps 20ms; lte 10Mbps 40ms", kPaid};  // 5 Mbit/s
  const Bill& bill = *run.summary.bill;
  EXPECT_EQ(run.summary.misses, 0U);
  EXPECT_LT(bill.spared_bytes / bill.least_spared_bytes, 1.05);
  EXPECT_GT(run.free_busy, 0.97);
  EXPECT_LT(bill.spared_bytes, *bill.spared_bytes_if_equal);
  EXPECT_NEAR(bill.money, 0.01 * static_cast<double>(bill.spared_bytes.bytes()) / 1e6, 1e-9);
}

TEST(CostedWorld, NothingIsPaidForWhatTheFreeLinkBrings) {
  const CostedRun run{625_kB, "wifi 3Mbps 20ms; lte 10Mbps 40ms", kPaid};
  EXPECT_EQ(run.summary.bill->spared_bytes, DataSize{});
  EXPECT_EQ(run.summary.misses, 0U);
}

TEST(CostedWorld, AFreeLinkThatFallsSilentIsMadeUpFor) {
  const CostedRun run{1000_kB, "wifi 5Mbps 20ms, at 40s 1kbps, at 70s 5Mbps; lte 10Mbps 40ms", kPaid};
  EXPECT_EQ(run.summary.misses, 0U);
  EXPECT_GT(run.summary.bill->spared_bytes, 6000_kB);  // 4 Mbit/s for 30 s, less a buffer of 12 s
  EXPECT_LT(run.summary.bill->spared_bytes, 14000_kB);
}

TEST(CostedWorld, ACapHolds) {
  const CostedRun run{1250_kB, "wifi 3Mbps 20ms; lte 10Mbps 40ms", {{"lte", parse_terms("metered:5MB")}}};
  EXPECT_LE(run.summary.bill->spared_bytes, 5000_kB);
  EXPECT_GT(run.summary.bill->spared_bytes, 4900_kB);
}

TEST(CostedWorld, ATraceKnowsWhatLinksCost) {
  const CostedRun costed{1250_kB, "wifi 3Mbps 20ms; lte 10Mbps 40ms", kPaid};
  EXPECT_NE(costed.trace.find("event link-cost link=1 kind=paid price_per_mb=0.01 allowed=-"), std::string::npos);
  std::istringstream in{costed.trace};
  const SessionTrace trace = SessionTrace::read(in);
  Session again = recorded_session(trace);
  EXPECT_EQ(replay(trace, again, {}), std::nullopt);
}

TEST(CostedWorld, WithoutCostsNothingIsOtherwise) {
  const CostedRun costed{1250_kB, "wifi 3Mbps 20ms; lte 10Mbps 40ms", {}};
  EXPECT_EQ(costed.trace.find("link-cost"), std::string::npos);
  EXPECT_EQ(costed.trace.find("spend_for"), std::string::npos);
  EXPECT_FALSE(costed.summary.bill);
}

}  // namespace
}  // namespace tributary
