#include "segmenter/track_writer.hh"

#include <fmt/format.h>

#include <cmath>

#include "segmenter/cmaf_reader.hh"
#include "segmenter/failure.hh"
#include "segmenter/track_bitrate.hh"
#include "segmenter/video_encoder.hh"

namespace tributary::segmenter {
namespace {

DataSize size_of(std::span<const std::byte> content) {
  return DataSize{static_cast<std::int64_t>(content.size())};
}

}  // namespace

TrackWriter::TrackWriter(const TrackDestination& destination, Track track, const std::string& extension)
    : destination_{destination}, track_{std::move(track)} {
  track_.uri = track_.id + "/{n:05}" + extension;
  track_.first_number = destination.first_number;
  track_.start = static_cast<std::uint64_t>(std::llround(to_seconds(destination.start) * track_.timescale));
}

void TrackWriter::write_init(std::span<const std::byte> content) {
  try {
    track_.codec = read_init(content).codec;
  } catch (const BoxError& error) {
    throw Failure{ExitCode::kCodec, fmt::format("the init segment of {}: {}", track_.id, error.what())};
  }
  track_.init = Resource{track_.id + "/init.mp4", {DataSize{}, size_of(content)}, true};
  destination_.publication.publish_once(track_.init->uri, content);
}

void TrackWriter::write_segment(std::span<const std::byte> content, std::uint64_t ticks) {
  track_.sizes.push_back(size_of(content));
  track_.durations.push_back(ticks);
  destination_.publication.publish(track_.segment(static_cast<SegmentIndex>(segments() - 1)).uri, content);
  if (destination_.listener != nullptr)
    destination_.listener->segment_written(track_.id, track_.sizes.back(), ticks);
}

Track TrackWriter::describe() const {
  Track track = track_;
  track.sizes.clear();
  track.durations.clear();
  // What the encoder of the sound makes varies little, and not by rule.
  const double most = track.kind == TrackKind::kVideo ? kMaximumOverAverage : 1.1;
  track.bitrate = {track.bitrate.target, most * track.bitrate.target, track.bitrate.target,
                   most * track.bitrate.target};
  return track;
}

Track TrackWriter::finish() const {
  Track track = track_;
  if (track.sizes.empty()) return track;
  track.bitrate = measure_bitrate(track, track.bitrate.target);
  return track;
}

}  // namespace tributary::segmenter
