#include "core/qualities/forecast_errors.hh"

#include <gtest/gtest.h>

namespace tributary {
namespace {

using namespace std::chrono_literals;

TimePoint after(Duration time) { return TimePoint{time}; }

double spread_after(int segments, Duration expected, Duration took) {
  ForecastErrors errors;
  for (int i = 0; i < segments; ++i) {
    const auto segment = static_cast<SegmentIndex>(i);
    errors.expected(segment, after(10s * i), expected);
    errors.complete(segment, after(10s * i + took));
  }
  return errors.spread();
}

TEST(ForecastErrors, ComeFromASumOfForecastsAndAnAssumption) {
  EXPECT_DOUBLE_EQ(ForecastErrors{}.spread(), 0.15);
  EXPECT_LT(spread_after(50, 2s, 2s), 0.08);
  EXPECT_NEAR(spread_after(50, 2s, 3s), 0.44, 0.01);
  EXPECT_DOUBLE_EQ(spread_after(50, 2s, 1s), spread_after(50, 2s, 2s));
}

TEST(ForecastErrors, ThatWereLongAgoCountLess) {
  ForecastErrors errors;
  errors.expected(SegmentIndex{0}, after(0s), 1s);
  errors.complete(SegmentIndex{0}, after(2s));
  double before = errors.spread();
  for (int i = 1; i < 30; ++i) {
    errors.expected(static_cast<SegmentIndex>(i), after(10s * i), 1s);
    errors.complete(static_cast<SegmentIndex>(i), after(10s * i + 1s));
    EXPECT_LT(errors.spread(), before);
    before = errors.spread();
  }
}

TEST(ForecastErrors, OfWhatASeekLeftBehindDoNotCount) {
  ForecastErrors errors;
  errors.expected(SegmentIndex{50}, after(0s), 1s);
  errors.expected(SegmentIndex{51}, after(0s), 2s);
  errors.expected(SegmentIndex{20}, after(100s), 1s);  // back
  errors.complete(SegmentIndex{20}, after(101s));
  EXPECT_LT(errors.spread(), 0.15);
  errors.expected(SegmentIndex{21}, after(101s), 1s);
  errors.expected(SegmentIndex{80}, after(200s), 1s);  // and forward: 21 never came
  errors.complete(SegmentIndex{80}, after(201s));
  EXPECT_LT(errors.spread(), 0.15);
}

TEST(ForecastErrors, CountWhatWouldHaveBecomeOfASegmentThatIsGivenUp) {
  ForecastErrors given_up, late;
  for (ForecastErrors* errors : {&given_up, &late}) {
    errors->expected(SegmentIndex{0}, after(0s), 2s);
    errors->expected(SegmentIndex{1}, after(1s), 2s);
  }
  given_up.given_up(SegmentIndex{0}, after(4s));
  given_up.complete(SegmentIndex{0}, after(1s));  // in another quality: that says nothing
  late.complete(SegmentIndex{0}, after(4s));
  EXPECT_DOUBLE_EQ(given_up.spread(), late.spread());
  given_up.complete(SegmentIndex{1}, after(5s));
  late.complete(SegmentIndex{1}, after(5s));
  EXPECT_DOUBLE_EQ(given_up.spread(), late.spread());
}

}  // namespace
}  // namespace tributary
