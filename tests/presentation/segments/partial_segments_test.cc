#include "presentation/segments/partial_segments.hh"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/tables.hh"

namespace tributary {
namespace {

using namespace literals;
using namespace std::chrono_literals;
using ::testing::ElementsAre;

TEST(PartialSegments, AreRangesOfTheirSegments) {
  const Presentation whole = testing::presentation_of({{"low", {1001_B, 2_kB}}});
  const Presentation cut = in_partial_segments(whole, 600ms);
  const Track& low = cut.tracks[0];
  EXPECT_THAT(low.durations, ElementsAre(500, 500, 500, 500, 500, 500, 500, 500));
  EXPECT_THAT(low.sizes, ElementsAre(250_B, 250_B, 250_B, 251_B, 500_B, 500_B, 500_B, 500_B));
  EXPECT_EQ(low.segment(SegmentIndex{6}).uri, "low/00002.bin");
  EXPECT_EQ(low.segment(SegmentIndex{6}).range, (ByteRange{1_kB, 1500_B}));
  EXPECT_EQ(low.continues, (std::vector<bool>{false, true, true, true, false, true, true, true}));
  EXPECT_EQ(cut.last_duration(), 500ms);
}

TEST(PartialSegments, WhatIsAsShortStaysWhole) {
  const Presentation whole = testing::presentation_of({{"low", {1001_B, 2_kB}}});
  const Presentation cut = in_partial_segments(whole, 2s);
  EXPECT_EQ(cut.tracks[0].sizes, whole.tracks[0].sizes);
  EXPECT_FALSE(SegmentTable{cut}.continues(SegmentIndex{1}));
}

TEST(PartialSegments, EstimatesCannotBeCut) {
  Presentation whole = testing::presentation_of({{"low", {1001_B, 2_kB}}});
  whole.tracks[0].estimated = {false, true};
  EXPECT_THROW(in_partial_segments(whole, 500ms), std::invalid_argument);
}

TEST(PartialSegments, TheLastOnesBeginAtASwitchPoint) {
  const Presentation cut = in_partial_segments(testing::presentation_of({{"low", {1_kB, 2_kB, 3_kB}}}), 500ms);
  const SegmentTable last{cut.last_segments(3)};
  EXPECT_EQ(last.segment_count(), 4U);
  EXPECT_FALSE(last.continues(SegmentIndex{0}));
  EXPECT_EQ(last.switch_point(SegmentIndex{3}), SegmentIndex{0});
}

TEST(PartialSegments, AGrowingTrackRemembersWhichContinue) {
  Track track;
  append(track, {.size = 1_kB, .ticks = 1, .estimated = true});
  append(track, {.size = 1_kB, .ticks = 1, .continues = true});
  EXPECT_EQ(track.estimated, (std::vector<bool>{true, false}));
  EXPECT_EQ(track.continues, (std::vector<bool>{false, true}));
}

}  // namespace
}  // namespace tributary
