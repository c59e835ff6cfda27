#include "core/qualities/experience.hh"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

#include "core/qualities/adaptations/planned_adaptation.hh"
#include "core/qualities/adaptations/robust_mpc_adaptation.hh"
#include "core/qualities/rule_inputs.hh"

namespace tributary {
namespace {

using namespace literals;
using namespace std::chrono_literals;
using namespace testing;
using ::testing::DoubleEq;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

SegmentTable ladder() { return constant_table(10, {250_kB, 500_kB, 1000_kB}); }  // 1, 2 and 4 Mbit/s

TEST(Experience, IsWorthLessChangesLessStandstill) {
  const QualityIndex played[] = {kHigh, kLow, kMedium};
  const auto of = [&](const char* measure) { return Experience::read(measure).of(played, 2s, 500ms, ladder()); };
  EXPECT_DOUBLE_EQ(of("yin2015-patient"), 7 - (3 + 1) - 4 * .5 - 4 * .25 * 2);
  EXPECT_DOUBLE_EQ(of("yin2015"), 7 - (3 + 1) - 4 * .5 - 4 * 2);
  EXPECT_DOUBLE_EQ(of("yin2015-few-changes"), 7 - 3 * (3 + 1) - 4 * .5 - 4 * 2);
  EXPECT_DOUBLE_EQ(of("yin2015-few-stalls"), 7 - (3 + 1) - 2 * 4 * .5 - 2 * 4 * 2);
  EXPECT_DOUBLE_EQ(of("mao2017-lin"), 7 - (3 + 1) - 4 * .5);
  EXPECT_DOUBLE_EQ(of("mao2017-log"), 3 * std::log(2) - 3 * std::log(2) - 2.66 * .5);
  EXPECT_DOUBLE_EQ(of("bitrate:0.5:3"), 7 - .5 * (3 + 1) - 3 * 4 * .5);
  EXPECT_DOUBLE_EQ(of("bitrate:0.5:3:0.5"), 7 - .5 * (3 + 1) - 3 * 4 * .5 - .5 * 4 * 2);
  EXPECT_DOUBLE_EQ(of("log:0:1"), 3 * std::log(2) - std::log(4) * .5);
}

TEST(Experience, OfNothingIsNothing) { EXPECT_EQ(Experience{}.of({}, 0s, 0s, ladder()), 0); }

TEST(Experience, WorthsRiseWithTheQuality) {
  EXPECT_THAT(Experience{}.worths(ladder()), ElementsAre(DoubleEq(1), DoubleEq(2), DoubleEq(4)));
  EXPECT_THAT(Experience::read("mao2017-log").worths(ladder()),
              ElementsAre(DoubleEq(0), DoubleEq(std::log(2)), DoubleEq(std::log(4))));
}

TEST(Experience, WhatIsUnknownIsNamedWithWhatIsKnown) {
  for (const char* text : {"", "best", "bitrate", "bitrate:1", "bitrate:1:x", "bitrate:-1:1", "bitrate:1:1:1:1",
                           "bitrate:1:1:", "log::1", "level:1:1", "bitrate:nan:1", "bitrate:1e9:1"}) {
    try {
      Experience::read(text);
      ADD_FAILURE() << text;
    } catch (const std::invalid_argument& error) {
      EXPECT_THAT(error.what(), HasSubstr("yin2015")) << text;
    }
  }
}

/// The quality before is the lowest.
QualityIndex planned(const char* measure) {
  return PlannedAdaptation{{}, Experience::read(measure)}.choose(two_ahead(3800_kbps), ladder()).quality;
}

TEST(Experience, WhoFearsChangesStaysWhereHeIs) {
  EXPECT_EQ(planned("bitrate:0:1"), kHigh);
  EXPECT_EQ(planned("bitrate:40:1"), kLow);
}

TEST(Experience, RobustMpcMaximisesItAsWell) {
  const auto chosen = [](const char* measure) {
    RobustMpcAdaptation rule{Experience::read(measure)};
    rule.told(4_Mbps);
    return rule.choose(two_ahead(4_Mbps), ladder()).quality;
  };
  EXPECT_EQ(chosen("bitrate:0:1"), kHigh);
  EXPECT_EQ(chosen("bitrate:20:1"), kLow);
}

}  // namespace
}  // namespace tributary
