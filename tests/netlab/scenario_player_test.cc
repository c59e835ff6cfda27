#include "netlab/scenario_player.hh"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "netlab/scenario_json.hh"

namespace tributary {
namespace {

using namespace literals;
using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

/// What was applied, as "LINK RATE at SECONDS".
using Applied = std::vector<std::string>;

class ScenarioPlayerTest : public ::testing::Test {
 protected:
  Applied advance(ScenarioPlayer& player, Duration time) {
    Applied applied;
    next_ = player.advance(TimePoint{time}, [&](std::string_view link, const LinkCondition& condition, TimePoint at) {
      applied.push_back(fmt::format("{} {} kbit/s at {}", link, condition.rate.kilobits_per_second(), to_seconds(at)));
    });
    return applied;
  }

  std::optional<TimePoint> next_;
};

TEST_F(ScenarioPlayerTest, AppliesEachChangeOnceAtItsTime) {
  ScenarioPlayer player{parse_scenario("a 1Mbps 1ms, at 2s 2Mbps, at 5s 3Mbps; b 7Mbps 1ms, at 3s 8Mbps"),
                        TimePoint{100s}};
  EXPECT_THAT(advance(player, 100s), ElementsAre("a 1000 kbit/s at 100", "b 7000 kbit/s at 100"));
  EXPECT_EQ(next_, TimePoint{102s});
  EXPECT_THAT(advance(player, 101s), IsEmpty());
  EXPECT_EQ(next_, TimePoint{102s});
  EXPECT_THAT(advance(player, 102s), ElementsAre("a 2000 kbit/s at 102"));
  EXPECT_THAT(advance(player, 110s), ElementsAre("a 3000 kbit/s at 105", "b 8000 kbit/s at 103"));  // late
  EXPECT_EQ(next_, std::nullopt);
}

TEST(ScenarioJson, ReadsBackWhatItWrote) {
  const auto links = parse_scenario("a 1.5Mbps 1ms, loss 3%, jitter 2ms, queue 5, down 2s..3s; b 7Mbps 1ms");
  EXPECT_EQ(scenario_from_json(to_json(links)), links);
  EXPECT_EQ(scenario_from_json(to_json(parse_scenario("dynamics 3"))), parse_scenario("dynamics 3"));
}

}  // namespace
}  // namespace tributary
