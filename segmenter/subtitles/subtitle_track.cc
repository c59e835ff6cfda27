#include "segmenter/subtitles/subtitle_track.hh"

#include <fmt/format.h>

#include <algorithm>

#include "segmenter/publish/track_bitrate.hh"

namespace tributary::segmenter {
namespace {

/// Maps the times in the files to the timeline itself, for players of HLS (RFC 8216 section 3.5).
constexpr const char* kHead = "WEBVTT\nX-TIMESTAMP-MAP=MPEGTS:0,LOCAL:00:00:00.000\n";
constexpr const char* kWholeHead = "WEBVTT\n";

std::string time_text(Duration time) {
  const auto milliseconds = std::chrono::round<std::chrono::milliseconds>(time).count();
  return fmt::format("{:02}:{:02}:{:02}.{:03}", milliseconds / 3600000, milliseconds / 60000 % 60,
                     milliseconds / 1000 % 60, milliseconds % 1000);
}

std::string cues_between(const Subtitles& subtitles, Duration begin, Duration end, Duration shift) {
  std::string out;
  for (const SubtitleCue& cue : subtitles.cues) {
    if (cue.begin >= end) break;
    if (cue.end <= begin) continue;
    out += fmt::format("\n{} --> {}\n{}\n", time_text(cue.begin + shift), time_text(cue.end + shift), cue.text);
  }
  return out;
}

}  // namespace

std::string subtitles_id(std::size_t index) {
  return index == 0 ? std::string{kSubtitlesName} : fmt::format("{}-{}", kSubtitlesName, index + 1);
}

std::string write_webvtt(const Subtitles& subtitles, Duration begin, Duration end, Duration shift) {
  return kHead + cues_between(subtitles, begin, end, shift);
}

Track publish_subtitles(const Publication& publication, const std::string& id, const Subtitles& subtitles,
                        const SegmentPlan& plan, std::uint64_t pictures, std::int64_t offset) {
  Track track;
  track.id = track.group = id;
  track.kind = TrackKind::kText;
  track.codec = "wvtt";
  track.mime = "text/vtt";
  track.timescale = plan.timescale();
  track.offset = offset;
  track.label = subtitles.label;
  track.uri = id + "/{n:05}.vtt";
  const Duration shift = from_seconds(static_cast<double>(offset) / plan.timescale());
  for (std::uint64_t segment = 0; segment < plan.segments(pictures); ++segment) {
    const std::uint64_t first = plan.begin(segment), end = std::min(plan.begin(segment + 1), pictures);
    const std::string text =
        write_webvtt(subtitles, from_seconds(plan.seconds(first)), from_seconds(plan.seconds(end)), shift);
    track.sizes.push_back(DataSize{static_cast<std::int64_t>(text.size())});
    track.durations.push_back((end - first) * static_cast<std::uint64_t>(plan.picture_ticks()));
    publication.publish(track.segment(static_cast<SegmentIndex>(track.sizes.size() - 1)).uri, text);
  }
  track.whole = fmt::format("{}/{}", id, kWholeSubtitlesName);
  const Duration end = from_seconds(plan.seconds(pictures));
  publication.publish(*track.whole, kWholeHead + cues_between(subtitles, Duration{}, end, Duration{}));
  track.bitrate = measure_bitrate(track, DataRate{});
  track.bitrate.target = track.bitrate.average;
  return track;
}

}  // namespace tributary::segmenter
