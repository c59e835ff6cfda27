#include "simulation/scenario.hh"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <stdexcept>

namespace tributary {
namespace {

using namespace literals;
using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

TimePoint at(Duration time) { return TimePoint{time}; }

LinkScenario one_link(std::string_view text) {
  const std::vector<LinkScenario> links = parse_scenario(text);
  EXPECT_EQ(links.size(), 1u);
  return links.at(0);
}

/// Every moment up to `end` at which next_change says that something changes.
std::vector<Duration> changes_until(const LinkScenario& link, Duration end) {
  std::vector<Duration> times;
  for (auto next = link.next_change(TimePoint{}); next && *next <= at(end); next = link.next_change(*next)) {
    times.push_back(next->time_since_epoch());
  }
  return times;
}

TEST(Scenario, ReadsLinksWithTheirSettings) {
  const auto links = parse_scenario("wifi 16Mbps 20ms; lte 8Mbps 60ms, queue 100, loss 1%, jitter 5ms");
  ASSERT_EQ(links.size(), 2u);
  EXPECT_EQ(links[0].name, "wifi");
  LinkCondition wifi;
  wifi.rate = 16_Mbps;
  wifi.rtt = 20ms;
  EXPECT_EQ(links[0].at(at(0s)), wifi);
  EXPECT_EQ(links[0].next_change(at(0s)), std::nullopt);
  EXPECT_EQ(links[1].name, "lte");
  EXPECT_EQ(links[1].at(at(1h)), (LinkCondition{8_Mbps, 60ms, 5ms, 0.01, 100, true}));
}

TEST(Scenario, TakesLinesAndCommentsAsWell) {
  EXPECT_EQ(parse_scenario("# at home\n  wifi 16Mbps 20ms  # the good one; really\n\nlte 8Mbps 60ms\n"),
            parse_scenario("wifi 16Mbps 20ms; lte 8Mbps 60ms"));
}

TEST(Scenario, ALinkIsDownInItsOutages) {
  const LinkScenario link = one_link("lte 8Mbps 60ms, down 10s..12s, down 20s .. 21s, down 30s..");
  for (const auto& [time, up] : std::vector<std::pair<Duration, bool>>{{0s, true},
                                                                       {10s - 1ns, true},
                                                                       {10s, false},
                                                                       {12s - 1ns, false},
                                                                       {12s, true},
                                                                       {20s, false},
                                                                       {21s, true},
                                                                       {30s, false},
                                                                       {1000h, false}}) {
    EXPECT_EQ(link.at(at(time)).up, up) << to_seconds(time);
  }
  EXPECT_THAT(changes_until(link, 1000h), ElementsAre(10s, 12s, 20s, 21s, 30s));
}

TEST(Scenario, OverlappingOutagesAreOne) {
  EXPECT_THAT(changes_until(one_link("lte 8Mbps 60ms, down 10s..15s, down 12s..20s"), 1h), ElementsAre(10s, 20s));
}

TEST(Scenario, ALinkThatJoinsIsNotUpBefore) {
  const LinkScenario link = one_link("lte 8Mbps 60ms, joins 5s");
  EXPECT_FALSE(link.at(at(0s)).up);
  EXPECT_FALSE(link.at(at(5s - 1ns)).up);
  EXPECT_TRUE(link.at(at(5s)).up);
  EXPECT_THAT(changes_until(link, 1h), ElementsAre(5s));
}

TEST(Scenario, ChangesHoldUntilTheNextOne) {
  const LinkScenario link = one_link("lte 8Mbps 60ms, at 20s rtt 90ms, at 10s 2Mbps, at 30s loss 5%, at 20s 4Mbps");
  EXPECT_EQ(link.at(at(15s)).rate, 2_Mbps);
  EXPECT_EQ(link.at(at(15s)).rtt, 60ms);
  EXPECT_EQ(link.at(at(20s)).rate, 4_Mbps);
  EXPECT_EQ(link.at(at(20s)).rtt, 90ms);
  EXPECT_EQ(link.at(at(30s)).rtt, 90ms);
  EXPECT_DOUBLE_EQ(link.at(at(30s)).loss, 0.05);
  EXPECT_THAT(changes_until(link, 1h), ElementsAre(10s, 20s, 30s));
}

TEST(Scenario, AChangeToTheSameIsNone) {
  EXPECT_EQ(one_link("lte 8Mbps 60ms, at 10s 8Mbps").next_change(at(0s)), std::nullopt);
}

TEST(Scenario, APeriodRepeatsTheChanges) {
  LinkCondition slow, fast;
  slow.rate = 1_Mbps;
  fast.rate = 2_Mbps;
  const LinkScenario link{"lte", {{at(0s), slow}, {at(3s), fast}}, 4s};
  EXPECT_EQ(link.at(at(3s)), fast);
  EXPECT_EQ(link.at(at(4s)), slow);
  EXPECT_EQ(link.at(at(7s)), fast);
  EXPECT_THAT(changes_until(link, 11s), ElementsAre(3s, 4s, 7s, 8s, 11s));
}

TEST(Scenario, APeriodThatEndsAsItBeginsDoesNotChangeThere) {
  LinkCondition slow, fast;
  slow.rate = 1_Mbps;
  fast.rate = 2_Mbps;
  const LinkScenario link{"lte", {{at(0s), slow}, {at(1s), fast}, {at(2s), slow}}, 4s};
  EXPECT_THAT(changes_until(link, 10s), ElementsAre(1s, 2s, 5s, 6s, 9s, 10s));
}

class ScenarioTrace : public ::testing::Test {
 protected:
  ScenarioTrace() { std::ofstream{path_} << "time_s,kbit_s\n0,1000\n2,4000\n5,0\n"; }
  ~ScenarioTrace() override { std::filesystem::remove(path_); }

