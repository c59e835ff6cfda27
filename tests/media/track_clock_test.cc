#include "media/track_clock.hh"

#include <gtest/gtest.h>

#include <limits>

namespace tributary {
namespace {

using namespace std::chrono_literals;

Track track_of(std::uint32_t timescale, std::int64_t offset, std::uint64_t start) {
  Track track;
  track.timescale = timescale;
  track.offset = offset;
  track.start = start;
  return track;
}

TEST(TrackClock, TheFirstPictureIsAtZero) {
  const Track picture = track_of(12800, 1024, 0), sound = track_of(48000, 3840, 0);
  EXPECT_EQ(TrackClock(picture, picture.offset, picture).time_of(1024, 12800), 0ns);
  EXPECT_EQ(TrackClock(picture, picture.offset, picture).time_of(1024 + 512, 12800), 40ms);
  EXPECT_EQ(TrackClock(sound, sound.offset, picture).time_of(3840 + 480, 48000), 10ms);
  EXPECT_EQ(TrackClock(sound, sound.offset, picture).time_of(3840 - 480, 48000), -10ms);
}

TEST(TrackClock, ALiveTimelineBeginsWithItsFirstListedPicture) {
  const Track picture = track_of(25, 2, 25 * 7200), sound = track_of(48000, 3840, 48000 * 7200 + 100);
  EXPECT_EQ(TrackClock(picture, picture.offset, picture).time_of(25 * 7200 + 3, 25), 40ms);
  EXPECT_EQ(TrackClock(sound, sound.offset, picture).time_of(3840 + 48000ll * 7200, 48000), 0ns);
}

TEST(TrackClock, TimesAreRoundedToTheNearestNanosecondAndDoNotDrift) {
  const Track picture = track_of(30000, 0, 0);
  EXPECT_EQ(TrackClock(picture, picture.offset, picture).time_of(1001, 30000), 33366667ns);
  EXPECT_EQ(TrackClock(picture, picture.offset, picture).time_of(1001ll * 30 * 1000000, 30000), 1001000s);
}

TEST(TrackClock, WhatCannotBeIsNoTime) {
  const Track picture = track_of(1, 0, 0);
  EXPECT_EQ(TrackClock(picture, picture.offset, picture).time_of(1ll << 62, 1), std::nullopt);
  EXPECT_EQ(TrackClock(picture, picture.offset, picture).time_of(-(1ll << 62), 1), std::nullopt);
  const Track shifted = track_of(1, std::numeric_limits<std::int64_t>::max(), 0);
  EXPECT_EQ(TrackClock(shifted, shifted.offset, shifted).time_of(-2, shifted.timescale), std::nullopt);
  const Track fine = track_of(4294967295u, 0, 0);
  EXPECT_EQ(TrackClock(fine, fine.offset, fine).time_of(4294967294, fine.timescale), 1s);
}

TEST(TrackClock, MediaMayCountInOtherTicksThanTheirManifest) {
  const Track picture = track_of(1'000'000, 500'000, 0);
  EXPECT_EQ(TrackClock(picture, picture.offset, picture).time_of(12800 + 512, 12800), 540ms);
}

TEST(TrackClock, TimesMayBeMeasured) {
  const Track picture = track_of(90'000, 0, 0);
  TrackClock clock{picture, picture.offset, picture};
  clock.set(95443ms, 4s);
  EXPECT_EQ(clock.time_of(90 * 95543, 90'000), 4100ms);
}

}  // namespace
}  // namespace tributary
