#include "segmenter/synthetic/synthetic_job.hh"

#include <vector>

#include "segmenter/failure.hh"
#include "segmenter/publish/presentation_publication.hh"
#include "segmenter/publish/track_writer.hh"
#include "segmenter/synthetic/synthetic_content.hh"

namespace tributary::segmenter {
namespace {

Track describe(const SyntheticQuality& quality) {
  Track track;
  track.id = quality.name;
  track.kind = TrackKind::kData;
  track.group = "data";
  track.timescale = 1000;
  track.bitrate.target = quality.rate;
  return track;
}

}  // namespace

void write_synthetic(const SyntheticMovie& movie, const Publication& publication, bool index_only,
                     const std::atomic<bool>& interrupted) {
  Presentation presentation;
  presentation.nominal_segment_seconds = movie.segment_ms / 1000.0;
  for (std::uint32_t q = 0; q < movie.qualities.size(); ++q) {
    TrackWriter writer{{publication}, describe(movie.qualities[q]), ".bin"};
    for (std::uint32_t s = 0; s < movie.qualities[q].sizes.size(); ++s) {
      if (interrupted) throw Failure{ExitCode::kInterrupted, "interrupted"};
      if (index_only) {
        writer.count_segment(movie.qualities[q].sizes[s], movie.segment_ms);
        continue;
      }
      std::vector<std::byte> content(static_cast<std::size_t>(movie.qualities[q].sizes[s].bytes()));
      fill_synthetic(content, q, s, 0);
      writer.write_segment(content, movie.segment_ms);
    }
    presentation.tracks.push_back(writer.finish());
  }
  publish_presentation(publication, std::move(presentation), {});
}

}  // namespace tributary::segmenter
