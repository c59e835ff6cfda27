#include "download/files/chunk_plan.hh"

#include <algorithm>

namespace tributary {

DataSize chunk_size_for(DataSize file) {
  return DataSize{std::clamp<std::int64_t>(file.bytes() / 16, 256'000, 4'000'000)};
}

DataSize subsegment_size_for(DataSize file) {
  return DataSize{std::clamp<std::int64_t>(file.bytes() / 64, 50'000, 400'000)};
}

DataSize chunk_size_from_both_ends(DataSize file) {
  return DataSize{std::clamp<std::int64_t>(file.bytes() / 32, 64'000, 2'000'000)};
}

std::vector<ByteRange> chunks_to_fetch(DataSize file, const ByteSet& complete, DataSize most) {
  std::vector<ByteRange> chunks;
  for (const ByteRange& gap : complete.gaps_in({DataSize{}, file})) {
    const std::int64_t size = gap.size().bytes(), count = (size + most.bytes() - 1) / most.bytes();
    const auto cut = [&](std::int64_t i) { return gap.begin + DataSize{size * i / count}; };
    for (std::int64_t i = 0; i < count; ++i) chunks.push_back({cut(i), cut(i + 1)});
  }
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
