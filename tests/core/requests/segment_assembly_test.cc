#include "core/requests/segment_assembly.hh"

#include <gtest/gtest.h>

namespace tributary {
namespace {

using namespace literals;

SegmentAssembly sound_and_picture() { return {SegmentIndex{7}, QualityIndex{2}, {10_kB, 300_kB}}; }

TEST(SegmentAssembly, GivesItselfOutFromFrontToBackPartByPart) {
  SegmentAssembly segment = sound_and_picture();
  EXPECT_EQ(segment.new_bytes(), 310_kB);
  EXPECT_EQ(segment.next_new()->part, 0U);
  EXPECT_EQ(segment.next_new()->range, (ByteRange{0_kB, 10_kB}));
  segment.take_new(10_kB);
  segment.take_new(100_kB);
  EXPECT_EQ(segment.next_new()->part, 1U);
  EXPECT_EQ(segment.next_new()->range, (ByteRange{100_kB, 300_kB}));
  segment.take_new(200_kB);
  EXPECT_FALSE(segment.next_new());
  EXPECT_EQ(segment.new_bytes(), 0_B);
}

TEST(SegmentAssembly, IsCompleteWhenEveryByteIsHereInWhateverOrder) {
  SegmentAssembly segment = sound_and_picture();
  segment.receive(1, {200_kB, 300_kB});
  segment.receive(0, {0_kB, 10_kB});
  segment.receive(1, {0_kB, 150_kB});
  EXPECT_FALSE(segment.complete());
  EXPECT_EQ(segment.missing(), 50_kB);
  segment.receive(1, {150_kB, 200_kB});
  EXPECT_TRUE(segment.complete());
}

TEST(SegmentAssembly, BytesThatComeTwiceCountOnce) {
  SegmentAssembly segment = sound_and_picture();
  segment.receive(1, {0_kB, 100_kB});
  segment.receive(1, {50_kB, 120_kB});
  EXPECT_EQ(segment.missing(), 190_kB);
}

TEST(SegmentAssembly, WhatIsGivenBackLeavesOutWhatHasComeOtherwise) {
  SegmentAssembly segment = sound_and_picture();
  segment.receive(1, {20_kB, 30_kB});
  segment.give_back({1, {10_kB, 50_kB}, LinkId{1}, 0});
  ASSERT_EQ(segment.given_back().size(), 2U);
  EXPECT_EQ(segment.given_back_bytes(), 30_kB);
  EXPECT_EQ(segment.take_given_back(0).range, (ByteRange{10_kB, 20_kB}));
  EXPECT_EQ(segment.take_given_back(0).range, (ByteRange{30_kB, 50_kB}));
  EXPECT_TRUE(segment.given_back().empty());
}

// ---- Places further back

ByteRange taken_behind(SegmentAssembly& segment, DataSize others, DataSize size) {
  const WantedRange place = segment.place_behind(others, size, 10_kB);
  segment.take(place);
  return place.range;
}

TEST(SegmentAssembly, APlaceFurtherBackLeavesAGapThatIsGivenOutFirst) {
  SegmentAssembly segment{SegmentIndex{7}, QualityIndex{2}, {300_kB}};
  EXPECT_EQ(taken_behind(segment, 80_kB, 20_kB), (ByteRange{80_kB, 100_kB}));
  EXPECT_EQ(segment.new_bytes(), 280_kB);
  EXPECT_EQ(segment.next_new()->range, (ByteRange{0_kB, 80_kB}));
  segment.take_new(80_kB);
  EXPECT_EQ(segment.next_new()->range, (ByteRange{100_kB, 300_kB}));
  segment.take_new(200_kB);
  EXPECT_FALSE(segment.next_new());
  EXPECT_EQ(segment.new_bytes(), 0_kB);
}

TEST(SegmentAssembly, BytesThatAreAskedForAlreadyDoNotCountAsThoseOfOthers) {
  SegmentAssembly segment{SegmentIndex{7}, QualityIndex{2}, {300_kB}};
  taken_behind(segment, 80_kB, 20_kB);
  EXPECT_EQ(taken_behind(segment, 100_kB, 20_kB), (ByteRange{120_kB, 140_kB}));
}

TEST(SegmentAssembly, AGapOfFewBytesIsNotLeft) {
  SegmentAssembly segment{SegmentIndex{7}, QualityIndex{2}, {300_kB}};
  EXPECT_EQ(taken_behind(segment, 9_kB, 20_kB), (ByteRange{0_kB, 20_kB}));
  EXPECT_EQ(taken_behind(segment, 260_kB, 15_kB), (ByteRange{280_kB, 300_kB})) << "nor one behind it";
}

TEST(SegmentAssembly, BehindTheEndThereIsTheEnd) {
  SegmentAssembly segment{SegmentIndex{7}, QualityIndex{2}, {300_kB}};
  EXPECT_EQ(taken_behind(segment, 5000_kB, 20_kB), (ByteRange{280_kB, 300_kB}));
  EXPECT_EQ(taken_behind(segment, 5000_kB, 20_kB), (ByteRange{260_kB, 280_kB}));
}

TEST(SegmentAssembly, OfAnEstimateNoPlaceBeginsBehindItsHalf) {
  SegmentAssembly segment{SegmentIndex{7}, QualityIndex{2}, {PartSize{40_kB, true}}};  // with its margin 50 kB
  EXPECT_EQ(taken_behind(segment, 5000_kB, 10_kB), (ByteRange{25_kB, 35_kB}));
}

TEST(SegmentAssembly, APlaceBehindTheRealEndIsForgotten) {
  SegmentAssembly segment{SegmentIndex{7}, QualityIndex{2}, {PartSize{400_kB, true}}};
  taken_behind(segment, 160_kB, 40_kB);
  segment.learn_size(0, 150_kB);
  EXPECT_EQ(segment.new_bytes(), 150_kB);
  segment.take_new(150_kB);
  segment.receive(0, {0_kB, 150_kB});
  EXPECT_TRUE(segment.complete());
}

TEST(SegmentAssembly, APartThatIsRestartedIsWantedWholeAndOnce) {
  SegmentAssembly segment = sound_and_picture();
  segment.take_new(10_kB);
  segment.take_new(100_kB);
  segment.receive(1, {0_kB, 40_kB});
  segment.give_back({1, {40_kB, 100_kB}, LinkId{0}, 0});
  segment.restart_part(1, LinkId{0}, 1);
  ASSERT_EQ(segment.given_back().size(), 1U);
  EXPECT_EQ(segment.given_back()[0].range, (ByteRange{0_kB, 300_kB}));
  EXPECT_FALSE(segment.next_new());
}

SegmentAssembly of_unknown_size(DataSize estimate) {
  return {SegmentIndex{7}, QualityIndex{2}, {PartSize{estimate, true}}};
}

TEST(SegmentAssembly, OfALargePartOfUnknownSizeTheFirstHalfIsGivenOut) {
  SegmentAssembly segment = of_unknown_size(400_kB);
  EXPECT_EQ(segment.next_new()->range, (ByteRange{0_kB, 200_kB}));
  EXPECT_EQ(segment.new_bytes(), 400_kB);
  segment.take_new(200_kB);
  EXPECT_FALSE(segment.next_new());
  segment.learn_size(0, 450_kB);
  EXPECT_EQ(segment.next_new()->range, (ByteRange{200_kB, 450_kB}));
  EXPECT_EQ(segment.new_bytes(), 250_kB);
}

TEST(SegmentAssembly, ASmallPartOfUnknownSizeIsGivenOutWithAMargin) {
  EXPECT_EQ(of_unknown_size(20_kB).next_new()->range, (ByteRange{0_kB, 25_kB}));
}

TEST(SegmentAssembly, IsNotCompleteBeforeAllSizesAreKnown) {
  SegmentAssembly segment = of_unknown_size(20_kB);
  segment.take_new(25_kB);
  segment.receive(0, {0_kB, 16_kB});
  EXPECT_FALSE(segment.complete());
  segment.learn_size(0, 16_kB);
  EXPECT_TRUE(segment.complete());
}

TEST(SegmentAssembly, APartThatEndsEarlyOwesNothingBehindItsEnd) {
  SegmentAssembly segment = of_unknown_size(400_kB);
  segment.take_new(100_kB);
  segment.take_new(100_kB);
  segment.give_back({0, {100_kB, 200_kB}, LinkId{0}, 0});
  segment.learn_size(0, 120_kB);
  EXPECT_EQ(segment.take_given_back(0).range, (ByteRange{100_kB, 120_kB}));
  segment.give_back({0, {100_kB, 200_kB}, LinkId{0}, 0});
  EXPECT_EQ(segment.given_back_bytes(), 20_kB);
  EXPECT_FALSE(segment.next_new());
  segment.receive(0, {0_kB, 120_kB});
  EXPECT_TRUE(segment.complete());
}

TEST(SegmentAssembly, WhereNoAnswerTellsTheSizeMoreIsGivenOut) {
  SegmentAssembly segment = of_unknown_size(400_kB);
  for (int i = 0; i < 20; ++i) {
    const auto wanted = segment.next_new();
    ASSERT_TRUE(wanted);
    segment.take_new(wanted->range.size());
    EXPECT_FALSE(segment.next_new());
    segment.receive(0, wanted->range);
    EXPECT_FALSE(segment.complete());
  }
}

TEST(SegmentAssembly, AWholePartOfUnknownSizeReachesAsFarAsItsBytes) {
  SegmentAssembly segment = of_unknown_size(400_kB);
  segment.restart_part(0, LinkId{0}, 1);
  segment.take_given_back(0);
  EXPECT_FALSE(segment.next_new());
  segment.reaches(0, 700_kB);
  segment.receive(0, {0_kB, 700_kB}, true);
  EXPECT_FALSE(segment.next_new()) << "the answer itself goes on";
  EXPECT_FALSE(segment.complete());
  segment.learn_size(0, 700_kB);
  EXPECT_TRUE(segment.complete());
}

TEST(SegmentAssembly, WhereEstimatesAreGoodMoreThanAHalfIsAskedForAtOnce) {
  const auto first_end = [](double error) {
    return SegmentAssembly{SegmentIndex{7}, QualityIndex{2}, {PartSize{400_kB, true, error}}}.next_new()->range.end;
  };
  EXPECT_EQ(first_end(.01), 384_kB);
  EXPECT_EQ(first_end(.1), 240_kB);
  EXPECT_EQ(first_end(.2), 200_kB);
  EXPECT_EQ(first_end(1), 200_kB);
}

TEST(SegmentAssembly, WhatHasToComeInOneAnswerIsAskedForAsLongAsItIsThoughtToBe) {
  SegmentAssembly assembly{SegmentIndex{0}, QualityIndex{0}, {{400_kB, true, 0.5}}, 0};
  EXPECT_LT(assembly.next_new()->range.end, 400_kB);
  assembly.give_out_whole();
  EXPECT_EQ(assembly.next_new()->range, (ByteRange{0_B, 400_kB}));
}

}  // namespace
}  // namespace tributary
