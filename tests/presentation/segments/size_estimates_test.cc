#include "presentation/segments/size_estimates.hh"

#include <gtest/gtest.h>

#include "presentation/json/json_index.hh"
#include "presentation/segments/segment_table.hh"
#include "support/tables.hh"

namespace tributary {
namespace {

using namespace literals;

constexpr QualityIndex kLow{0}, kHigh{1};

/// Two qualities that declare 400 and 800 kbit/s, in segments of 2 s.
SegmentTable without_known_sizes() {
  return SegmentTable{
      without_sizes(testing::presentation_of({{"low", {100_kB, 100_kB, 100_kB}}, {"high", {200_kB, 200_kB, 200_kB}}}))};
}

void learn(SegmentTable& table, int segment, QualityIndex quality, DataSize size) {
  const auto index = static_cast<SegmentIndex>(segment);
  table.learn_size(table.parts(index, quality).back(), size);
}

DataSize size(const SegmentTable& table, int segment, QualityIndex quality) {
  return table.size(static_cast<SegmentIndex>(segment), quality);
}

TEST(SizeEstimates, BeginWithBitrateTimesDuration) {
  const SegmentTable table = without_known_sizes();
  EXPECT_EQ(size(table, 0, kLow), 100_kB);
  EXPECT_EQ(size(table, 2, kHigh), 200_kB);
  EXPECT_TRUE(table.parts(SegmentIndex{0}, kLow).back().resource.estimated);
}

TEST(SizeEstimates, WhatIsLearntIsExact) {
  SegmentTable table = without_known_sizes();
  learn(table, 1, kLow, 50_kB);
  EXPECT_EQ(size(table, 1, kLow), 50_kB);
  EXPECT_FALSE(table.parts(SegmentIndex{1}, kLow).back().resource.estimated);
  learn(table, 1, kLow, 70_kB);  // a second statement changes nothing: transports refuse it
  EXPECT_EQ(size(table, 1, kLow), 50_kB);
}

TEST(SizeEstimates, TheSameSegmentInAnotherQualityIsAsComplex) {
  SegmentTable table = without_known_sizes();
  learn(table, 1, kLow, 50_kB);
  EXPECT_NEAR(size(table, 1, kHigh).kilobytes(), 100, .1);
}

TEST(SizeEstimates, TheSizeOfASoundSaysNothingOfPicturesThatShareAFile) {
  Presentation title = testing::presentation_of({{"low", {100_kB}}, {"high", {200_kB}}});
  for (Track& track : title.tracks) track.places = {{.uri = "both", .begin = {}}};
  Track sound = title.tracks[0];
  sound.id = "sound";
  sound.kind = TrackKind::kAudio;
  title.tracks.push_back(std::move(sound));
  SegmentTable table{without_sizes(std::move(title))};
  const DataSize low = table.parts(SegmentIndex{0}, kLow).back().size();
  table.learn_size(table.parts(SegmentIndex{0}, kLow).front(), 7_kB);
  EXPECT_EQ(table.parts(SegmentIndex{0}, kLow).front().size(), 7_kB);
  EXPECT_EQ(table.parts(SegmentIndex{0}, kLow).back().size(), low);
  EXPECT_TRUE(table.parts(SegmentIndex{0}, kHigh).back().resource.estimated);
}

/// As a key, or the sound, among the pictures that somebody else's player wants.
TEST(SizeEstimates, AFileThatIsTheSameInAllQualitiesSaysNothingOfOthers) {
  Presentation files = without_sizes(testing::presentation_of({{"low", {100_kB}}, {"high", {200_kB}}}));
  files.live = LiveWindow{};
  files.complete = false;
  for (Track& track : files.tracks) track.places = {{.uri = track.id, .begin = {}}};
  SegmentTable table{std::move(files)};
  const TrackSegment key{.size = 100_kB, .ticks = 2000, .estimated = true, .place = {.uri = "key", .begin = {}}};
  table.append(std::vector{key, key});
  learn(table, 1, kLow, 16_B);
  EXPECT_EQ(size(table, 1, kLow), 16_B);
  EXPECT_EQ(size(table, 1, kHigh), 16_B);
  EXPECT_EQ(size(table, 0, kLow), 100_kB);
  EXPECT_EQ(size(table, 0, kHigh), 200_kB);
}

/// A manifest's bitrate counts as one segment.
TEST(SizeEstimates, OtherSegmentsFollow) {
  SegmentTable table = without_known_sizes();
  learn(table, 0, kLow, 50_kB);
  EXPECT_EQ(size(table, 2, kLow), 75_kB);
  EXPECT_EQ(size(table, 2, kHigh), 150_kB);
  learn(table, 1, kLow, 50_kB);
  EXPECT_LT(size(table, 2, kLow), 70_kB);
}

TEST(SizeEstimates, TheirErrorsAreCounted) {
  SegmentTable good = without_known_sizes(), bad = without_known_sizes();
  const double before = good.estimates().error(false);
  for (int segment = 0; segment < 3; ++segment) {
    learn(good, segment, kLow, 100_kB);
    learn(bad, segment, kLow, segment == 1 ? 300_kB : 50_kB);
  }
  EXPECT_LT(good.estimates().error(false), before);
  EXPECT_GT(bad.estimates().error(false), before);
  EXPECT_EQ(good.estimates().error(true), bad.estimates().error(true));  // of the same scene none is known yet
  learn(good, 0, kHigh, 200_kB);
  learn(bad, 0, kHigh, 400_kB);
  EXPECT_LT(good.estimates().error(true), bad.estimates().error(true));
}

TEST(SizeEstimates, ThatOfAPartIsThatOfItsKind) {
  SegmentTable table = without_known_sizes();
  learn(table, 0, kLow, 100_kB);
  const auto error = [&](int segment) {
    return table.error_of_estimate(table.parts(static_cast<SegmentIndex>(segment), kHigh).back());
  };
  EXPECT_EQ(error(0), table.estimates().error(true));
  EXPECT_EQ(error(1), table.estimates().error(false));
}

TEST(SizeEstimates, SizesThatAManifestStatesStay) {
  Presentation exact = testing::presentation_of({{"low", {100_kB, 100_kB}}});
  SegmentTable table{exact};
  learn(table, 0, kLow, 50_kB);
  EXPECT_EQ(size(table, 0, kLow), 100_kB);
}

/// As a trace keeps it.
Presentation kept(const Presentation& presentation) {
  return read_index(write_index(without_addresses(presentation), "", ""));
}

TEST(SizeEstimates, AreKeptInTracesAsEstimates) {
  Presentation title = without_sizes(testing::presentation_of({{"low", {100_kB, 100_kB}}, {"high", {200_kB, 200_kB}}}));
  title.own_grids = true;
  title.tracks[0].init = Resource{"init.mp4", {0_B, 2_kB}, true, true};
  const Presentation read = kept(title);
  EXPECT_TRUE(read.own_grids);
  EXPECT_EQ(read.tracks[0].estimated, std::vector<bool>(2, true));
  EXPECT_TRUE(read.tracks[0].init->estimated);
  EXPECT_EQ(read.tracks[1].sizes, title.tracks[1].sizes);
}

TEST(SizeEstimates, TracesKeepNoAddresses) {
  Presentation title = testing::presentation_of({{"low", {100_kB}}});
  title.tracks[0].places = {{"https://cdn.example/1.m4s?token=secret", std::nullopt}};
  title.tracks[0].init = Resource{"https://cdn.example/init.mp4?token=secret", {0_B, 2_kB}};
  EXPECT_EQ(write_index(without_addresses(title), "", "").find("secret"), std::string::npos);
  EXPECT_EQ(kept(title).tracks[0].sizes, title.tracks[0].sizes);
}

}  // namespace
}  // namespace tributary
