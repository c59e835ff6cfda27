#include "presentation/segments/sound_grid.hh"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tributary {
namespace {

using ::testing::ElementsAre;

Track cut_at(const std::vector<std::uint64_t>& starts, std::uint64_t end) {  // ms
  Track track;
  track.timescale = 1000;
  track.start = starts.front();
  for (std::size_t i = 0; i < starts.size(); ++i)
    track.durations.push_back((i + 1 < starts.size() ? starts[i + 1] : end) - starts[i]);
  track.sizes.assign(starts.size(), DataSize{1});
  return track;
}

class SoundGridTest : public ::testing::Test {
 protected:
  /// How many segments of sound come with each segment of picture, which is 2 s long.
  std::vector<std::size_t> with(const Track& sound, std::size_t pictures) {
    std::vector<std::uint64_t> cuts;
    std::vector<Duration> starts;
    for (std::size_t i = 0; i < pictures; ++i) {
      cuts.push_back(2000 * i);
      starts.push_back(from_seconds(2.0 * static_cast<double>(i)));
    }
    grid.emplace(sound, cut_at(cuts, 2000 * pictures), starts);
    std::vector<std::size_t> counts;
    for (std::size_t i = 0; i < pictures; ++i) {
      const auto span = grid->with(static_cast<SegmentIndex>(i));
      EXPECT_EQ(span.begin, i == 0 ? 0 : grid->with(static_cast<SegmentIndex>(i - 1)).end) << "none is left out";
      counts.push_back(span.end - span.begin);
    }
    return counts;
  }
  std::size_t first_for(std::size_t picture) { return to_index(grid->first_for(static_cast<SegmentIndex>(picture))); }

  std::optional<SoundGrid> grid;
};

TEST_F(SoundGridTest, CutsThatNearlyAgreeGoTogether) {
  EXPECT_THAT(with(cut_at({0, 1984, 4010}, 6000), 3), ElementsAre(1, 1, 1));
  EXPECT_EQ(first_for(2), 2U);
}

TEST_F(SoundGridTest, LongSoundComesWithThePictureInWhichItStarts) {
  EXPECT_THAT(with(cut_at({0, 5000}, 10000), 5), ElementsAre(1, 0, 1, 0, 0));
  EXPECT_EQ(first_for(0), 0U);
  EXPECT_EQ(first_for(1), 0U);
  EXPECT_EQ(first_for(2), 0U) << "until 5 s the first one sounds";
  EXPECT_EQ(first_for(3), 2U);
  EXPECT_EQ(first_for(4), 2U);
}

TEST_F(SoundGridTest, ShortSoundComesSeveralAtATime) {
  EXPECT_THAT(with(cut_at({0, 500, 1000, 1500, 2000, 2500, 3000, 3500}, 4000), 2), ElementsAre(4, 4));
  EXPECT_EQ(first_for(1), 1U);
}

TEST_F(SoundGridTest, SoundBeforeAndBehindThePictureIsNotLost) {
  EXPECT_THAT(with(cut_at({0, 2000, 4000, 6000}, 8000), 2), ElementsAre(1, 3));
  EXPECT_THAT(with(cut_at({0, 2000}, 4000), 4), ElementsAre(1, 1, 0, 0)) << "the sound ends first";
}

TEST_F(SoundGridTest, OfAGrowingTitleWhatIsTooLateComesWithTheNextPicture) {
  Track sound = cut_at({0, 2000, 4000}, 6000), picture = cut_at({0, 2000}, 4000);
  std::vector<Duration> starts{Duration{}, from_seconds(2)};
  SoundGrid growing{sound, picture, starts, false};
  EXPECT_EQ(growing.with(SegmentIndex{1}).end, 2U) << "the third waits for its picture";
  const auto add = [&](Track& track) {
    track.durations.push_back(2000);
    track.sizes.push_back(DataSize{1});
  };
  for (int i = 0; i < 2; ++i) {
    add(picture);
    starts.push_back(starts.back() + from_seconds(2));
  }
  growing.extend(sound, picture, starts, false);
  EXPECT_EQ(growing.with(SegmentIndex{2}).end, 3U);
  EXPECT_EQ(growing.with(SegmentIndex{3}).end, 3U);
  for (int i = 0; i < 2; ++i) add(sound);
  add(picture);
  starts.push_back(starts.back() + from_seconds(2));
  growing.extend(sound, picture, starts, false);
  EXPECT_EQ(growing.with(SegmentIndex{3}).end, 3U) << "that picture may be on its way";
  EXPECT_EQ(growing.with(SegmentIndex{4}).begin, 3U);
  EXPECT_EQ(growing.with(SegmentIndex{4}).end, 5U);
}

TEST_F(SoundGridTest, SoundThatIsNotKnownYetBeginsWhereTheKnownEnds) {
  Track none = cut_at({500}, 500);
  none.durations.clear();
  none.sizes.clear();
  EXPECT_THAT(with(none, 1), ElementsAre(0));
  EXPECT_EQ(grid->starts_at(SegmentIndex{0}), from_seconds(0.5));
}

}  // namespace
}  // namespace tributary
