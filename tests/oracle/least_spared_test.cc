#include "oracle/least_spared.hh"

#include <gtest/gtest.h>

#include <array>

namespace tributary {
namespace {

using namespace literals;
using namespace std::chrono_literals;

constexpr TimePoint kLongAfter{1000s};

DataSize least(const std::string& links, DataSize segment, Duration startup, std::uint32_t buffer) {
  const std::array<DataSize, 10> sizes{segment, segment, segment, segment, segment,
                                       segment, segment, segment, segment, segment};
  std::array<Duration, 10> durations;
  durations.fill(2s);
  return least_spared({sizes, durations, TimePoint{startup}, buffer},
                      LinkCapacity{parse_scenario(links), kLongAfter, 1});
}

TEST(LeastSpared, IsNothingWhereTheFreeLinkKeepsUp) {
  EXPECT_EQ(least("a 1Mbps 0ms", 250_kB, 2s, 2), DataSize{});
  EXPECT_EQ(least("a 1Mbps 0ms", 250_kB, 0s, 2), 250_kB);  // the first has no time at all
}

TEST(LeastSpared, IsAllThatTheFreeLinkCannotCarryUntilTheLastIsDue) {
  // 10 x 500 kB; 1 Mbit/s until the last is due, after 2 + 18 s.
  EXPECT_EQ(least("a 1Mbps 0ms", 500_kB, 2s, 2), 5000_kB - 2500_kB);
}

TEST(LeastSpared, CountsWhatTheBufferDoesNotLetTheFreeLinkFetch) {
  // Segment j may be asked for when segment j - 2 plays. Segments 3 to 6 are due from 8 to 14 s.
  EXPECT_EQ(least("a 10Mbps 0ms, down 4s..14s", 250_kB, 2s, 2), 4 * 250_kB);
  EXPECT_EQ(least("a 10Mbps 0ms, down 4s..14s", 250_kB, 2s, 8), DataSize{});
}

}  // namespace
}  // namespace tributary
