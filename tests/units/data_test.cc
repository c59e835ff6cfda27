#include <gtest/gtest.h>

#include "units/byte_range.hh"
#include "units/data_rate.hh"
#include "units/failure_reason.hh"

namespace tributary {
namespace {

using namespace literals;
using namespace std::chrono_literals;

TEST(Data, SizeRateAndDurationGiveOneAnother) {
  EXPECT_EQ(750_kB / 3_Mbps, 2s);
  EXPECT_EQ(750_kB / Duration{2s}, 3_Mbps);
  EXPECT_EQ(3_Mbps * Duration{2s}, 750_kB);
}

TEST(ByteRange, KnowsItsSizeAndWhatItShares) {
  const ByteRange range{100_B, 300_B};
  EXPECT_EQ(range.size(), 200_B);
  EXPECT_TRUE(range.contains({100_B, 300_B}));
  EXPECT_FALSE(range.contains({99_B, 101_B}));
  EXPECT_EQ(intersection(range, {250_B, 400_B}), (ByteRange{250_B, 300_B}));
  EXPECT_TRUE(intersection(range, {300_B, 400_B}).empty());
}

TEST(FailureReason, EveryNameReadsBack) {
  for (int i = 0; i <= static_cast<int>(FailureReason::kAbandoned); ++i) {
    const auto reason = static_cast<FailureReason>(i);
    EXPECT_EQ(failure_reason_from(to_string(reason)), reason) << i;
  }
  EXPECT_FALSE(failure_reason_from("no such thing"));
}

}  // namespace
}  // namespace tributary
