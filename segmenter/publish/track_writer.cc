#include "segmenter/publish/track_writer.hh"

#include <fmt/format.h>

#include <cmath>

#include "media/cmaf_reader.hh"
#include "segmenter/failure.hh"
#include "segmenter/languages/media_language.hh"
#include "segmenter/libav/frame_kinds.hh"
#include "segmenter/publish/single_file.hh"
#include "segmenter/publish/track_bitrate.hh"

namespace tributary::segmenter {

TrackWriter::TrackWriter(const TrackDestination& destination, Track track, const std::string& extension)
    : destination_{destination}, track_{std::move(track)} {
  track_.first_number = destination.first_number;
  track_.start = static_cast<std::uint64_t>(std::llround(to_seconds(destination.start) * track_.timescale));
  if (destination_.publication.layout().single_file) {
    track_.uri = fmt::format("{}/media{}", track_.id, extension == ".m4s" ? ".mp4" : extension);
    segments_.emplace(destination_.publication.path(track_.uri + ".segments"));
  } else {
    track_.uri = track_.id + "/{n:05}" + extension;
  }
  if (track_.parts) track_.parts->uri = track_.id + "/{n:05}.{p}" + extension;
}

void TrackWriter::write_init(std::span<const std::byte> content) {
  std::vector<std::byte> labelled;
  try {
    if (!track_.label.language.empty()) content = labelled = with_language(content, track_.label.language);
    facts_ = read_init(content);
    track_.codec = facts_.codec;
    track_.color = facts_.color;
  } catch (const BoxError& error) {
    throw Failure{ExitCode::kCodec, fmt::format("the init segment of {}: {}", track_.id, error.what())};
  }
  if (segments_) {
    track_.init = Resource{track_.uri, {DataSize{}, size_of(content)}, false};
    init_.assign(content.begin(), content.end());
    return;
  }
  track_.init = Resource{track_.id + "/init.mp4", {DataSize{}, size_of(content)}, true};
  destination_.publication.publish_once(track_.init->uri, content);
}

void TrackWriter::count_segment(DataSize size, std::uint64_t ticks) {
  track_.sizes.push_back(size);
  track_.durations.push_back(ticks);
}

void TrackWriter::write_part(std::span<const std::byte> content, std::uint64_t ticks, bool independent) {
  const std::uint64_t segment = track_.first_number + segments();
  const std::size_t index = parts_++;
  destination_.publication.publish(track_.parts->part_uri(segment, index), content);
  if (destination_.listener != nullptr)
    destination_.listener->part_written({track_.id, segment, index, {ticks, size_of(content), independent}});
}

void TrackWriter::write_segment(std::span<const std::byte> content, std::uint64_t ticks) {
  count_segment(size_of(content), ticks);
  parts_ = 0;
  if (wants_frames()) add_frames(content);
  if (segments_) {
    segments_->write(content);
  } else {
    destination_.publication.publish(track_.segment(static_cast<SegmentIndex>(segments() - 1)).uri, content);
  }
  if (destination_.listener != nullptr) {
    destination_.listener->segment_written({track_.id, track_.first_number + segments() - 1, size_of(content), ticks,
                                            static_cast<double>(ticks) / track_.timescale});
  }
}

void TrackWriter::add_metrics(const PictureMetrics& metrics) {
  if (destination_.listener != nullptr) destination_.listener->segments_measured(track_.id, metrics);
}

Track TrackWriter::describe() const {
  Track track = track_;
  track.sizes.clear();
  track.durations.clear();
  // Usually 10 % above the target. Restless pictures may exceed it by half.
  const DataRate most = 1.1 * track.bitrate.target;
  track.bitrate = {track.bitrate.target, most, track.bitrate.target, most};
  return track;
}

Track TrackWriter::finish() {
  if (segments_) finish_single_file();
  if (wants_frames()) {
    track_.frames = track_.id + "/frames.json";
    destination_.publication.publish(*track_.frames, write_frame_index(frames_));
  }
  Track track = track_;
  if (track.sizes.empty()) return track;
  track.bitrate = measure_bitrate(track, track.bitrate.target);
  if (track.bitrate.target == DataRate{}) track.bitrate.target = track.bitrate.average;
  return track;
}

void TrackWriter::add_frames(std::span<const std::byte> segment) {
  try {
    frames_.push_back(frames_in(segment, facts_));
  } catch (const BoxError& error) {
    throw Failure{ExitCode::kCodec, fmt::format("the frames of {}: {}", track_.id, error.what())};
  }
}

void TrackWriter::finish_single_file() {
  const std::vector<std::byte> head = begin_single_file(track_, init_);
  TemporaryFile file{destination_.publication.path(track_.uri)};
  file.write(head);
  file.append(*segments_);
  file.move_to_place();
  segments_.reset();
}

}  // namespace tributary::segmenter
