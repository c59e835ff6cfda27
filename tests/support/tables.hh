#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "presentation/segments/segment_table.hh"

namespace tributary::testing {

/// One quality: its name, and the sizes of its segments.
struct QualityRow {
  std::string name;
  std::vector<DataSize> sizes;
};

/// A presentation of plain bytes in segments of two seconds, with one quality a row.
inline Presentation presentation_of(const std::vector<QualityRow>& rows) {
  Presentation presentation;
  for (const QualityRow& row : rows) {
    Track track;
    track.id = row.name;
    track.kind = TrackKind::kData;
    track.group = "data";
    track.timescale = 1000;
    track.uri = row.name + "/{n:05}.bin";
    track.sizes = row.sizes;
    track.durations.assign(row.sizes.size(), 2000);
    DataSize total;
    for (const DataSize size : row.sizes) {
      total += size;
      track.bitrate.maximum = std::max(track.bitrate.maximum, size / Duration{std::chrono::seconds{2}});
    }
    const DataRate average = total / (static_cast<std::int64_t>(row.sizes.size()) * Duration{std::chrono::seconds{2}});
    track.bitrate.average = DataRate::bits_per_second(std::round(average.bits_per_second()));  // as an index says it
    track.bitrate.target = track.bitrate.average;
    track.bitrate.peak = track.bitrate.maximum;
    presentation.tracks.push_back(track);
  }
  return presentation;
}

/// `segments` segments of two seconds, all of the same size in each quality: "low" first.
inline SegmentTable constant_table(std::size_t segments, const std::vector<DataSize>& sizes) {
  static const std::vector<std::string> kNames{"low", "medium", "high", "super"};
  std::vector<QualityRow> rows;
  for (std::size_t q = 0; q < sizes.size(); ++q) rows.push_back({kNames.at(q), std::vector(segments, sizes[q])});
  return SegmentTable{presentation_of(rows)};
}

}  // namespace tributary::testing