  const std::string path_ = ::testing::TempDir() + "scenario_test_trace.csv";
};

TEST_F(ScenarioTrace, GivesTheRateAndLoops) {
  const LinkScenario link = one_link("lte - 60ms, trace " + path_ + " x 0.5");
  EXPECT_EQ(link.at(at(0s)).rate, 500_kbps);
  EXPECT_EQ(link.at(at(2s)).rate, 2_Mbps);
  EXPECT_EQ(link.at(at(5s)).rate, 500_kbps);
  EXPECT_EQ(link.at(at(0s)).rtt, 60ms);
  EXPECT_THAT(changes_until(link, 12s), ElementsAre(2s, 5s, 7s, 10s, 12s));
}

TEST_F(ScenarioTrace, TakesTheOtherClausesWithIt) {
  const LinkScenario link = one_link("lte - 60ms, trace " + path_ + ", down 3s..5s, at 1s rtt 80ms");
  EXPECT_THAT(changes_until(link, 6s), ElementsAre(1s, 2s, 3s, 5s, 6s));
  EXPECT_FALSE(link.at(at(8s)).up);
  EXPECT_TRUE(link.at(at(10s)).up);
  EXPECT_EQ(link.at(at(5s)).rtt, 60ms);
}

TEST_F(ScenarioTrace, RefusesWhatContradictsIt) {
  EXPECT_THROW(parse_scenario("lte 1Mbps 60ms, trace " + path_), std::invalid_argument);
  EXPECT_THROW(parse_scenario("lte - 60ms, at 1s 2Mbps, trace " + path_), std::invalid_argument);
  EXPECT_THROW(parse_scenario("lte - 60ms, joins 7s, trace " + path_), std::invalid_argument);
  EXPECT_THROW(parse_scenario("lte - 60ms, trace " + path_ + " twice"), std::invalid_argument);
}

TEST(Scenario, QuotesWhatItRefuses) {
  for (const auto& [text, words] :
       std::vector<std::pair<std::string, std::string>>{{"", "\"\""},
                                                        {"wifi 16Mbps", "\"wifi 16Mbps\""},
                                                        {"wifi 16Mbsp 20ms", "\"16Mbsp\""},
                                                        {"wifi - 20ms", "\"wifi - 20ms\""},
                                                        {"wifi 16Mbps 20", "\"20\""},
                                                        {"wifi 16Mbps 20ms,", "after the comma"},
                                                        {"wifi 16Mbps 20ms, dwon 3s..4s", "\" dwon 3s..4s\""},
                                                        {"wifi 16Mbps 20ms, down 3s-4s", "\"3s-4s\""},
                                                        {"wifi 16Mbps 20ms, down 4s..3s", "\"4s..3s\""},
                                                        {"wifi 16Mbps 20ms, joins", "\" joins\""},
                                                        {"wifi 16Mbps 20ms, at 3s sunshine", "\" at 3s sunshine\""},
                                                        {"wifi 16Mbps 20ms, loss 200%", "\"200%\""},
                                                        {"wifi 16Mbps 20ms, queue 0", "\"0\""},
                                                        {"wifi 16Mbps 20ms, queue 3x", "\"3x\""},
                                                        {"wifi - 20ms, trace /no/such/file", "\"/no/such/file\""},
                                                        {"wifi/5 16Mbps 20ms", "\"wifi/5\""},
                                                        {"a-very-long-name 16Mbps 20ms", "\"a-very-long-name\""},
                                                        {"wifi 1Mbps 2ms; wifi 1Mbps 2ms", "\"wifi\""},
                                                        {"dynamics", "\"dynamics\""},
                                                        {"dynamics 3Mbps seven", "\"seven\""}}) {
    try {
      parse_scenario(text);
      ADD_FAILURE() << text << " was taken";
    } catch (const std::invalid_argument& error) {
      EXPECT_THAT(error.what(), HasSubstr(words));
    }
  }
}

}  // namespace
}  // namespace tributary
