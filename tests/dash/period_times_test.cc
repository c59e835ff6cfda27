#include "dash/reading/period_times.hh"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "mpd_text.hh"

namespace tributary::dash {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using Times = std::pair<std::optional<Duration>, std::optional<Duration>>;  // start, duration

std::vector<Times> times_of(std::string_view attributes, std::string_view periods) {
  std::vector<Times> times;
  for (const Period& period : read_mpd(mpd_text(attributes, periods)).periods) {
    times.emplace_back(period.start, period.duration);
  }
  return times;
}

constexpr std::string_view kLive = R"(type="dynamic" availabilityStartTime="2026-01-01T00:00:00Z")";
constexpr std::string_view kMinute = R"(mediaPresentationDuration="PT60S")";

TEST(PeriodTimes, OnePeriodLastsAsLongAsTheMpd) {
  EXPECT_THAT(times_of(kMinute, "<Period/>"), ElementsAre(Times{0s, 60s}));
  EXPECT_THAT(times_of(kMinute, R"(<Period start="PT5S"/>)"), ElementsAre(Times{5s, 55s}));
  EXPECT_THAT(times_of(kMinute, R"(<Period start="PT70S"/>)"), ElementsAre(Times{70s, 0s}));
  EXPECT_THAT(times_of("", "<Period/>"), ElementsAre(Times{0s, std::nullopt}));
  EXPECT_THAT(times_of(kMinute, R"(<Period duration="PT61S"/>)"), ElementsAre(Times{0s, 61s}));
}

TEST(PeriodTimes, APeriodBeginsWhereTheOneBeforeItEnds) {
  EXPECT_THAT(
      times_of(kMinute, R"(<Period duration="PT5.972633333S"/><Period duration="PT20S"/><Period/>)"),
      ElementsAre(Times{0s, 5'972'633'333ns}, Times{5'972'633'333ns, 20s}, Times{25'972'633'333ns, 34'027'366'667ns}));
}

TEST(PeriodTimes, APeriodEndsWhereTheNextOneBegins) {
  EXPECT_THAT(times_of(kMinute, R"(<Period/><Period start="PT20S"/><Period start="PT30S"/>)"),
              ElementsAre(Times{0s, 20s}, Times{20s, 10s}, Times{30s, 30s}));
  // One that says that it is longer than that ends there, too; a shorter one leaves a hole.
  EXPECT_THAT(
      times_of(kMinute, R"(<Period duration="PT25S"/><Period start="PT20S" duration="PT5S"/><Period start="PT30S"/>)"),
      ElementsAre(Times{0s, 20s}, Times{20s, 5s}, Times{30s, 30s}));
}

TEST(PeriodTimes, TheLastPeriodOfALiveMpdIsOpen) {
  EXPECT_THAT(times_of(kLive, R"(<Period start="PT0S"/><Period start="PT100S"/>)"),
              ElementsAre(Times{0s, 100s}, Times{100s, std::nullopt}));
  EXPECT_THAT(times_of(kLive, "<Period/>"), ElementsAre(Times{0s, std::nullopt}));
}

TEST(PeriodTimes, APeriodThatIsAvailableEarlyHasNoTimes) {
  EXPECT_THAT(times_of(kLive, R"(<Period start="PT10S"/><Period/>)"),
              ElementsAre(Times{10s, std::nullopt}, Times{std::nullopt, std::nullopt}));
  // The end of the MPD is not that of a period with another one behind it.
  EXPECT_THAT(times_of(R"(type="dynamic" mediaPresentationDuration="PT60S")",
                       R"(<Period start="PT10S"/><Period duration="PT5S"/>)"),
              ElementsAre(Times{10s, std::nullopt}, Times{std::nullopt, 5s}));
}

TEST(PeriodTimes, ContradictionsAreRefused) {
  EXPECT_EQ(refusal_of(mpd_text("", R"(<Period start="PT20S"/><Period start="PT10S"/>)")),
            "line 2, Period[1]: it begins before the period before it");
  EXPECT_EQ(refusal_of(mpd_text("", "<Period/>\n<Period/>")),
            "line 3, Period[1]: neither its \"start\" nor the end of the period before is stated");
  EXPECT_EQ(refusal_of(mpd_text("", R"(<Period start="P99Y" duration="P99Y"/>)")),
            "line 2, Period[0]: it ends later than 100 years");
}

}  // namespace
}  // namespace tributary::dash
