#include "segmenter/encode/finish_run.hh"

#include <fmt/format.h>

#include <cassert>

#include "media/cmaf_reader.hh"
#include "presentation/json/frame_index.hh"
#include "segmenter/encoders/picture_meter.hh"
#include "segmenter/failure.hh"
#include "segmenter/libav/frame_kinds.hh"
#include "segmenter/publish/file_bytes.hh"
#include "segmenter/publish/single_file.hh"
#include "segmenter/publish/temporary_file.hh"
#include "segmenter/publish/track_bitrate.hh"
#include "segmenter/thumbnails/thumbnails.hh"

namespace tributary::segmenter {
namespace {

std::string content_of(const Publication& publication, const std::string& name) {
  auto content = read_file(publication.path(name));
  if (!content) throw Failure{ExitCode::kOutput, fmt::format("cannot read {}", publication.path(name).string())};
  return *std::move(content);
}

/// Joins the sections of each track.
std::vector<Track> tracks_of(const UnfinishedRun& run) {
  std::vector<Track> tracks;
  for (const auto& [number, section] : run.sections()) {
    if (tracks.empty()) {
      tracks = section.tracks;
      continue;
    }
    for (std::size_t i = 0; i < tracks.size(); ++i) {
      const Track& more = section.tracks.at(i);
      tracks[i].sizes.insert(tracks[i].sizes.end(), more.sizes.begin(), more.sizes.end());
      tracks[i].durations.insert(tracks[i].durations.end(), more.durations.begin(), more.durations.end());
      append(tracks[i].metrics, more.metrics);
    }
  }
  if (run.sound()) tracks.insert(tracks.end(), run.sound()->tracks.begin(), run.sound()->tracks.end());
  for (Track& track : tracks) track.bitrate = measure_bitrate(track, track.bitrate.target);
  return tracks;
}

void add_frame_index(const Publication& publication, Track& track) {
  const std::string init = content_of(publication, track.init->uri);
  try {
    const InitFacts facts = read_init(bytes_of(init));
    FrameIndex frames;
    for (std::size_t i = 0; i < track.sizes.size(); ++i) {
      const std::string segment = content_of(publication, track.segment(static_cast<SegmentIndex>(i)).uri);
      frames.push_back(frames_in(bytes_of(segment), facts));
    }
    track.frames = track.id + "/frames.json";
    publication.publish(*track.frames, write_frame_index(frames));
  } catch (const BoxError& error) {
    throw Failure{ExitCode::kCodec, fmt::format("the frames of {}: {}", track.id, error.what())};
  }
}

void put_in_single_file(const Publication& publication, Track& track) {
  const Track loose = track;
  const std::string init = content_of(publication, track.init->uri);
  track.uri = track.id + "/media.mp4";
  track.init = Resource{track.uri, track.init->range, false};
  const std::vector<std::byte> head = begin_single_file(track, bytes_of(init));
  TemporaryFile file{publication.path(track.uri)};
  file.write(head);
  for (std::size_t i = 0; i < loose.sizes.size(); ++i) {
    file.write(bytes_of(content_of(publication, loose.segment(static_cast<SegmentIndex>(i)).uri)));
  }
  file.move_to_place();
}

}  // namespace

void finish(const Publication& publication, const UnfinishedRun& run, const FinishTerms& terms,
            const std::atomic<bool>& interrupted) {
  assert(!run.sections().empty());
  Presentation presentation;
  presentation.nominal_segment_seconds = run.sections().begin()->second.nominal_segment_seconds;
  presentation.title = terms.title;
  presentation.chapters = terms.chapters;
  presentation.tracks = tracks_of(run);
  for (Track& track : presentation.tracks) {
    if (terms.layout.frame_index && track.kind == TrackKind::kVideo) add_frame_index(publication, track);
    if (terms.layout.single_file && track.init) put_in_single_file(publication, track);
  }
  if (terms.thumbnails) presentation.sheets = publish_thumbnails(publication, presentation.tracks, interrupted);
  publish_presentation(publication, std::move(presentation), terms.manifests);
  remove_leftovers(publication, run, terms);
}

void remove_leftovers(const Publication& publication, const UnfinishedRun& run, const FinishTerms& terms) {
  const auto remove = [&](const Presentation& presentation) {
    for (const Track& track : presentation.tracks) {
      if (!track.init) continue;  // subtitles have files of their own
      publication.remove(track.init->uri);
      for (std::size_t i = 0; i < track.sizes.size(); ++i)
        publication.remove(track.segment(static_cast<SegmentIndex>(i)).uri);
    }
  };
  if (terms.layout.single_file) {
    for (const auto& [number, section] : run.sections()) remove(section);
    if (run.sound()) remove(*run.sound());
  }
  UnfinishedRun::remove(publication);
}

}  // namespace tributary::segmenter
