#include "segmenter/publish/track_bitrate.hh"

#include <gtest/gtest.h>

namespace tributary::segmenter {
namespace {

using namespace literals;

Track track_of(std::vector<std::uint64_t> durations_ms, std::vector<DataSize> sizes) {
  Track track;
  track.timescale = 1000;
  track.durations = std::move(durations_ms);
  track.sizes = std::move(sizes);
  return track;
}

TEST(TrackBitrate, IsMeasuredOnTheSegments) {
  const TrackBitrate rates = measure_bitrate(track_of({2000, 2000}, {250_kB, 500_kB}), 1_Mbps);
  EXPECT_EQ(rates, (TrackBitrate{1_Mbps, 2_Mbps, 1.5_Mbps, 2_Mbps}));
}

TEST(TrackBitrate, AShortLastSegmentDoesNotMakeThePeak) {
  const TrackBitrate rates = measure_bitrate(track_of({2000, 2000, 100}, {250_kB, 250_kB, 100_kB}), 1_Mbps);
  EXPECT_EQ(rates.maximum, 8_Mbps);
  EXPECT_EQ(rates.peak, 350_kB / Duration{std::chrono::milliseconds{2100}});
}

TEST(TrackBitrate, OneSegmentIsAll) {
  const TrackBitrate rates = measure_bitrate(track_of({40}, {5_kB}), 1_Mbps);
  EXPECT_EQ(rates, (TrackBitrate{1_Mbps, 1_Mbps, 1_Mbps, 1_Mbps}));
}

}  // namespace
}  // namespace tributary::segmenter
