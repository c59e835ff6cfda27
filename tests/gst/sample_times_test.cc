#include "gst/source/sample_times.hh"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tributary {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::SizeIs;

constexpr std::int64_t kWrap = 1ll << 33;

/// Samples of 20 ms in ticks of 90 kHz.
ReadStream stream_of(TrackKind kind, std::vector<std::int64_t> ticks) {
  ReadStream stream;
  stream.kind = kind;
  stream.timescale = 90'000;
  stream.wrap = kWrap;
  for (const std::int64_t shown : ticks)
    stream.samples.push_back({GstHandle<GstBuffer>{gst_buffer_new()}, shown, 1800});
  return stream;
}

/// Of a title that begins at this time of the media.
TrackClock clock_from(Duration of_media) {
  TrackClock clock{Track{}, 0, Track{}};
  clock.set(of_media, 0ns);
  return clock;
}

std::vector<Duration> times_of(const TimedSamples& samples) {
  std::vector<Duration> times;
  for (const auto& buffer : samples.buffers)
    times.emplace_back(static_cast<Duration::rep>(GST_BUFFER_PTS(buffer.get())));
  return times;
}

constexpr PlaceOfSamples kFirst{.start = 0s, .duration = 2s, .around = 1s, .until = std::nullopt};

TEST(SampleTimes, CountFromWhereTheTitleBegins) {
  const auto samples = timed_samples(stream_of(TrackKind::kVideo, {900'000, 901'800}), kFirst, clock_from(10s));
  EXPECT_EQ(samples.damage, std::nullopt);
  EXPECT_THAT(times_of(samples), ElementsAre(0ns, 20ms));
  EXPECT_EQ(GST_BUFFER_DURATION(samples.buffers[0].get()), 20 * GST_MSECOND);
}

TEST(SampleTimes, TimesThatWrapAreNearestToTheirSegment) {
  const TrackClock clock = clock_from(*ticks_to_time(kWrap - 90'000, 90'000));
  for (const int turns : {0, 1, 7}) {
    const Duration turn = turns * *ticks_to_time(kWrap, 90'000);
    PlaceOfSamples place = kFirst;
    place.start = turn + 1s;
    const auto samples = timed_samples(stream_of(TrackKind::kVideo, {0, 1800}), place, clock);
    ASSERT_THAT(times_of(samples), SizeIs(2)) << samples.damage.value_or("");
    EXPECT_NEAR(to_seconds(times_of(samples)[0]), to_seconds(place.start), 1e-8) << turns;
    EXPECT_NEAR(to_seconds(times_of(samples)[1]), to_seconds(place.start) + 0.02, 1e-8) << turns;
  }
}

TEST(SampleTimes, WithoutTimesTheyGoOnWhereTheSoundBeforeEnded) {
  ReadStream stream = stream_of(TrackKind::kAudio, {0});
  stream.timed = false;
  PlaceOfSamples place{.start = 8s, .duration = 2s, .around = 1s, .until = 8005ms};
  EXPECT_THAT(times_of(timed_samples(std::move(stream), place, clock_from(77s))), ElementsAre(8005ms));
  for (const auto until : {std::optional<Duration>{}, std::optional<Duration>{2s}}) {  // at the beginning; after a skip
    stream = stream_of(TrackKind::kAudio, {0});
    stream.timed = false;
    place.until = until;
    EXPECT_THAT(times_of(timed_samples(std::move(stream), place, clock_from(77s))), ElementsAre(8s));
  }
}

TEST(SampleTimes, SoundIsNotGivenTwice) {
  PlaceOfSamples place = kFirst;
  place.until = 25ms;
  const TrackClock clock = clock_from(0s);
  EXPECT_THAT(times_of(timed_samples(stream_of(TrackKind::kAudio, {0, 1800, 3600}), place, clock)),
              ElementsAre(20ms, 40ms));
  EXPECT_THAT(times_of(timed_samples(stream_of(TrackKind::kVideo, {0, 1800}), place, clock)), ElementsAre(0s, 20ms))
      << "pictures are given in the order of decoding";
}

TEST(SampleTimes, AnImpossibleTimeEndsThem) {
  const auto samples = timed_samples(stream_of(TrackKind::kVideo, {0, 90'000 * 60, 1800}), kFirst, clock_from(0s));
  EXPECT_THAT(times_of(samples), ElementsAre(0s));
  EXPECT_EQ(samples.damage, "a sample is at tick 5400000, which is not in the segment");
}

TEST(SampleTimes, WhatEndsBeforeTheTitleIsLeftOut) {
  const auto samples = timed_samples(stream_of(TrackKind::kAudio, {-1800, -900, 900}), kFirst, clock_from(0s));
  EXPECT_THAT(times_of(samples), ElementsAre(0s, 10ms));
}

}  // namespace
}  // namespace tributary
