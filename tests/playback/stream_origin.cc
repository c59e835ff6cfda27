#include "stream_origin.hh"

#include <fmt/format.h>

#include <algorithm>

#include "presentation/json/json_index.hh"
#include "support/files.hh"

namespace tributary::testing {
namespace {

constexpr std::size_t kInitBytes = 300, kSoundBytes = 4'000;

Track track_of(const std::string& id, TrackKind kind, std::size_t bytes, const StreamOrigin::Content& content) {
  Track track;
  track.id = id;
  track.kind = kind;
  track.group = kind == TrackKind::kAudio ? "sound of " + id : "data";
  if (kind == TrackKind::kAudio) {
    track.codec = "mp4a.40.2";
    track.mime = "audio/mp4";
    track.sample_rate = 48'000;
    track.channels = 2;
  }
  track.timescale = 1000;
  track.uri = id + "/{n:05}.bin";
  track.init = Resource{id + "/init.bin", {DataSize{}, DataSize{kInitBytes}}, true};
  track.sizes.assign(content.segments, DataSize{static_cast<std::int64_t>(bytes)});
  track.durations.assign(content.segments, static_cast<std::uint64_t>(content.segment_ms));
  const DataRate rate = track.sizes[0] / Duration{std::chrono::milliseconds{content.segment_ms}};
  track.bitrate = {rate, rate, rate, rate};
  return track;
}

}  // namespace

StreamOrigin::StreamOrigin(const Content& content, const NginxServer::Options& options)
    : content_{content}, nginx_{options} {
  presentation_.nominal_segment_seconds = content.segment_ms / 1e3;
  presentation_.tracks = {track_of("low", TrackKind::kData, content.low_bytes, content),
                          track_of("high", TrackKind::kData, content.high_bytes, content),
                          track_of("english", TrackKind::kAudio, kSoundBytes, content),
                          track_of("norsk", TrackKind::kAudio, kSoundBytes, content)};
  for (const std::size_t quality : {0, 1}) {
    Track& track = presentation_.tracks[quality];
    track.kind = TrackKind::kVideo;
    track.codec = "avc1.64001f";
    track.mime = "video/mp4";
    track.frame_rate_num = 25;
    track.frame_rate_den = 1;
    track.height = quality == 0 ? 360 : 720;
    track.width = track.height * 16 / 9;
  }
  for (std::size_t t = 0; t < presentation_.tracks.size(); ++t) {
    const Track& track = presentation_.tracks[t];
    nginx_.put(track.init->uri, bytes_of(t, SegmentIndex{}, true));
    for (std::size_t i = 0; i < content.segments; ++i) {
      const auto segment = static_cast<SegmentIndex>(i);
      nginx_.put(track.segment(segment).uri, bytes_of(t, segment, false));
    }
  }
  nginx_.put("index.json", write_index(presentation_, "", ""));
}

std::string StreamOrigin::url() const { return fmt::format("http://127.0.0.1:{}/index.json", nginx_.port()); }

std::string StreamOrigin::bytes_of(std::size_t track, SegmentIndex segment, bool init) const {
  const std::int64_t size = init ? kInitBytes : presentation_.tracks[track].sizes.at(to_index(segment)).bytes();
  std::string text(static_cast<std::size_t>(size), '\0');
  std::uint32_t state = static_cast<std::uint32_t>(track * 1'000'003 + to_index(segment) * 7'919 + (init ? 1 : 0)) | 1U;
  for (char& c : text) {
    state = state * 1'664'525 + 1'013'904'223;
    c = static_cast<char>(state >> 24);
  }
  return text;
}

std::string StreamOrigin::defect_of(const MediaSegment& segment) const {
  if (segment.start != static_cast<std::int64_t>(to_index(segment.index)) * segment_duration())
    return fmt::format("segment {} starts elsewhere", to_index(segment.index));
  std::size_t media = 0;
  for (const MediaSegment::Part& part : segment.parts) {
    media += part.init ? 0 : 1;
    if (!std::ranges::equal(*part.bytes,
                            bytes(bytes_of(part.track, part.init ? SegmentIndex{} : segment.index, part.init))))
      return fmt::format("segment {}, track {}{}: wrong bytes", to_index(segment.index), part.track,
                         part.init ? " (init)" : "");
  }
  return media == 2 ? "" : fmt::format("segment {} has {} parts", to_index(segment.index), media);
}

}  // namespace tributary::testing
