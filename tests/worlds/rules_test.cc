#include "core/rules.hh"

#include <gtest/gtest.h>

#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <initializer_list>
#include <ostream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "support/simulated_run.hh"
#include "support/tables.hh"
#include "trace/session_trace.hh"
#include "trace/trace_text.hh"

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

/// Links slow down and fall silent, again and again, the first time after so many seconds.
SimulatedRun run_on_poor_links(const std::string& without, std::uint32_t buffer, int first = 15) {
  SessionOptions options;
  options.buffer_segments = buffer;
  options.adaptation = "planned";
  options.without = without;
  const auto rates = [first](std::string link, std::initializer_list<std::pair<int, const char*>> changes) {
    for (const auto& [after, rate] : changes) link += fmt::format(", at {}s {}", first + after, rate);
    return link;
  };
  const std::string a = rates(
      "a 2Mbps 20ms", {{0, "0.3Mbps"}, {15, "2Mbps"}, {30, "1kbps"}, {45, "2Mbps"}, {60, "0.4Mbps"}, {75, "2Mbps"}});
  const std::string b = rates("b 1Mbps 60ms", {{5, "0.3Mbps"}, {35, "1.2Mbps"}, {65, "0.2Mbps"}, {80, "1Mbps"}});
  return SimulatedRun{movie(), options, a + "; " + b};
}

/// With a buffer of six segments.
struct OnPoorLinks {
  Duration standstill{};
  double experience = 0;
};

/// The links do the same at other moments of the film, so that no one segment decides.
OnPoorLinks runs_without(const std::string& rules) {
  OnPoorLinks sum;
  for (const int first : {13, 15, 17, 19, 21}) {
    const SimulatedRun run = run_on_poor_links(rules, 6, first);
    EXPECT_TRUE(run.record.complete());
    sum.standstill += run.summary.miss_total;
    sum.experience += run.summary.qoe;
  }
  return sum;
}

/// With all rules.
const OnPoorLinks& with_all() {
  static const OnPoorLinks kAll = runs_without("");
  return kAll;
}

class RuleAgainstMisses : public ::testing::TestWithParam<const char*> {};

TEST_P(RuleAgainstMisses, KeepsPlayoutGoingWhereLinksChange) {
  EXPECT_LT(with_all().standstill, runs_without(GetParam()).standstill);
}

INSTANTIATE_TEST_SUITE_P(Rules, RuleAgainstMisses, ::testing::Values("spread", "lowering"));

class RuleForExperience : public ::testing::TestWithParam<const char*> {};

TEST_P(RuleForExperience, IsWorthItsWhileWhereLinksChange) {
  EXPECT_GT(with_all().experience, runs_without(GetParam()).experience);
}

INSTANTIATE_TEST_SUITE_P(Rules, RuleForExperience,
                         ::testing::Values("sizing", "several-segments", "look-ahead", "switch-bound"));

struct RepairRule {
  const char* name;
  const char* why;  // from the reason of its requests (core/scheduling/repairs.cc)
};
void PrintTo(const RepairRule& rule, std::ostream* out) { *out << rule.name; }

/// A request for bytes that another link owes, and when it was sent.
struct SecondTry {
  TimePoint at;
  action::SendRequest request;
};

/// Those for this reason.
std::vector<SecondTry> second_tries(const SimulatedRun& run, const char* why) {
  std::istringstream text{run.trace};
  std::vector<SecondTry> found;
  for (const SessionTrace::Line& line : SessionTrace::read(text).lines) {
    const auto* const action = std::get_if<Action>(&line.what);
    const auto* const request = action == nullptr ? nullptr : std::get_if<action::SendRequest>(action);
    if (request == nullptr || !request->takes_over || request->reason.find(why) == std::string::npos) continue;
    found.push_back({line.at, *request});
  }
  return found;
}

/// Where links fall silent. Tests of their own have the numbers (rescue_test.cc, take_over_test.cc).
class RuleOfRepairs : public ::testing::TestWithParam<RepairRule> {};

TEST_P(RuleOfRepairs, AsksAnotherLinkForWhatALinkOwes) {
  const SimulatedRun with = run_on_poor_links("", 2), without = run_on_poor_links(GetParam().name, 2);
  EXPECT_TRUE(with.record.complete());
  EXPECT_TRUE(without.record.complete());
  const auto tries = second_tries(with, GetParam().why);
  EXPECT_FALSE(tries.empty());
  EXPECT_TRUE(second_tries(without, GetParam().why).empty()) << "the only rule that asks for this reason";
  for (const auto& [at, request] : tries) {
    const RequestRecord& owing = *with.record.find_request(*request.takes_over);
    SCOPED_TRACE(to_text(at) + ": " + request.reason);
    EXPECT_NE(request.link, owing.link);
    EXPECT_EQ(request.segment, owing.segment);
    EXPECT_GE(request.range.begin, owing.range.begin);
    EXPECT_LE(request.range.end, owing.range.end);
    EXPECT_LT(owing.sent, at);
    EXPECT_TRUE(!owing.ended || *owing.ended >= at);
  }
}

INSTANTIATE_TEST_SUITE_P(Rules, RuleOfRepairs,
                         ::testing::Values(RepairRule{"rescue", "brings next to nothing"},
                                           RepairRule{"take-over", "after it is due"}));

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
