#include "benchmark/scenario_figures.hh"

#include <gtest/gtest.h>

#include <stdexcept>

#include "support/simulated_run.hh"
#include "support/tables.hh"

namespace tributary {
namespace {

using namespace literals;
using namespace std::chrono_literals;

constexpr const char* kScenario = "wifi 4Mbps 20ms, down 10s..20s; lte 2Mbps 40ms";

BenchOptions options_with(std::vector<std::string> links, TermsOfLinks terms = {}) {
  BenchOptions options;
  options.scenario = kScenario;
  options.expected.usable = options.links = std::move(links);
  options.terms = std::move(terms);
  for (const auto& [name, cost] : options.terms) options.expected.existing.push_back(name);
  return options;
}

TEST(ScenarioFigures, LinksAreTheNamedOnes) {
  EXPECT_EQ(chosen_links(options_with({})).size(), 2U);
  const auto chosen = chosen_links(options_with({"lte"}));
  ASSERT_EQ(chosen.size(), 1U);
  EXPECT_EQ(chosen[0].name, "lte");
  EXPECT_THROW(chosen_links(options_with({"cable"})), std::runtime_error);
  EXPECT_THROW(chosen_links(options_with({}, {{"cable", {}}})), std::runtime_error);
  BenchOptions optional = options_with({"lte", "cable"});
  optional.expected = {};
  EXPECT_EQ(chosen_links(optional).size(), 1U);
  optional.links = {"cable"};
  EXPECT_THROW(chosen_links(optional), std::runtime_error);
}

TEST(ScenarioFigures, CapacityIsWhatLinksThatAreUpCarry) {
  const auto links = chosen_links(options_with({}));
  EXPECT_DOUBLE_EQ(capacity_until(links, TimePoint{30s}), 4e6 * 20 + 2e6 * 30);
  const CapacityOf capacity = capacity_of(links);
  EXPECT_EQ(capacity(LinkId{0}, TimePoint{5s}), 4_Mbps);
  EXPECT_EQ(capacity(LinkId{0}, TimePoint{15s}), DataRate{});
}

TEST(ScenarioFigures, PossibleIsNoLessThanWhatWasPlayed) {
  SessionOptions session;
  session.adaptation = "planned";
  const testing::SimulatedRun run{testing::constant_table(20, {100_kB, 500_kB}), session, kScenario};
  const auto possible = possible_on(parse_scenario(kScenario), run.record, session);
  ASSERT_TRUE(possible);
  EXPECT_GE(possible->mean_level, run.summary.mean_level);
}

TEST(ScenarioFigures, FreeLinksAreKnownWhereSomeAreAndOthersAreNot) {
  const testing::SimulatedRun run{testing::constant_table(20, {100_kB}), {}, kScenario};
  const auto links = parse_scenario(kScenario);
  EXPECT_FALSE(free_links_of(links, options_with({}), run.record));
  const LinkTerms paid = parse_terms("paid:0.01/MB");
  EXPECT_FALSE(free_links_of(links, options_with({}, {{"wifi", paid}, {"lte", paid}}), run.record));
  EXPECT_TRUE(free_links_of(links, options_with({}, {{"lte", paid}}), run.record));
}

}  // namespace
}  // namespace tributary
