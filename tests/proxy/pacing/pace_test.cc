#include "proxy/pacing/pace.hh"

#include <gtest/gtest.h>

#include <chrono>

namespace tributary::proxy {
namespace {

using namespace literals;
using namespace std::chrono_literals;

constexpr TimePoint kStart{5s};

TEST(Pace, LetsTheFirstByteLeaveAtOnceAndEachOtherInItsTurn) {
  const Pace pace{8_Mbps, 1_MB, kStart};  // a byte each microsecond
  EXPECT_EQ(pace.allowed(kStart), 1_B);
  EXPECT_EQ(pace.allowed(kStart + 10us), 11_B);
  EXPECT_EQ(pace.allowed(kStart + 100ms), 100'001_B);
  EXPECT_EQ(pace.allowed(kStart - 1s), 1_B);
  EXPECT_EQ(pace.due(1_B), kStart);
  EXPECT_EQ(pace.due(0_B), kStart);
}

TEST(Pace, AllowsAtItsTimeWhatIsDue) {
  for (const DataRate rate : {1_kbps, 3_Mbps, 777_kbps, 10'000_Mbps}) {
    const Pace pace{rate, std::nullopt, kStart};
    for (std::int64_t bytes = 1; bytes < 10'000'000'000; bytes = bytes * 3 + 1) {
      const TimePoint due = pace.due(DataSize{bytes});
      EXPECT_GE(pace.allowed(due), DataSize{bytes}) << bytes;
      EXPECT_LT(due - kStart - (DataSize{bytes - 1} / rate), 2us) << bytes;  // and not much later
    }
  }
}

TEST(Pace, GoesOnAtANewRate) {
  Pace pace{8_Mbps, 10_MB, kStart};  // a byte each microsecond
  pace.change(80_Mbps, kStart + 100us);
  EXPECT_EQ(pace.allowed(kStart + 100us), 101_B);
  EXPECT_EQ(pace.allowed(kStart + 110us), 201_B);
  EXPECT_EQ(pace.due(201_B), kStart + 111us);
  EXPECT_EQ(pace.due(50_B), kStart + 100us);
  pace.change(8_Mbps, kStart + 120us);
  EXPECT_EQ(pace.allowed(kStart + 130us), 311_B);
  Pace small{8_Mbps, 20'001_B, kStart};
  small.change(10'000_Mbps, kStart);
  EXPECT_EQ(small.allowed(kStart + 50ms), 10'001_B);  // over a tenth of a second still
}

TEST(Pace, SpreadsWhatIsLargeEnoughOverATenthOfASecond) {
  EXPECT_NEAR(to_seconds(Pace(10'000_Mbps, 20_kB, kStart).due(20_kB) - kStart), 0.1, 1e-4);
  EXPECT_NEAR(to_seconds(Pace(10'000_Mbps, 50_MB, kStart).due(50_MB) - kStart), 0.1, 1e-4);
  EXPECT_LT(to_seconds(Pace(10'000_Mbps, 19'999_B, kStart).due(19'999_B) - kStart), 1e-3);
  EXPECT_NEAR(to_seconds(Pace(8_Mbps, 1_MB, kStart).due(1_MB) - kStart), 1, 1e-3);           // slower by itself
  EXPECT_LT(to_seconds(Pace(10'000_Mbps, std::nullopt, kStart).due(50_kB) - kStart), 1e-3);  // nobody knows
}

TEST(Pace, WritesPiecesThatAreWorthIt) {
  EXPECT_EQ(Pace(8_Mbps, 1_MB, kStart).worth_a_write(), 20'000_B);
  EXPECT_EQ(Pace(1_kbps, 1_MB, kStart).worth_a_write(), 2_B);
  EXPECT_EQ(Pace(10_kbps, std::nullopt, kStart).worth_a_write(), 25_B);
  EXPECT_EQ(Pace(10'000_Mbps, std::nullopt, kStart).worth_a_write(), 65'536_B);
  EXPECT_LT(5 * Pace(10'000_Mbps, 20_kB, kStart).worth_a_write(), 20'001_B);  // several, for two events of progress
}

}  // namespace
}  // namespace tributary::proxy
