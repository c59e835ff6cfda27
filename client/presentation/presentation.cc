#include "presentation/presentation.hh"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <numeric>
#include <utility>

#include "presentation/resource_uri.hh"

namespace tributary {
namespace {

constexpr std::array<std::pair<TrackKind, std::string_view>, 4> kKinds{{{TrackKind::kVideo, "video"},
                                                                        {TrackKind::kAudio, "audio"},
                                                                        {TrackKind::kText, "text"},
                                                                        {TrackKind::kData, "data"}}};

/// Segment `first` becomes segment 0.
void leave_out_stretches_before(Track& track, std::size_t first) {
  const std::size_t begins_in = track.stretch_of(static_cast<SegmentIndex>(first));
  if (begins_in > 0) {
    track.init = track.stretches[begins_in - 1].init;
    track.offset = track.stretches[begins_in - 1].offset;
    track.stretches.erase(track.stretches.begin(), track.stretches.begin() + static_cast<std::ptrdiff_t>(begins_in));
  }
  for (Stretch& stretch : track.stretches) stretch.first = static_cast<SegmentIndex>(to_index(stretch.first) - first);
}

/// When the segment starts, by the track's timeline; that behind the last one, where the track ends.
double second_of(const Track& track, std::size_t segment) {
  const auto end = track.durations.begin() + static_cast<std::ptrdiff_t>(segment);
  return static_cast<double>(std::accumulate(track.durations.begin(), end, track.start)) / track.timescale;
}

/// The last segments of the track: at least `count`, if there are as many, and the first continues no other one.
std::size_t from_switch_point(const Track& track, std::size_t count) {
  std::size_t first = track.sizes.size() - std::min(count, track.sizes.size());
  while (first > 0 && first < track.sizes.size() && track.does_continue(static_cast<SegmentIndex>(first))) --first;
  return track.sizes.size() - first;
}

}  // namespace

std::string_view to_string(TrackKind kind) {
  for (const auto& [value, name] : kKinds) {
    if (value == kind) return name;
  }
  return "unknown";
}

std::optional<TrackKind> track_kind_from(std::string_view text) {
  for (const auto& [value, name] : kKinds) {
    if (name == text) return value;
  }
  return std::nullopt;
}

std::string Track::segment_uri(std::uint64_t number) const { return numbered(uri, number); }

Resource Track::segment(SegmentIndex index) const {
  const std::size_t i = to_index(index);
  assert(i < sizes.size());
  if (!places.empty()) {
    const DataSize begin = places[i].begin.value_or(DataSize{});
    return {places[i].uri,      {begin, begin + sizes[i]}, !places[i].begin,
            is_estimate(index), places[i].cipher,          piece(index)};
  }
  const DataSize begin = file_offsets.empty() ? DataSize{} : file_offsets[i];
  return {segment_uri(first_number + i),
          {begin, begin + sizes[i]},
          file_offsets.empty(),
          is_estimate(index),
          {},
          piece(index)};
}

std::optional<FilePiece> Track::piece(SegmentIndex index) const {
  const FilePiece piece = pieces.empty() ? FilePiece{} : pieces[to_index(index)];
  return piece.count > 1 ? std::optional{piece} : std::nullopt;
}

Duration Track::duration(SegmentIndex index) const {
  return from_seconds(static_cast<double>(durations[to_index(index)]) / timescale);
}

std::size_t Track::stretch_of(SegmentIndex segment) const {
  const auto behind = std::ranges::upper_bound(stretches, segment, {}, &Stretch::first);
  return static_cast<std::size_t>(behind - stretches.begin());
}

void Track::begin_stretch(StretchStart how) {
  if (sizes.empty()) {
    init = std::move(how.init);
    offset = how.offset;
  } else {
    stretches.push_back({static_cast<SegmentIndex>(sizes.size()), std::move(how.init), how.offset});
  }
}

Presentation Presentation::last_segments(std::size_t count) const {
  Presentation result = *this;
  const auto ladder = std::ranges::find_if(tracks, [](const Track& track) { return track.kind != TrackKind::kAudio; });
  if (ladder != tracks.end()) count = from_switch_point(*ladder, count);
  const auto before = [count](const Track& track) { return track.sizes.size() - std::min(count, track.sizes.size()); };
  const double begin = own_grids && ladder != tracks.end() ? second_of(*ladder, before(*ladder)) : 0;
  for (Track& track : result.tracks) {
    std::size_t left_out = before(track);
    if (own_grids && track.kind == TrackKind::kAudio) {
      left_out = 0;
      while (left_out < track.sizes.size() && second_of(track, left_out + 1) <= begin) ++left_out;
    }
    const auto end = static_cast<std::ptrdiff_t>(left_out);
    track.first_number += left_out;
    track.start = std::accumulate(track.durations.begin(), track.durations.begin() + end, track.start);
    track.durations.erase(track.durations.begin(), track.durations.begin() + end);
    track.sizes.erase(track.sizes.begin(), track.sizes.begin() + end);
    for (std::vector<int>* figures : {&track.metrics.psnr, &track.metrics.ssim}) {
      if (!figures->empty()) figures->erase(figures->begin(), figures->begin() + end);
    }
    for (std::vector<bool>* marks : {&track.estimated, &track.continues}) {
      if (!marks->empty()) marks->erase(marks->begin(), marks->begin() + end);
    }
    if (!track.pieces.empty()) track.pieces.erase(track.pieces.begin(), track.pieces.begin() + end);
    if (!track.places.empty()) track.places.erase(track.places.begin(), track.places.begin() + end);
    if (!track.file_offsets.empty())
      track.file_offsets.erase(track.file_offsets.begin(), track.file_offsets.begin() + end);
    leave_out_stretches_before(track, left_out);
  }
  return result;
}

Duration Presentation::last_duration() const {
  const Track& track = *std::ranges::find_if(tracks, [](const Track& t) { return t.kind != TrackKind::kAudio; });
  return track.duration(static_cast<SegmentIndex>(track.durations.size() - 1));
}

const Track* Presentation::find_track(std::string_view id) const {
  for (const Track& track : tracks) {
    if (track.id == id) return &track;
  }
  return nullptr;
}

Presentation without_addresses(Presentation presentation) {
  presentation.thumbnails = {};
  presentation.sheets.reset();
  std::erase_if(presentation.tracks, [](const Track& track) { return !track.text.empty(); });
  for (Track& track : presentation.tracks) {
    track.parts.reset();
    if (track.places.empty() && !track.uri.empty()) continue;
    track.places.clear();
    track.uri = track.id + "/{n}";
    track.offset = 0;
    track.whole.reset();
    if (track.init) {
      track.init->uri = track.id + "/init";
      track.init->cipher.reset();
    }
    for (std::size_t i = 0; i < track.stretches.size(); ++i) {
      Stretch& stretch = track.stretches[i];
      stretch.offset = 0;
      if (!stretch.init) continue;
      stretch.init->uri = fmt::format("{}/init-{}", track.id, i + 2);
      stretch.init->cipher.reset();
    }
    if (track.codec.empty()) track.codec = "unknown";
    if (track.mime.empty()) track.mime = "unknown";
    for (int* number : {&track.width, &track.height, &track.frame_rate_num, &track.sample_rate, &track.channels})
      *number = std::max(*number, 1);
  }
  return presentation;
}

}  // namespace tributary
