#include "segmenter/track_writer.hh"

#include <fmt/format.h>

#include "segmenter/cmaf_reader.hh"
#include "segmenter/failure.hh"
#include "segmenter/track_bitrate.hh"

namespace tributary::segmenter {
namespace {

DataSize size_of(std::span<const std::byte> content) {
  return DataSize{static_cast<std::int64_t>(content.size())};
}

}  // namespace

TrackWriter::TrackWriter(const Publication& publication, Track track, const std::string& extension)
    : publication_{publication}, track_{std::move(track)} {
  track_.uri = track_.id + "/{n:05}" + extension;
}

void TrackWriter::write_init(std::span<const std::byte> content) {
  try {
    track_.codec = read_init(content).codec;
  } catch (const BoxError& error) {
    throw Failure{ExitCode::kCodec, fmt::format("the init segment of {}: {}", track_.id, error.what())};
  }
  track_.init = Resource{track_.id + "/init.mp4", {DataSize{}, size_of(content)}, true};
  publication_.publish(track_.init->uri, content);
}

void TrackWriter::write_segment(std::span<const std::byte> content, std::uint64_t ticks) {
  track_.sizes.push_back(size_of(content));
  track_.durations.push_back(ticks);
  publication_.publish(track_.segment(static_cast<SegmentIndex>(segments() - 1)).uri, content);
}

Track TrackWriter::finish() const {
  Track track = track_;
  track.bitrate = measure_bitrate(track, track.bitrate.target);
  if (track.bitrate.target == DataRate{}) track.bitrate.target = track.bitrate.average;
  return track;
}

}  // namespace tributary::segmenter
