#include "manifests/listed_track.hh"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "manifests/manifest.hh"

namespace tributary {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

Track track(const std::string& id = "low") {
  Track result;
  result.id = id;
  result.timescale = 1000;
  result.bitrate.average = DataRate::bits_per_second(800'000);
  return result;
}

ListedSegment at(std::int64_t start, std::int64_t duration) {
  return {"https://film.example/a", std::nullopt, start, duration};
}

Track with(const std::vector<ListedSegment>& segments, const std::string& id = "low") {
  Track result = track(id);
  set_segments(result, segments, "here");
  return result;
}

TEST(ListedTrack, AHoleBelongsToTheSegmentBeforeIt) {
  EXPECT_THAT(with({at(0, 2000), at(2000, 2000), at(6000, 2000)}).durations, ElementsAre(2000, 4000, 2000));
}

TEST(ListedTrack, OfSegmentsThatOverlapTheLaterOneBeginsWhereItSays) {
  EXPECT_THAT(with({at(0, 2100), at(2000, 2100)}).durations, ElementsAre(2000, 2100));
}

TEST(ListedTrack, ASegmentOfNoLengthLastsATick) {
  EXPECT_THAT(with({at(0, 2000), at(2000, 0), at(2000, 2000)}).durations, ElementsAre(2000, 1, 2000));
}

TEST(ListedTrack, TimesNeverGoBack) {
  Track result = track();
  try {
    set_segments(result, {at(0, 2000), at(2000, 2000), at(1000, 2000)}, "here");
    ADD_FAILURE();
  } catch (const ManifestError& error) {
    EXPECT_THAT(error.what(), HasSubstr("here: segment 3 begins earlier than the one before"));
  }
  EXPECT_THROW(set_segments(result, {}, "here"), ManifestError);
}

TEST(ListedTrack, SizesAreEstimatedUnlessRangesStateThem) {
  const Track estimated = with({at(0, 2000)});
  EXPECT_THAT(estimated.sizes, ElementsAre(DataSize{200'000}));
  EXPECT_TRUE(estimated.segment(SegmentIndex{0}).whole_file);
  EXPECT_TRUE(estimated.is_estimate(SegmentIndex{0}));

  ListedSegment ranged = at(0, 2000);
  ranged.range = ByteRange{DataSize{100}, DataSize{400}};
  const Track exact = with({ranged});
  EXPECT_EQ(exact.segment(SegmentIndex{0}).range, *ranged.range);
  EXPECT_FALSE(exact.segment(SegmentIndex{0}).whole_file);
  EXPECT_FALSE(exact.is_estimate(SegmentIndex{0}));

  ListedSegment rated = at(0, 2000);
  rated.bitrate = DataRate::bits_per_second(400'000);
  EXPECT_THAT(with({rated}).sizes, ElementsAre(DataSize{100'000}));
}

TEST(ListedTrack, ASegmentMustFitIntoMemory) {
  Track result = track();
  try {
    set_segments(result, {at(0, 40'000'000)}, "Representation[1]");
    ADD_FAILURE();
  } catch (const ManifestError& error) {
    EXPECT_THAT(error.what(), HasSubstr("Representation[1]: a segment of about"));
  }
}

TEST(ListedTrack, QualitiesAreSwitchedBetweenEqualSegments) {
  const Track a = with({at(0, 2000), at(2000, 2000)}, "a");
  EXPECT_EQ(why_not_switchable(with({at(0, 2040), at(2040, 1960)}), a), std::nullopt);
  EXPECT_THAT(*why_not_switchable(with({at(0, 4000)}), a), HasSubstr("has 1 segments, and a has 2"));
  EXPECT_THAT(*why_not_switchable(with({at(0, 3500), at(3500, 500)}), a), HasSubstr("begins segment 2 1.500 s apart"));
}

TEST(TrackNames, AreFitForFoldersAndEachIsGivenOnce) {
  TrackNames names;
  EXPECT_EQ(names.take("720p"), "720p");
  EXPECT_EQ(names.take("720p"), "720p-2");
  EXPECT_EQ(names.take("Ton (de)/1"), "Ton__de__1");
  EXPECT_EQ(names.take(".."), "track..");
  EXPECT_EQ(names.take(""), "track");
}

}  // namespace
}  // namespace tributary
