#include "report/experience_input.hh"

#include <fmt/format.h>

#include <array>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

namespace tributary {
namespace {

using nlohmann::ordered_json;

constexpr int kStream = 1;  // there is one in a file

using Names = std::pair<std::string_view, std::string_view>;  // of RFC 6381, and of the scorer
constexpr std::array<Names, 11> kCodecs{{{"avc", "h264"},
                                         {"hvc", "h265"},
                                         {"hev", "h265"},
                                         {"vp09", "vp9"},
                                         {"av01", "av1"},
                                         {"mp4a.40.29", "heaac"},
                                         {"mp4a.40.5", "heaac"},
                                         {"mp4a.40.2", "aaclc"},
                                         {"mp4a.40.34", "mp3"},
                                         {"ac-3", "ac3"},
                                         {"mp4a.69", "mp2"}}};

std::string codec_of(const Track& track) {
  for (const auto& [prefix, name] : kCodecs)
    if (track.codec.starts_with(prefix)) return std::string{name};
  return track.codec;
}

/// Of a segment of the picture, or of sound that is cut as the picture is.
ordered_json segment_json(const Track& track, SegmentIndex segment, double start) {
  ordered_json entry;
  const Duration duration = track.duration(segment);
  entry["codec"] = codec_of(track);
  entry["start"] = start;
  entry["duration"] = to_seconds(duration);
  entry["bitrate"] = (track.sizes[to_index(segment)] / duration).kilobits_per_second();
  if (track.kind != TrackKind::kVideo) return entry;
  entry["resolution"] = fmt::format("{}x{}", track.width, track.height);
  entry["fps"] = static_cast<double>(track.frame_rate_num) / track.frame_rate_den;
  entry["representation"] = track.id;
  return entry;
}

ordered_json stream_json(const char* list, ordered_json entries) {
  return {{"streamId", kStream}, {list, std::move(entries)}};
}

}  // namespace

ordered_json p1203_input(const SessionRecord& record) {
  const SegmentTable& table = record.table();
  const Presentation& title = table.presentation();
  ordered_json pictures = ordered_json::array(), sounds = ordered_json::array(), stalls = ordered_json::array();
  const bool has_sound = table.sound() && !title.own_grids;
  double media = 0;
  for (const auto& [index, segment] : record.segments()) {
    const Track& picture = title.tracks[table.ladder()[to_index(segment.quality)]];
    if (!segment.played || picture.kind != TrackKind::kVideo || picture.width == 0 || picture.frame_rate_num == 0)
      continue;
    if (pictures.empty())
      stalls.push_back({0, to_seconds(segment.played->time_since_epoch())});
    else if (segment.miss > Duration{})
      stalls.push_back({media, to_seconds(segment.miss)});
    pictures.push_back(segment_json(picture, index, media));
    if (has_sound) sounds.push_back(segment_json(title.tracks[*table.sound()], index, media));
    media += to_seconds(table.duration(index));
  }
  if (pictures.empty()) return nullptr;
  ordered_json input;
  input["I13"] = stream_json("segments", std::move(pictures));
  if (!sounds.empty()) input["I11"] = stream_json("segments", std::move(sounds));
  input["I23"] = stream_json("stalling", std::move(stalls));
  input["IGen"] = {{"device", "pc"}, {"displaySize", "1920x1080"}};
  return input;
}

}  // namespace tributary
