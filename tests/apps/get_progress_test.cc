#include "apps/get/get_progress.hh"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

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

TEST(GetProgress, LongTimesHaveHours) {
  EXPECT_THAT(status_text({0_B, 10'000_MB, 8_Mbps, {}}), HasSubstr("2:46:40 left"));
}

}  // namespace
}  // namespace tributary
