#include "segmenter/libav/picture_rate.hh"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace tributary::segmenter {
namespace {

using Source = PictureRate::Source;

constexpr AVRational kMilliseconds{1, 1000};

/// Pictures of a second each at these rates, their times rounded to milliseconds.
std::vector<std::int64_t> times_at(const std::vector<FrameRate>& rates) {
  std::vector<std::int64_t> times;
  double begin = 0;
  for (const FrameRate rate : rates) {
    const auto count = std::lround(rate.per_second());
    for (long i = 0; i < count; ++i)
      times.push_back(std::llround(1000 * (begin + static_cast<double>(i) / rate.per_second())));
    begin += static_cast<double>(count) / rate.per_second();
  }
  return times;
}

PictureRate chosen(const StatedRate& stated, const std::vector<std::int64_t>& times, int fastest = kUsualFastest) {
  return choose_picture_rate(stated, fastest, PictureTimes{times, kMilliseconds});
}

TEST(PictureRate, AConstantRateIsKept) {
  const std::vector<FrameRate> rates{{24000, 1001}, {24, 1}, {25, 1}, {30000, 1001}, {30, 1}, {48, 1},
                                     {50, 1},       {12, 1}, {25, 2}, {60000, 1001}, {60, 1}, {18, 1}};
  for (const FrameRate rate : rates) {
    SCOPED_TRACE(rate.per_second());
    const std::vector<FrameRate> minute(60, rate);
    EXPECT_EQ(chosen({rate, rate}, times_at(minute)), (PictureRate{rate, Source::kConstant, 0}));
    EXPECT_EQ(choose_picture_rate({rate, rate}, kUsualFastest), (PictureRate{rate, Source::kConstant, {}}));
  }
}

TEST(PictureRate, OneThatVariesBecomesTheLowestThatLosesNoPicture) {
  EXPECT_EQ(chosen({{38, 1}, {120, 1}}, times_at({{24, 1}, {30, 1}, {60, 1}})),
            (PictureRate{{60, 1}, Source::kVarying, 0}));
  // A container that is read from its beginning only may take it for a constant one.
  EXPECT_EQ(chosen({{24, 1}, {24, 1}}, times_at({{24, 1}, {24, 1}, {60, 1}})).lost, 0u);
  std::vector<std::int64_t> with_drops;
  for (std::int64_t i = 0; i < 300; ++i) {
    if (i % 15 != 7) with_drops.push_back(std::llround(static_cast<double>(i) * 1000 / 30));
  }
  EXPECT_EQ(chosen({{28, 1}, {30, 1}}, with_drops), (PictureRate{{30, 1}, Source::kVarying, 0}));
  EXPECT_EQ(chosen({{31, 1}, {1000, 1}}, {0, 100, 117, 133, 400, 417}), (PictureRate{{50, 1}, Source::kVarying, 0}));
  EXPECT_EQ(chosen({{1, 4}, {1000, 1}}, {0, 3500, 8200}), (PictureRate{{1, 1}, Source::kVarying, 0}));
}

TEST(PictureRate, OfDamageAllLoseTheRateStays) {
  std::vector<std::int64_t> times = times_at(std::vector<FrameRate>(10, {25, 1}));
  times.insert(times.begin() + 100, times[100]);
  EXPECT_EQ(chosen({{251, 10}, {90000, 1}}, times), (PictureRate{{25, 1}, Source::kVarying, 1}));
  times = times_at(std::vector<FrameRate>(100, {25, 1}));
  times.insert(times.begin() + 101, times[100] + 20);
  EXPECT_EQ(chosen({{25, 1}, {25, 1}}, times), (PictureRate{{25, 1}, Source::kConstant, 1})) << "one of 2501";
}

TEST(PictureRate, WhereTheTimesAreStillToComeItIsNotBelowTheAverage) {
  EXPECT_EQ(choose_picture_rate({{282, 10}, {30, 1}}, 60), (PictureRate{{30, 1}, Source::kVarying, {}}));
  EXPECT_EQ(choose_picture_rate({{31, 1}, {1000, 1}}, 60), (PictureRate{{50, 1}, Source::kVarying, {}}));
  EXPECT_EQ(choose_picture_rate({{240, 1}, {90000, 1}}, 60), (PictureRate{{60, 1}, Source::kVarying, {}}));
  EXPECT_EQ(choose_picture_rate({{0, 0}, {0, 0}}, 60), (PictureRate{{25, 1}, Source::kConstant, {}}));
}

TEST(PictureRate, FieldsBecomePictures) {
  EXPECT_EQ(choose_picture_rate({{25, 1}, {25, 1}, true}, 60), (PictureRate{{50, 1}, Source::kFields, {}}));
  EXPECT_EQ(choose_picture_rate({{25, 1}, {50, 1}, true}, 60), (PictureRate{{50, 1}, Source::kFields, {}}));
  EXPECT_EQ(choose_picture_rate({{30000, 1001}, {30000, 1001}, true}, 60),
            (PictureRate{{60000, 1001}, Source::kFields, {}}));
  EXPECT_EQ(choose_picture_rate({{50, 1}, {50, 1}, true}, 60).rate, (FrameRate{50, 1})) << "fields were counted";
  EXPECT_EQ(choose_picture_rate({{25, 1}, {25, 1}, true}, 30).rate, (FrameRate{25, 1}));
}

TEST(PictureRate, WhatIsTooFastIsDividedByAWholeNumber) {
  const auto slower = [](FrameRate rate, int fastest) { return choose_picture_rate({rate, rate}, fastest).rate; };
  EXPECT_EQ(slower({120, 1}, 60), (FrameRate{60, 1}));
  EXPECT_EQ(slower({120000, 1001}, 60), (FrameRate{60000, 1001}));
  EXPECT_EQ(slower({100, 1}, 60), (FrameRate{50, 1}));
  EXPECT_EQ(slower({144, 1}, 60), (FrameRate{48, 1}));
  EXPECT_EQ(slower({240, 1}, 60), (FrameRate{60, 1}));
  EXPECT_EQ(slower({120, 1}, 120), (FrameRate{120, 1}));
  EXPECT_EQ(slower({60, 1}, 30), (FrameRate{30, 1}));
  const PictureRate half = chosen({{120, 1}, {120, 1}}, times_at({{120, 1}}));
  EXPECT_EQ(half.source, Source::kFaster);
  EXPECT_NEAR(static_cast<double>(half.lost.value()), 60, 1);
}

TEST(PictureRate, IsSaidToPeople) {
  EXPECT_EQ(rate_text({{30000, 1001}, Source::kConstant, 0}), "29.97 pictures a second");
  EXPECT_EQ(rate_text({{60, 1}, Source::kVarying, 3}),
            "60 pictures a second, of a source whose rate varies; pictures left out: 3");
}

}  // namespace
}  // namespace tributary::segmenter
