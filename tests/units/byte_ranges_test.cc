#include "units/byte_ranges.hh"

#include <gmock/gmock.h>

#include <set>

#include "simulation/split_mix.hh"

namespace tributary {
namespace {

using namespace literals;
using testing::ElementsAre;
using testing::IsEmpty;

TEST(ByteRanges, RangesThatOverlapOrTouchBecomeOne) {
  ByteRanges ranges;
  ranges.add({10_B, 20_B});
  ranges.add({30_B, 40_B});
  ranges.add({20_B, 25_B});
  EXPECT_EQ(ranges.size(), 25_B);
  EXPECT_THAT(ranges.gaps_in({0_B, 50_B}),
              ElementsAre(ByteRange{0_B, 10_B}, ByteRange{25_B, 30_B}, ByteRange{40_B, 50_B}));
  ranges.add({5_B, 45_B});
  EXPECT_EQ(ranges.size(), 40_B);
  EXPECT_THAT(ranges.gaps_in({5_B, 45_B}), IsEmpty());
}

TEST(ByteRanges, GapsEndWithTheRangeAskedFor) {
  ByteRanges ranges;
  ranges.add({10_B, 20_B});
  EXPECT_THAT(ranges.gaps_in({0_B, 5_B}), ElementsAre(ByteRange{0_B, 5_B}));
  EXPECT_THAT(ranges.gaps_in({12_B, 18_B}), IsEmpty());
  EXPECT_THAT(ranges.gaps_in({15_B, 30_B}), ElementsAre(ByteRange{20_B, 30_B}));
  EXPECT_THAT(ranges.gaps_in({7_B, 7_B}), IsEmpty());
}

TEST(ByteRanges, IsTheSetOfItsBytes) {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    SCOPED_TRACE(seed);
    SplitMix random{seed};
    ByteRanges ranges;
    std::set<std::int64_t> bytes;
    for (int i = 0; i < 20; ++i) {
      const std::int64_t begin = random.below(60);
      const std::int64_t end = begin + random.below(8);
      ranges.add({DataSize{begin}, DataSize{end}});
      for (std::int64_t byte = begin; byte < end; ++byte) bytes.insert(byte);
      EXPECT_EQ(ranges.size().bytes(), std::ssize(bytes));

      std::set<std::int64_t> missing;
      for (const ByteRange& gap : ranges.gaps_in({10_B, 50_B})) {
        for (std::int64_t byte = gap.begin.bytes(); byte < gap.end.bytes(); ++byte) missing.insert(byte);
      }
      for (std::int64_t byte = 0; byte < 70; ++byte)
        EXPECT_EQ(missing.contains(byte), byte >= 10 && byte < 50 && !bytes.contains(byte)) << byte;
    }
  }
}

}  // namespace
}  // namespace tributary
