#include "download/report/get_progress.hh"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "units/text_columns.hh"

namespace tributary {
namespace {

using namespace literals;
using ::testing::HasSubstr;
using ::testing::Not;

TEST(GetProgress, OneLineSaysHowFarItIsAndWhoCarriesIt) {
  const std::string text = status_text({5_MB, 10_MB, 8_Mbps, {{"wifi", 6_Mbps}, {"lte", 2_Mbps}}});
  EXPECT_THAT(text, HasSubstr("████████········  50.0 %"));
  EXPECT_THAT(text, HasSubstr("0:05 left"));
  EXPECT_THAT(text, HasSubstr("lte 2.00 Mbit/s"));
}

TEST(GetProgress, SaysNothingThatIsNotKnown) {
  EXPECT_THAT(status_text({5_MB, std::nullopt, 8_Mbps, {}}), Not(HasSubstr("%")));
  EXPECT_THAT(status_text({5_MB, 10_MB, DataRate{}, {}}), Not(HasSubstr("left")));
  EXPECT_THAT(status_text({0_B, 0_B, DataRate{}, {}}), Not(HasSubstr("nan")));
}

TEST(GetProgress, WhatDoesNotFitIsLeftOutTheLeastImportantFirst) {
  const GetStatus status{5_MB, 10_MB, 8_Mbps, {{"wifi", 6_Mbps}, {"lte", 2_Mbps}}};
  const std::string half = " 50.0 %", sizes = "  5.00 MB of 10.0 MB", rate = "  8.00 Mbit/s", left = "  0:05 left",
                    links = "  wifi 6.00 Mbit/s  lte 2.00 Mbit/s";
  EXPECT_EQ(status_text(status, 200), status_text(status));
  EXPECT_EQ(status_text(status, 100), half + sizes + rate + left + links) << "all but the bar";
  EXPECT_EQ(status_text(status, 80), half + rate + left + links);
  EXPECT_EQ(status_text(status, 60), half + sizes + rate + left);
  EXPECT_EQ(status_text(status, 20), half + left);
  EXPECT_EQ(status_text(status, 1), "");
  for (std::size_t columns = 0; columns < 120; ++columns) EXPECT_LE(columns_of(status_text(status, columns)), columns);
}

TEST(GetProgress, LongTimesHaveHours) {
  EXPECT_THAT(status_text({0_B, 10'000_MB, 8_Mbps, {}}), HasSubstr("2:46:40 left"));
}

}  // namespace
}  // namespace tributary
