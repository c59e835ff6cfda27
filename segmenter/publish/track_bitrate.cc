#include "segmenter/publish/track_bitrate.hh"

#include <algorithm>
#include <cassert>
#include <numeric>

namespace tributary::segmenter {
namespace {

DataRate rate_of(DataSize size, std::uint64_t ticks, std::uint32_t timescale) {
  return DataRate::bits_per_second(static_cast<double>(size.bytes()) * 8 * timescale / static_cast<double>(ticks));
}

}  // namespace

TrackBitrate measure_bitrate(const Track& track, DataRate target) {
  assert(!track.sizes.empty() && track.sizes.size() == track.durations.size());
  const std::uint64_t longest = *std::max_element(track.durations.begin(), track.durations.end());
  const auto total_ticks = std::accumulate(track.durations.begin(), track.durations.end(), std::uint64_t{0});
  const auto total = std::accumulate(track.sizes.begin(), track.sizes.end(), DataSize{});
  TrackBitrate bitrate{target, {}, rate_of(total, total_ticks, track.timescale), {}};
  for (std::size_t first = 0; first < track.sizes.size(); ++first) {
    bitrate.maximum = std::max(bitrate.maximum, rate_of(track.sizes[first], track.durations[first], track.timescale));
    DataSize size;
    std::uint64_t ticks = 0;
    for (std::size_t i = first; i < track.sizes.size() && 2 * (ticks + track.durations[i]) <= 3 * longest; ++i) {
      size += track.sizes[i];
      ticks += track.durations[i];
      if (2 * ticks >= longest) bitrate.peak = std::max(bitrate.peak, rate_of(size, ticks, track.timescale));
    }
  }
  return bitrate;
}

}  // namespace tributary::segmenter
