#include "presentation/json/json_index.hh"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "presentation/json/json_parts.hh"

namespace tributary {
namespace {

using nlohmann::ordered_json;

ordered_json runs_of(const std::vector<std::uint64_t>& durations) {
  ordered_json runs = ordered_json::array();
  for (std::size_t i = 0, next = 0; i < durations.size(); i = next) {
    while (next < durations.size() && durations[next] == durations[i]) ++next;
    runs.push_back(ordered_json::array({durations[i], next - i}));
  }
  return runs;
}

ordered_json numbers_of(const std::vector<DataSize>& sizes) {
  ordered_json numbers = ordered_json::array();
  for (const DataSize size : sizes) numbers.push_back(size.bytes());
  return numbers;
}

ordered_json switch_points(const Track& track) {
  ordered_json points = ordered_json::array();
  for (std::size_t i = 0; i < track.continues.size(); ++i) {
    if (!track.continues[i]) points.push_back(i);
  }
  return points;
}

/// As the index states a rate: at least 1 bit/s.
std::int64_t rate_of(DataRate rate) {
  constexpr double kFastest = 9e18;  // an int64 holds 9.2e18
  if (!(rate.bits_per_second() > 1)) return 1;
  return DataRate::bits_per_second(std::min(rate.bits_per_second(), kFastest)).whole_bits_per_second();
}

ordered_json write_window(const LiveWindow& window, const Track& track) {
  const auto first = static_cast<std::int64_t>(track.first_number);
  return {{"availabilityStartTime", utc_text(window.availability_start)},
          {"first", first},
          {"last", first + static_cast<std::int64_t>(track.sizes.size()) - 1},
          {"windowSegments", window.segments},
          {"segmentsKept", window.kept},
          {"interruptions", window.interruptions},
          {"stretchStart", window.stretch_start.count()}};
}

ordered_json write_init(const Resource& init) {
  ordered_json out{{"uri", init.uri}, {"bytes", init.range.size().bytes()}};
  if (!init.whole_file) out["offset"] = init.range.begin.bytes();
  if (init.estimated) out["estimated"] = true;
  return out;
}

ordered_json write_stretch(const Stretch& stretch) {
  ordered_json out{{"first", to_index(stretch.first)}, {"offset", stretch.offset}};
  if (stretch.init) out["init"] = write_init(*stretch.init);
  return out;
}

ordered_json write_track(const Track& track) {
  ordered_json out;
  out["id"] = track.id;
  out["kind"] = to_string(track.kind);
  out["group"] = track.group;
  if (!track.codec.empty()) out["codec"] = track.codec;
  if (!track.mime.empty()) out["mime"] = track.mime;
  out["timescale"] = track.timescale;
  out["offset"] = track.offset;
  if (track.kind == TrackKind::kVideo) {
    out["width"] = track.width;
    out["height"] = track.height;
    out["frameRate"] = {track.frame_rate_num, track.frame_rate_den};
    if (track.color) out["color"] = {track.color->primaries, track.color->transfer, track.color->matrix};
  }
  if (track.kind == TrackKind::kAudio) {
    out["sampleRate"] = track.sample_rate;
    out["channels"] = track.channels;
  }
  if (!track.label.language.empty()) out["lang"] = track.label.language;
  if (!track.label.name.empty()) out["name"] = track.label.name;
  for (const TrackRole role : track.label.roles) out["roles"].push_back(to_string(role));
  out["bitrate"] = {{"target", rate_of(track.bitrate.target)},
                    {"max", rate_of(track.bitrate.maximum)},
                    {"average", rate_of(track.bitrate.average)},
                    {"peak", rate_of(track.bitrate.peak)}};
  if (track.init) out["init"] = write_init(*track.init);
  for (const Stretch& stretch : track.stretches) out["stretches"].push_back(write_stretch(stretch));
  out["uri"] = track.uri;
  out["first"] = track.first_number;
  out["start"] = track.start;
  out["durations"] = runs_of(track.durations);
  out["bytes"] = numbers_of(track.sizes);
  if (std::ranges::find(track.estimated, true) != track.estimated.end()) out["estimated"] = true;
  if (std::ranges::find(track.continues, true) != track.continues.end()) out["switchPoints"] = switch_points(track);
  for (const FilePiece& piece : track.pieces) out["pieces"].push_back({piece.index, piece.count});
  if (!track.file_offsets.empty()) out["offsets"] = numbers_of(track.file_offsets);
  if (!track.metrics.psnr.empty()) out["metrics"]["psnr"] = track.metrics.psnr;
  if (!track.metrics.ssim.empty()) out["metrics"]["ssim"] = track.metrics.ssim;
  if (track.parts) out["parts"] = write_parts(*track.parts);
  if (track.frames) out["frames"] = *track.frames;
  if (track.whole) out["whole"] = *track.whole;
  return out;
}

ordered_json write_sheets(const ThumbnailSheets& sheets) {
  return {{"uri", sheets.uri},
          {"first", sheets.first_number},
          {"columns", sheets.columns},
          {"rows", sheets.rows},
          {"width", sheets.width},
          {"height", sheets.height},
          {"timescale", sheets.timescale},
          {"ticks", sheets.ticks},
          {"pictures", sheets.pictures},
          {"bytes", numbers_of(sheets.sizes)}};
}

}  // namespace

std::string write_index(const Presentation& presentation, std::string_view created, std::string_view updated) {
  ordered_json out;
  out["format"] = kIndexFormat;
  out["version"] = kIndexVersion;
  out["type"] = presentation.live ? "live" : "vod";
  out["complete"] = presentation.complete;
  if (!presentation.title.empty()) out["title"] = presentation.title;
  for (const Chapter& chapter : presentation.chapters)
    out["chapters"].push_back({{"start", to_seconds(chapter.start)}, {"name", chapter.name}});
  out["generator"] = presentation.generator;
  if (!created.empty()) out["created"] = created;
  if (!updated.empty()) out["updated"] = updated;
  out["segmentDuration"] = presentation.nominal_segment_seconds;
  if (presentation.hls) out["manifests"]["hls"] = *presentation.hls;
  if (presentation.dash) out["manifests"]["dash"] = *presentation.dash;
  if (presentation.live) out["live"] = write_window(*presentation.live, presentation.tracks.at(0));
  if (presentation.own_grids) out["ownGrids"] = true;
  out["tracks"] = ordered_json::array();
  for (const Track& track : presentation.tracks) out["tracks"].push_back(write_track(track));
  if (presentation.sheets) out["thumbnails"] = write_sheets(*presentation.sheets);
  // The language is told by the source, and may not be UTF-8.
  return out.dump(-1, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace tributary
