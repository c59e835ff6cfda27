#include "dash/xml/xml_time.hh"

#include <gtest/gtest.h>

#include "dash/bounds.hh"
#include "dash/tick_time.hh"

namespace tributary::dash {
namespace {

using namespace std::chrono_literals;

TEST(XmlTime, Durations) {
  EXPECT_EQ(duration_from("PT1H2M3.5S"), 1h + 2min + 3500ms);
  EXPECT_EQ(duration_from("P1D"), 24h);
  EXPECT_EQ(duration_from("P0Y0M0DT0H0M16S"), 16s);
  EXPECT_EQ(duration_from("P1Y2M"), 24h * (365 + 60));
  EXPECT_EQ(duration_from("PT5.9726333339999S"), 5'972'633'333ns);
  EXPECT_EQ(duration_from("PT3600S"), 1h);
  EXPECT_EQ(duration_from("PT0S"), 0s);
  EXPECT_EQ(duration_from("PT90M"), 90min);
}

TEST(XmlTime, OtherTextsAreNoDurations) {
  for (const char* const text : {"",
                                 "P",
                                 "PT",
                                 "P1",
                                 "1S",
                                 "PT1",
                                 "PT1S2M",
                                 "PT1M1M",
                                 "-PT1S",
                                 "PT-1S",
                                 "PT+1S",
                                 "PT1.5M",
                                 "PT1.S",
                                 "PT.5S",
                                 "P1DT",
                                 "P1S",
                                 "PT1D",
                                 "PT1S ",
                                 "P200Y",
                                 "PT99999999999999999999S",
                                 "PT10000000000S",
                                 "PT10000000001S",
                                 "P10000000000Y",
                                 "P99Y2000M",
                                 "P100Y26D"}) {
    EXPECT_EQ(duration_from(text), std::nullopt) << text;
  }
}

TEST(XmlTime, DatesWithAndWithoutAZone) {
  const auto time = utc_from("2026-01-02T03:04:05.678Z");
  ASSERT_TRUE(time);
  for (const char* const text : {"2026-01-02T03:04:05.678Z", "2026-01-02T03:04:05.6789Z", "2026-01-02T03:04:05.678",
                                 "2026-01-02T05:04:05.678+02:00", "2026-01-01T21:34:05.678-05:30"}) {
    EXPECT_EQ(date_time_from(text), time) << text;
  }
  EXPECT_EQ(date_time_from("1970-01-01T00:00:00Z"), UtcTime{});
}

TEST(XmlTime, OtherTextsAreNoDates) {
  for (const char* const text : {"", "Z", "2026-01-02", "2026-13-02T03:04:05Z", "2026-01-02T03:04:05Z+02:00",
                                 "2026-01-02T03:04:05+2:00", "2026-01-02T03:04:05+15:00", "2026-01-02T03:04:05+0a:00",
                                 "1899-12-31T23:59:59Z", "2101-01-01T00:00:00Z", "20260-01-02T03:04:05Z"}) {
    EXPECT_EQ(date_time_from(text), std::nullopt) << text;
  }
}

TEST(TickTime, ConvertsWithinItsBounds) {
  EXPECT_EQ(ticks_of(1500ms, 90'000), 135'000);
  EXPECT_EQ(ticks_of(-1ns, 1'000), -1);
  EXPECT_EQ(ticks_of(Duration::max(), kMostTimescale), ticks_of(kLongestTime, kMostTimescale));
  EXPECT_EQ(ticks_of(kLongestTime, kMostTimescale), kLongestTime.count());
  EXPECT_EQ(duration_of(135'000, 90'000), 1500ms);
  EXPECT_EQ(duration_of(-135'000, 90'000), -1500ms);
  EXPECT_EQ(duration_of(kMostTicks, 1), kLongestTime);
  EXPECT_EQ(duration_of(-kMostTicks, 1), -kLongestTime);
}

TEST(TickTime, RoundsNegativeNumbers) {
  EXPECT_EQ(floor_of(-1, 2), -1);
  EXPECT_EQ(floor_of(-2, 2), -1);
  EXPECT_EQ(floor_of(3, 2), 1);
  EXPECT_EQ(ceiling_of(-1, 2), 0);
  EXPECT_EQ(ceiling_of(3, 2), 2);
  EXPECT_EQ(ceiling_of(4, 2), 2);
}

}  // namespace
}  // namespace tributary::dash
