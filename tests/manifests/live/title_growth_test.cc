#include "manifests/live/title_growth.hh"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "manifests/manifest.hh"

namespace tributary::title_growth_test {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

/// A track whose segments begin at these milliseconds; the last number is where it ends.
ListedTrack cut(const std::string& id, TrackKind kind, const std::vector<std::int64_t>& cuts) {
  ListedTrack listed;
  listed.track.id = id;
  listed.track.kind = kind;
  listed.track.timescale = 1000;
  const DataRate rate = DataRate::bits_per_second(8000);
  listed.track.bitrate = {rate, rate, rate, rate};
  for (std::size_t i = 0; i + 1 < cuts.size(); ++i)
    listed.segments.push_back({id + "/" + std::to_string(cuts[i]), {}, cuts[i], cuts[i + 1] - cuts[i]});
  return listed;
}
ListedTrack low(const std::vector<std::int64_t>& cuts) { return cut("low", TrackKind::kVideo, cuts); }
ListedTrack high(const std::vector<std::int64_t>& cuts) { return cut("high", TrackKind::kVideo, cuts); }
ListedTrack sound(const std::vector<std::int64_t>& cuts) { return cut("sound", TrackKind::kAudio, cuts); }

Listing listing(std::vector<ListedTrack> tracks) { return {.tracks = std::move(tracks)}; }

/// The addresses of each segment that is added; "-" where it is lost.
std::vector<std::string> added(TitleGrowth& growth, std::vector<ListedTrack> tracks, bool complete = false) {
  Listing now = listing(std::move(tracks));
  now.complete = complete;
  std::vector<std::string> texts;
  for (const GrownSegment& segment : growth.take(now)) {
    std::string text = segment.lost ? "-" : "";
    for (const TrackSegment& told : segment.tracks) text += (text.empty() ? "" : " ") + told.place.uri;
    texts.push_back(segment.lost ? "-" : text);
  }
  return texts;
}

TEST(TitleGrowth, TellsEachSegmentOnceWhenAllQualitiesListIt) {
  TitleGrowth growth{listing({low({}), high({})})};
  EXPECT_THAT(added(growth, {low({0, 2000, 4000}), high({0, 2000})}), ElementsAre("low/0 high/0"));
  EXPECT_THAT(added(growth, {low({0, 2000, 4000}), high({0, 2000})}), IsEmpty());
  EXPECT_THAT(added(growth, {low({0, 2000, 4000}), high({0, 2000, 4000})}), ElementsAre("low/2000 high/2000"));
}

TEST(TitleGrowth, QualitiesThatAreCutALittleApartGoTogether) {
  TitleGrowth growth{listing({low({}), high({})})};
  EXPECT_THAT(added(growth, {low({0, 2000, 4000}), high({10, 1990, 4010})}),
              ElementsAre("low/0 high/10", "low/2000 high/1990"));
}

TEST(TitleGrowth, BeginsWhereAllQualitiesDo) {
  TitleGrowth growth{listing({low({}), high({})})};
  EXPECT_THAT(added(growth, {low({0, 2000, 4000, 6000}), high({2000, 4000, 6000})}),
              ElementsAre("low/2000 high/2000", "low/4000 high/4000"));
  EXPECT_EQ(growth.start_of(0), 2000);
}

TEST(TitleGrowth, WaitsForTheSoundOfAPicture) {
  TitleGrowth growth{listing({low({}), sound({})})};
  EXPECT_THAT(added(growth, {low({0, 2000, 4000}), sound({0, 1990})}), ElementsAre("low/0 sound/0"));
  EXPECT_THAT(added(growth, {low({0, 2000, 4000}), sound({0, 1990, 4010})}), ElementsAre("low/2000 sound/1990"));
}

TEST(TitleGrowth, LongSoundIsToldWithTheFirstPictureThatNeedsIt) {
  TitleGrowth growth{listing({low({}), sound({})})};
  EXPECT_THAT(added(growth, {low({0, 2000, 4000, 6000, 8000}), sound({0, 6000})}),
              ElementsAre("low/0 sound/0", "low/2000", "low/4000"));
}

TEST(TitleGrowth, ButNotForASoundThatHasEnded) {
  TitleGrowth growth{listing({low({}), sound({})})};
  EXPECT_THAT(added(growth, {low({0, 2000, 4000}), sound({0, 2000})}), ElementsAre("low/0 sound/0"));
  EXPECT_THAT(added(growth, {low({2000, 4000, 6000, 8000}), sound({0, 2000})}), IsEmpty());
  EXPECT_THAT(added(growth, {low({2000, 4000, 6000, 8000, 10000, 12000, 14000}), sound({0, 2000})}),
              ElementsAre("low/2000"));
  EXPECT_THAT(added(growth, {low({10000, 12000, 14000}), sound({0, 2000})}, true).size(), 5U) << "nothing will come";
}

TEST(TitleGrowth, SoundFromBeforeTheFirstPictureIsOfNoUse) {
  TitleGrowth growth{listing({low({}), sound({})})};
  EXPECT_THAT(added(growth, {low({4000, 6000}), sound({0, 2000, 4010, 6000})}), ElementsAre("low/4000 sound/4010"));
}

TEST(TitleGrowth, WhatNobodyListedWhileWeLookedIsALostSegment) {
  TitleGrowth growth{listing({low({}), sound({})})};
  added(growth, {low({0, 2000}), sound({0, 2000})});
  const std::vector<GrownSegment> after = growth.take(listing({low({10000, 12000}), sound({10000, 12000})}));
  ASSERT_EQ(after.size(), 2U);
  EXPECT_TRUE(after[0].lost);
  EXPECT_EQ(after[0].tracks[0].ticks, 8000U);
  EXPECT_FALSE(after[0].tracks[0].estimated) << "it has no byte";
  EXPECT_FALSE(after[1].lost);
  EXPECT_EQ(after[1].start, 10s);
}

ListedTrack without(ListedTrack listed, std::size_t segment) {
  listed.segments.erase(listed.segments.begin() + static_cast<std::ptrdiff_t>(segment));
  return listed;
}

TEST(TitleGrowth, OfASegmentThatOneQualityLacksTheFileOfTheOtherStandsForIt) {
  const std::vector<std::int64_t> cuts{0, 2000, 4000, 6000, 8000};
  for (const bool low_lacks : {false, true}) {
    TitleGrowth growth{listing({low({}), high({})})};
    added(growth, {low({0, 2000}), high({0, 2000})});
    const std::string other = low_lacks ? "high/2000 high/2000" : "low/2000 low/2000";
    EXPECT_THAT(
        added(growth, {low_lacks ? without(low(cuts), 1) : low(cuts), low_lacks ? high(cuts) : without(high(cuts), 1)}),
        ElementsAre(other, "low/4000 high/4000", "low/6000 high/6000"));
  }
}

TEST(TitleGrowth, OneThatAllLackIsLostUpToWhereTheFirstGoesOn) {
  TitleGrowth growth{listing({low({}), high({})})};
  added(growth, {low({0, 2000}), high({0, 2000})});
  EXPECT_THAT(added(growth, {low({6000, 8000}), high({4000, 6000, 8000})}),
              ElementsAre("-", "high/4000 high/4000", "low/6000 high/6000"));
}

ListedTrack gone(ListedTrack listed) {
  listed.is_there = false;
  return listed;
}

TEST(TitleGrowth, AQualityThatIsNotThereIsNotWaitedFor) {
  TitleGrowth growth{listing({low({}), high({})})};
  EXPECT_THAT(added(growth, {low({0, 2000}), gone(high({}))}), ElementsAre("low/0 low/0")) << "from the beginning";
  EXPECT_THAT(added(growth, {gone(low({})), high({0, 2000, 4000})}), ElementsAre("high/2000 high/2000"));
  EXPECT_THAT(added(growth, {low({0, 2000, 4000, 6000}), high({0, 2000, 4000, 6000})}),
              ElementsAre("low/4000 high/4000"));
  EXPECT_THAT(added(growth, {gone(low({2000, 4000, 6000, 8000})), high({4000, 6000})}), IsEmpty())
      << "what it lists alone is not told";
}

TEST(TitleGrowth, TheNextLowerQualityStandsForOneThatIsNotThere) {
  const auto at = [](ListedTrack listed, double rate) {
    listed.track.bitrate.average = DataRate::bits_per_second(rate);
    return listed;
  };
  const ListedTrack mid = cut("mid", TrackKind::kVideo, {0, 2000});
  TitleGrowth growth{listing({at(low({}), 1), at(cut("mid", TrackKind::kVideo, {}), 2), at(high({}), 3)})};
  EXPECT_THAT(added(growth, {at(low({0, 2000}), 1), at(mid, 2), gone(at(high({}), 3))}),
              ElementsAre("low/0 mid/0 mid/0"));
  EXPECT_THAT(added(growth, {gone(at(low({}), 1)), at(cut("mid", TrackKind::kVideo, {2000, 4000}), 2),
                             at(high({2000, 4000}), 3)}),
              ElementsAre("mid/2000 mid/2000 high/2000"));
}

TEST(TitleGrowth, ASoundThatIsNotThereIsSilentUntilItComesBack) {
  TitleGrowth growth{listing({low({}), sound({})})};
  EXPECT_THAT(added(growth, {low({4000, 6000}), gone(sound({}))}), ElementsAre("low/4000 "));
  EXPECT_THAT(added(growth, {low({4000, 6000, 8000}), sound({4000, 6000, 8010})}), ElementsAre("low/6000 sound/6000"));
  const std::vector<GrownSegment> after = growth.take(listing({low({8000, 10000}), gone(sound({}))}));
  ASSERT_EQ(after.size(), 1U);
  EXPECT_FALSE(after[0].lost);
  EXPECT_EQ(after[0].tracks.at(1).ticks, 1990U);
  EXPECT_EQ(growth.start_of(1), 4000);
}

TEST(TitleGrowth, AStretchIsToldWhereTheFileOfAnotherQualityBeginsToStandForIt) {
  TitleGrowth growth{listing({low({}), high({})})};
  const auto listed = [](ListedTrack track, std::int64_t offset) {
    for (ListedSegment& segment : track.segments) segment.stretch = 1;
    track.stretches[1].offset = offset;
    return track;
  };
  const auto offsets = [&](ListedTrack first, ListedTrack second) {
    std::vector<std::int64_t> told;
    for (const GrownSegment& segment : growth.take(listing({std::move(first), std::move(second)}))) {
      const auto& stretch = segment.tracks.at(1).stretch;
      told.push_back(stretch ? stretch->offset : -1);
    }
    return told;
  };
  EXPECT_THAT(offsets(listed(low({0, 2000}), 10), listed(high({0, 2000}), 20)), ElementsAre(20));
  EXPECT_THAT(offsets(listed(low({0, 2000, 4000, 6000}), 10), gone(high({}))), ElementsAre(10, -1));
  EXPECT_THAT(offsets(listed(low({6000, 8000}), 10), listed(high({6000, 8000}), 20)), ElementsAre(20));
}

TEST(TitleGrowth, ASmallHoleBelongsToTheSegmentBehindIt) {
  TitleGrowth growth{listing({low({})})};
  added(growth, {low({0, 2000})});
  const std::vector<GrownSegment> after = growth.take(listing({low({2100, 4100})}));
  ASSERT_EQ(after.size(), 1U);
  EXPECT_EQ(after[0].start, 2s);
  EXPECT_EQ(after[0].tracks[0].ticks, 2100U);
  EXPECT_EQ(after[0].tracks[0].size, DataSize{2100}) << "8 kbit/s";
}

/// Of these segments, those from `begin` on are in the stretch with this number.
ListedTrack in_stretch(ListedTrack listed, std::uint32_t number, std::int64_t begin) {
  for (ListedSegment& segment : listed.segments) {
    if (segment.start >= begin) segment.stretch = number;
  }
  listed.stretches[number].offset = 10 * number;
  return listed;
}

/// "address:ticks" of the first track, with the offset where a stretch begins.
std::vector<std::string> added_with_stretches(TitleGrowth& growth, std::vector<ListedTrack> tracks) {
  std::vector<std::string> texts;
  for (const GrownSegment& segment : growth.take(listing(std::move(tracks)))) {
    const TrackSegment& told = segment.tracks.front();
    texts.push_back(told.place.uri + ":" + std::to_string(told.ticks));
    if (told.stretch) texts.back() += "!" + std::to_string(told.stretch->offset);
  }
  return texts;
}

TEST(TitleGrowth, AStretchIsToldWithItsFirstSegment) {
  TitleGrowth growth{listing({low({})})};
  EXPECT_THAT(added_with_stretches(growth, {in_stretch(low({0, 2000}), 1, 0)}), ElementsAre("low/0:2000!10"));
  const ListedTrack both = in_stretch(in_stretch(low({0, 2000, 4000, 6000, 8000}), 1, 0), 2, 4000);
  EXPECT_THAT(added_with_stretches(growth, {both}), ElementsAre("low/2000:2000", "low/4000:2000!20", "low/6000:2000"));
  EXPECT_THAT(added_with_stretches(growth, {both}), IsEmpty());
}

TEST(TitleGrowth, AStretchEndsWhereTheNextOneBegins) {
  TitleGrowth growth{listing({low({})})};
  ListedTrack overlapping = in_stretch(low({0, 2000, 4000}), 1, 0);
  const ListedTrack next = in_stretch(low({3000, 5000}), 2, 0);
  overlapping.segments.push_back(next.segments.front());
  overlapping.stretches[2] = next.stretches.at(2);
  EXPECT_THAT(added_with_stretches(growth, {overlapping}),
              ElementsAre("low/0:2000!10", "low/2000:1000", "low/3000:2000!20"));
}

TEST(TitleGrowth, ALostSegmentBeginsNoStretch) {
  TitleGrowth growth{listing({low({})})};
  added_with_stretches(growth, {in_stretch(low({0, 2000}), 1, 0)});
  ListedTrack lost = in_stretch(low({2000, 4000, 6000}), 2, 0);
  lost.segments.front().url.clear();
  EXPECT_THAT(added_with_stretches(growth, {lost}), ElementsAre(":2000", "low/4000:2000!20"));
}

TEST(TitleGrowth, RefusesOtherTracksAndAnEndFarAway) {
  TitleGrowth growth{listing({low({})})};
  added(growth, {low({0, 2000})});
  EXPECT_THROW(growth.take(listing({high({2000, 4000})})), ManifestError);
  std::vector<std::int64_t> cuts;
  for (std::int64_t i = 0; i < 100'010; ++i) cuts.push_back(2000 + i);
  EXPECT_THROW(growth.take(listing({low(cuts)})), ManifestError);
}

TEST(TitleGrowth, ListingsNeedNotGoBackBehindTheShortestTrack) {
  TitleGrowth growth{listing({low({}), sound({})})};
  added(growth, {low({0, 2000, 4000}), sound({0, 2000})});
  EXPECT_EQ(growth.needed_after(), 2s);
}

TEST(LiveQualities, AreSwitchedBetweenWhereTheyAreCutAlike) {
  EXPECT_EQ(why_not_switchable(high({300, 2300}), low({0, 2000, 4000})), std::nullopt);
  EXPECT_EQ(why_not_switchable(high({2000, 4000, 6000}), low({0, 2000, 4000})), std::nullopt);
  EXPECT_THAT(*why_not_switchable(high({0, 4000, 8000}), low({0, 2000, 4000, 6000, 8000})),
              ::testing::HasSubstr("other lengths than low"));
  EXPECT_THAT(*why_not_switchable(high({1200, 3200}), low({0, 2000, 4000})), ::testing::HasSubstr("0.800 s apart"));
  EXPECT_THAT(*why_not_switchable(high({100000, 102000}), low({0, 2000, 4000})), ::testing::HasSubstr("other times"));
}

}  // namespace
}  // namespace tributary::title_growth_test
