#include "units/byte_set.hh"

#include <gmock/gmock.h>

#include <set>

#include "units/split_mix.hh"

namespace tributary {
namespace {

using namespace literals;
using testing::ElementsAre;
using testing::IsEmpty;

TEST(ByteSet, RangesThatOverlapOrTouchBecomeOne) {
  ByteSet set;
  set.add({10_B, 20_B});
  set.add({30_B, 40_B});
  set.add({20_B, 25_B});
  EXPECT_EQ(set.size(), 25_B);
  EXPECT_THAT(set.gaps_in({0_B, 50_B}),
              ElementsAre(ByteRange{0_B, 10_B}, ByteRange{25_B, 30_B}, ByteRange{40_B, 50_B}));
  set.add({5_B, 45_B});
  EXPECT_EQ(set.size(), 40_B);
  EXPECT_THAT(set.gaps_in({5_B, 45_B}), IsEmpty());
}

TEST(ByteSet, GapsEndWithTheRangeAskedFor) {
  ByteSet set;
  set.add({10_B, 20_B});
  EXPECT_THAT(set.gaps_in({0_B, 5_B}), ElementsAre(ByteRange{0_B, 5_B}));
  EXPECT_THAT(set.gaps_in({12_B, 18_B}), IsEmpty());
  EXPECT_THAT(set.gaps_in({15_B, 30_B}), ElementsAre(ByteRange{20_B, 30_B}));
  EXPECT_THAT(set.gaps_in({7_B, 7_B}), IsEmpty());
}

TEST(ByteSet, IsTheSetOfItsBytes) {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    SCOPED_TRACE(seed);
    SplitMix random{seed};
    ByteSet set;
    std::set<std::int64_t> bytes;
    for (int i = 0; i < 20; ++i) {
      const std::int64_t begin = random.below(60);
      const std::int64_t end = begin + random.below(8);
      set.add({DataSize{begin}, DataSize{end}});
      for (std::int64_t byte = begin; byte < end; ++byte) bytes.insert(byte);
      EXPECT_EQ(set.size().bytes(), std::ssize(bytes));

      std::set<std::int64_t> missing;
      for (const ByteRange& gap : set.gaps_in({10_B, 50_B})) {
        for (std::int64_t byte = gap.begin.bytes(); byte < gap.end.bytes(); ++byte) missing.insert(byte);
      }
      for (std::int64_t byte = 0; byte < 70; ++byte)
        EXPECT_EQ(missing.contains(byte), byte >= 10 && byte < 50 && !bytes.contains(byte)) << byte;
    }
  }
}

}  // namespace
}  // namespace tributary
