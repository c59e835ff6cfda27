#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "presentation/json/json_index.hh"
#include "presentation/segments/segment_table.hh"

namespace tributary {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

Resource init_at(const char* uri, std::int64_t bytes) { return {uri, {DataSize{}, DataSize{bytes}}}; }

SegmentIndex nth(std::size_t i) { return static_cast<SegmentIndex>(i); }

Track track(TrackKind kind, const std::string& id, std::size_t segments, std::uint64_t ticks) {
  Track made;
  made.id = id;
  made.kind = kind;
  made.group = to_string(kind);
  made.codec = made.mime = "x";
  made.timescale = 10;
  made.width = made.height = made.frame_rate_num = made.sample_rate = made.channels = 1;
  const auto rate = DataRate::bits_per_second(1e6);
  made.bitrate = {rate, rate, rate, rate};
  made.init = init_at("a", 100);
  made.uri = id + "/{n}";
  made.durations.assign(segments, ticks);
  made.sizes.assign(segments, DataSize{1000});
  return made;
}

/// Six pictures of 2 s, and four sounds of 3 s. The picture goes on otherwise from 4 s on, and again from 8 s on; the
/// sound from 3 s on, in the middle of a picture.
Presentation in_stretches() {
  Presentation made;
  made.own_grids = true;
  made.tracks = {track(TrackKind::kVideo, "low", 6, 20), track(TrackKind::kAudio, "sound", 4, 30)};
  made.tracks[0].stretches = {{nth(2), init_at("b", 200), -40}, {nth(4), init_at("c", 300), 7}};
  made.tracks[1].stretches = {{nth(1), init_at("d", 50), 0}};
  return made;
}

constexpr QualityIndex kOnly{0};

std::vector<std::string> inits(const SegmentTable& table, std::size_t segment) {
  std::vector<std::string> uris;
  for (const SegmentPart& part : table.init_parts(nth(segment), kOnly)) uris.push_back(part.resource.uri);
  return uris;
}

TEST(Stretches, ASegmentNeedsTheInitPartsOfItsStretch) {
  const SegmentTable table{in_stretches()};
  EXPECT_THAT(inits(table, 0), ElementsAre("a", "a"));
  EXPECT_THAT(inits(table, 1), ElementsAre("d", "a")) << "the sound that begins within it";
  EXPECT_THAT(inits(table, 2), ElementsAre("d", "b"));
  EXPECT_THAT(inits(table, 3), ElementsAre("d", "b"));
  EXPECT_THAT(inits(table, 5), ElementsAre("d", "c"));
}

TEST(Stretches, ThoseWithTheSameInitPartsBeginTogether) {
  const SegmentTable table{in_stretches()};
  std::vector<std::size_t> begins;
  for (std::size_t i = 0; i < 6; ++i) begins.push_back(to_index(table.stretch_begin(nth(i))));
  EXPECT_THAT(begins, ElementsAre(0, 1, 2, 2, 4, 4));
}

TEST(Stretches, SoundOfTwoStretchesMayComeWithTheFirstPicture) {
  Presentation made = in_stretches();
  made.tracks[1].durations = {5, 5, 5, 105};
  const SegmentTable table{made};
  EXPECT_THAT(inits(table, 0), ElementsAre("a", "d", "a"));
  EXPECT_THAT(inits(table, 1), ElementsAre("d", "a"));
}

TEST(Stretches, ARestOfSoundComesBeforeTheNextStretch) {
  Presentation made = in_stretches();
  made.tracks[1].durations = {20, 21, 1, 78};
  made.tracks[1].stretches[0].first = nth(3);  // at 4.2 s
  const SegmentTable table{made};
  EXPECT_THAT(inits(table, 1), ElementsAre("a", "a"));
  EXPECT_THAT(table.parts(nth(1), kOnly), SizeIs(3)) << "the sound from 4.1 s on is among them";
  EXPECT_THAT(inits(table, 2), ElementsAre("d", "b"));
  EXPECT_THAT(table.parts(nth(2), kOnly), SizeIs(2));
}

/// A live sound may lack segments where the picture has them.
TEST(SegmentTable, ALostSegmentOfSoundIsNoPart) {
  Presentation made = in_stretches();
  made.tracks[1].sizes[1] = DataSize{};
  const SegmentTable table{made};
  EXPECT_THAT(table.parts(nth(0), kOnly), SizeIs(2));
  ASSERT_THAT(table.parts(nth(1), kOnly), SizeIs(1));
  EXPECT_EQ(table.parts(nth(1), kOnly)[0].track, 0U);
  EXPECT_EQ(table.size(nth(1), kOnly), DataSize{1000});
}

/// The segments of a track from `first` on, as a live title tells them.
std::vector<TrackSegment> told(const Presentation& whole, std::uint32_t number, std::size_t first, std::size_t end) {
  const Track& track = whole.tracks[number];
  std::vector<TrackSegment> told;
  for (std::size_t i = first; i < end; ++i) {
    TrackSegment one{.size = track.sizes[i], .ticks = track.durations[i], .track = number};
    const std::size_t stretch = track.stretch_of(nth(i));
    if (stretch > 0 && track.first_of(stretch) == nth(i))
      one.stretch = StretchStart{track.init_of(stretch), track.offset_of(stretch)};
    told.push_back(one);
  }
  return told;
}

TEST(Stretches, MayBeginWhileATitleGrows) {
  const Presentation whole = in_stretches();
  Presentation first = whole;
  first.live.emplace();
  first.complete = false;
  for (Track& track : first.tracks) {
    track.stretches.clear();
    track.durations.resize(1);
    track.sizes.resize(1);
  }
  SegmentTable table{first};
  for (std::size_t i = 1; i < 6; ++i) {
    std::vector<TrackSegment> segments = told(whole, 0, i, i + 1);
    const std::size_t sounds = table.presentation().tracks[1].sizes.size();
    // All of the sound that begins before the picture ends.
    const std::vector<TrackSegment> sound = told(whole, 1, sounds, std::min<std::size_t>((i * 20 + 19) / 30 + 1, 4));
    segments.insert(segments.end(), sound.begin(), sound.end());
    table.append(segments);
  }
  for (std::size_t i = 0; i < 2; ++i) EXPECT_EQ(table.presentation().tracks[i], whole.tracks[i]);
  const SegmentTable known{whole};
  for (std::size_t i = 0; i < 6; ++i) {
    EXPECT_EQ(table.stretch_begin(nth(i)), known.stretch_begin(nth(i))) << i;
    EXPECT_EQ(inits(table, i), inits(known, i)) << i;
  }
}

TEST(Stretches, OneBeginsWhereAnyQualityGoesOnOtherwise) {
  Presentation made = in_stretches();
  made.tracks.push_back(made.tracks[0]);
  made.tracks[2].id = "high";
  made.tracks[2].stretches[0].first = nth(3);
  const SegmentTable table{made};
  EXPECT_EQ(table.stretch_begin(nth(2)), nth(2));
  EXPECT_EQ(table.stretch_begin(nth(3)), nth(3)) << "or its init part would be missing";
}

TEST(Stretches, ASizeThatIsLearntIsThatOfItsStretch) {
  Presentation made = in_stretches();
  made.tracks[0].stretches[0].init->estimated = true;
  SegmentTable table{made};
  table.learn_size(table.init_parts(nth(3), kOnly).back(), DataSize{222});
  EXPECT_EQ(table.init_parts(nth(2), kOnly).back().size(), DataSize{222});
  EXPECT_EQ(table.init_parts(nth(5), kOnly).back().size(), DataSize{300});
}

TEST(Stretches, SegmentsOfSoundStartOnTheTimelineToo) {
  const SegmentTable table{in_stretches()};
  EXPECT_EQ(table.starts_at(0, nth(2)), 4s);
  EXPECT_EQ(table.starts_at(1, nth(2)), 6s);
}

TEST(Stretches, TheLastSegmentsBeginWithTheirStretch) {
  const Presentation last = in_stretches().last_segments(3);  // from the fourth picture, and the second sound on
  ASSERT_EQ(last.tracks[0].stretches.size(), 1U);
  EXPECT_EQ(last.tracks[0].init->uri, "b");
  EXPECT_EQ(last.tracks[0].offset, -40);
  EXPECT_EQ(last.tracks[0].stretches[0].first, nth(1));
  EXPECT_THAT(last.tracks[1].stretches, IsEmpty());
  EXPECT_EQ(last.tracks[1].init->uri, "d");
}

TEST(Stretches, AnIndexKeepsThem) {
  const Presentation made = in_stretches();
  const std::string text = write_index(made, "", "");
  EXPECT_EQ(read_index(text).tracks[0].stretches, made.tracks[0].stretches) << text;
}

TEST(Stretches, AnIndexInWhichTheyGoBackIsRefused) {
  Presentation made = in_stretches();
  made.tracks[0].stretches[1].first = nth(2);
  EXPECT_THROW(read_index(write_index(made, "", "")), JsonError);
}

TEST(Stretches, ATraceKnowsNoAddressesOfThem) {
  Presentation made = in_stretches();
  for (Track& one : made.tracks) one.places.resize(one.sizes.size());
  const Track without = without_addresses(made).tracks[0];
  EXPECT_EQ(without.stretches[0].init->uri, "low/init-2");
  EXPECT_EQ(without.stretches[0].offset, 0);
}

}  // namespace
}  // namespace tributary
