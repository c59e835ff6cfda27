#include "apps/get/chunk_plan.hh"

#include <algorithm>

namespace tributary {

ByteRanges with_range(const ByteRanges& ranges, ByteRange added) {
  ByteRanges result;
  for (const ByteRange& range : ranges) {
    if (range.end < added.begin || added.end < range.begin) {
      result.push_back(range);
    } else {
      added = {std::min(added.begin, range.begin), std::max(added.end, range.end)};
    }
  }
  result.push_back(added);
  std::sort(result.begin(), result.end());
  return result;
}

DataSize total_size(const ByteRanges& ranges) {
  DataSize total;
  for (const ByteRange& range : ranges) total += range.size();
  return total;
}

DataSize chunk_size_for(DataSize file) {
  return DataSize{std::clamp<std::int64_t>(file.bytes() / 16, 256'000, 4'000'000)};
}

DataSize subsegment_size_for(DataSize file) {
  return DataSize{std::clamp<std::int64_t>(file.bytes() / 64, 50'000, 400'000)};
}

std::vector<ByteRange> chunks_to_fetch(DataSize file, const ByteRanges& complete) {
  const DataSize most = chunk_size_for(file);
  std::vector<ByteRange> chunks;
  DataSize at;
  const auto cut_until = [&](DataSize end) {
    while (at < end) {
      chunks.push_back({at, std::min(at + most, end)});
      at = chunks.back().end;
    }
  };
  for (const ByteRange& range : complete) {
    cut_until(range.begin);
    at = range.end;
  }
  cut_until(file);
  return chunks;
}

Presentation presentation_of(const std::vector<ByteRange>& chunks) {
  Track track;
  track.id = kObjectTrack;
  track.kind = TrackKind::kData;
  track.group = "data";
  track.uri = kObjectTrack;
  track.durations.assign(chunks.size(), 1);
  for (const ByteRange& chunk : chunks) {
    track.file_offsets.push_back(chunk.begin);
    track.sizes.push_back(chunk.size());
    track.bitrate.maximum = std::max(track.bitrate.maximum, chunk.size() / Duration{std::chrono::seconds{1}});
  }
  track.bitrate.target = track.bitrate.average = track.bitrate.peak = track.bitrate.maximum;
  Presentation presentation;
  presentation.nominal_segment_seconds = 1;
  presentation.tracks.push_back(std::move(track));
  return presentation;
}

}  // namespace tributary
