#include "presentation/json/json_index.hh"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>

#include "presentation/json/json_node.hh"
#include "presentation/json/json_parts.hh"
#include "presentation/resource_uri.hh"
#include "presentation/segment_limits.hh"
#include "presentation/segments/size_estimates.hh"

namespace tributary {
namespace {

constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
constexpr int kMostInt = std::numeric_limits<int>::max();
constexpr double kLongestSeconds = 9e9;  // a Duration counts nanoseconds in 63 bits

TrackKind read_kind(const JsonNode& node) {
  const std::string text = node.text();
  if (const auto kind = track_kind_from(text)) return *kind;
  node.refuse(fmt::format("\"{}\" is not one of video, audio, text, data", text));
}

int read_int(const JsonNode& parent, std::string_view name, std::string_view what) {
  return static_cast<int>(parent.member(name).integer(what, 1, kMostInt));
}

std::string read_name(const JsonNode& node) {
  std::string text = node.text();
  if (text.empty()) node.refuse("the name is empty");
  return text;
}

std::string read_uri(const JsonNode& node) {
  std::string uri = node.text();
  if (const auto why = why_not_below_index(uri)) node.refuse(*why);
  return uri;
}

DataRate read_rate(const JsonNode& node) {
  return DataRate::bits_per_second(static_cast<double>(node.integer("a rate in bit/s", 1, kMost)));
}

TrackBitrate read_bitrate(const JsonNode& node) {
  return {read_rate(node.member("target")), read_rate(node.member("max")), read_rate(node.member("average")),
          read_rate(node.member("peak"))};
}

DataSize read_size(const JsonNode& node) {
  const DataSize size{node.integer("a size", 1, kMost)};
  if (size > kLargestSegment)
    node.refuse(
        fmt::format("{} bytes are more than {}, and would be kept in memory", size.bytes(), kLargestSegment.bytes()));
  return size;
}

DataSize read_offset(const JsonNode& node, DataSize size) {
  return DataSize{node.integer("an offset in a file", 0, kMost - size.bytes())};
}

Resource read_init(const JsonNode& node) {
  const DataSize size = read_size(node.member("bytes"));
  const auto offset = node.find("offset");
  const DataSize begin = offset ? read_offset(*offset, size) : DataSize{};
  const auto estimated = node.find("estimated");
  return {read_uri(node.member("uri")), {begin, begin + size}, !offset, estimated && estimated->boolean()};
}

std::vector<DataSize> read_sizes(const JsonNode& node) {
  std::vector<DataSize> sizes;
  for (std::size_t i = 0; i < node.size(); ++i) sizes.push_back(read_size(node.element(i)));
  return sizes;
}

/// One number for each segment from [[ticks, count], ...]. The counts must add up to the number of segments;
/// the sum of ticks, from `start` on, must be a time that a Duration holds.
std::vector<std::uint64_t> read_durations(const JsonNode& node, std::size_t segments, const Track& track) {
  std::vector<std::uint64_t> durations;
  const auto latest = static_cast<std::int64_t>(std::min(kLongestSeconds * track.timescale, 9.2e18));
  std::int64_t room = latest - std::min(latest, static_cast<std::int64_t>(track.start));
  for (std::size_t i = 0; i < node.size(); ++i) {
    const JsonNode run = node.element(i);
    if (run.size() != 2) run.refuse("a run is [ticks, count]");
    const std::int64_t ticks = run.element(0).integer("a duration in ticks", 1, kMost);
    const std::int64_t count = run.element(1).integer("a count of segments", 1, kMost);
    if (static_cast<std::uint64_t>(count) > segments - durations.size()) {
      run.refuse(fmt::format("more durations than the {} segments in \"bytes\"", segments));
    }
    if (ticks > room / count) run.refuse("start and durations add up to more than 9e9 seconds");
    room -= ticks * count;
    durations.insert(durations.end(), static_cast<std::size_t>(count), static_cast<std::uint64_t>(ticks));
  }
  if (durations.size() != segments) {
    node.refuse(fmt::format("{} durations, but \"bytes\" has {} segments", durations.size(), segments));
  }
  return durations;
}

std::vector<DataSize> read_file_offsets(const JsonNode& node, const std::vector<DataSize>& sizes) {
  if (node.size() != sizes.size()) {
    node.refuse(fmt::format("{} offsets, but \"bytes\" has {} segments", node.size(), sizes.size()));
  }
  std::vector<DataSize> offsets;
  for (std::size_t i = 0; i < node.size(); ++i) {
    const JsonNode element = node.element(i);
    offsets.push_back(read_offset(element, sizes[i]));
  }
  std::vector<std::size_t> in_file(offsets.size());  // by where they are there
  std::iota(in_file.begin(), in_file.end(), std::size_t{0});
  std::ranges::stable_sort(in_file, {}, [&](std::size_t i) { return offsets[i]; });
  for (std::size_t i = 1; i < in_file.size(); ++i) {
    const auto [earlier, later] = std::minmax(in_file[i - 1], in_file[i]);
    if (offsets[in_file[i]] < offsets[in_file[i - 1]] + sizes[in_file[i - 1]])
      node.element(later).refuse(fmt::format("overlaps segment {}", earlier));
  }
  return offsets;
}

std::vector<int> read_figures(const JsonNode& node, std::size_t segments) {
  constexpr int kBest = 10000;  // 100 dB, and an SSIM of 1
  if (node.size() != segments)
    node.refuse(fmt::format("{} figures, but \"bytes\" has {} segments", node.size(), segments));
  std::vector<int> figures;
  for (std::size_t i = 0; i < node.size(); ++i)
    figures.push_back(static_cast<int>(node.element(i).integer("a figure", 0, kBest)));
  return figures;
}

PictureMetrics read_metrics(const JsonNode& node, std::size_t segments) {
  PictureMetrics metrics;
  if (const auto psnr = node.find("psnr")) metrics.psnr = read_figures(*psnr, segments);
  if (const auto ssim = node.find("ssim")) metrics.ssim = read_figures(*ssim, segments);
  return metrics;
}

/// Roles that are not known are passed over.
TrackLabel read_label(const JsonNode& node) {
  TrackLabel label;
  if (const auto language = node.find("lang")) label.language = language->text();
  if (const auto name = node.find("name")) label.name = read_name(*name);
  const auto roles = node.find("roles");
  for (std::size_t i = 0; roles && i < roles->size(); ++i) {
    const auto role = track_role_from(roles->element(i).text());
    if (role && !label.has(*role)) label.roles.push_back(*role);
  }
  std::ranges::sort(label.roles);
  return label;
}

ColorCodes read_color(const JsonNode& node) {
  constexpr int kMostCode = 255;
  if (node.size() != 3) node.refuse("colours are [primaries, transfer, matrix]");
  const auto code = [&](std::size_t i) {
    return static_cast<int>(node.element(i).integer("a code of ISO/IEC 23091-2", 0, kMostCode));
  };
  return {code(0), code(1), code(2)};
}

/// Fields of pictures only, and of sound only.
void read_format(const JsonNode& node, Track& track) {
  const bool decoded = track.kind != TrackKind::kData;
  if (const auto codec = node.find("codec"); codec || decoded) track.codec = read_name(node.member("codec"));
  if (const auto mime = node.find("mime"); mime || decoded) track.mime = read_name(node.member("mime"));
  track.label = read_label(node);
  if (track.kind == TrackKind::kVideo) {
    track.width = read_int(node, "width", "a width in pixels");
    track.height = read_int(node, "height", "a height in pixels");
    const JsonNode rate = node.member("frameRate");
    if (rate.size() != 2) rate.refuse("a frame rate is [numerator, denominator]");
    track.frame_rate_num = static_cast<int>(rate.element(0).integer("a numerator", 1, kMostInt));
    track.frame_rate_den = static_cast<int>(rate.element(1).integer("a denominator", 1, kMostInt));
    if (const auto color = node.find("color")) track.color = read_color(*color);
  }
  if (track.kind == TrackKind::kAudio) {
    track.sample_rate = read_int(node, "sampleRate", "a sample rate in Hz");
    track.channels = read_int(node, "channels", "a number of channels");
  }
}

void read_segments(const JsonNode& node, Track& track) {
  const JsonNode uri = node.member("uri");
  track.uri = uri.text();
  const auto offsets = node.find("offsets");
  if (const auto why = offsets ? why_not_below_index(track.uri) : why_not_segment_pattern(track.uri)) uri.refuse(*why);
  track.sizes = read_sizes(node.member("bytes"));
  const auto most = kMost - static_cast<std::int64_t>(track.sizes.size());
  track.first_number = static_cast<std::uint64_t>(node.member("first").integer("a segment number", 0, most));
  track.start = static_cast<std::uint64_t>(node.member("start").integer("a time in ticks", 0, kMost));
  track.durations = read_durations(node.member("durations"), track.sizes.size(), track);
  if (offsets) track.file_offsets = read_file_offsets(*offsets, track.sizes);
}

std::vector<Stretch> read_stretches(const JsonNode& node, std::size_t segments) {
  std::vector<Stretch> stretches;
  for (std::size_t i = 0; i < node.size(); ++i) {
    const JsonNode one = node.element(i);
    const auto least = stretches.empty() ? 1 : static_cast<std::int64_t>(to_index(stretches.back().first)) + 1;
    const auto first = one.member("first").integer("a segment behind the stretch before, from 1 on", least,
                                                   static_cast<std::int64_t>(segments) - 1);
    Stretch stretch{static_cast<SegmentIndex>(first), std::nullopt,
                    one.member("offset").integer("an offset in ticks", -kMost, kMost)};
    if (const auto init = one.find("init")) stretch.init = read_init(*init);
    stretches.push_back(std::move(stretch));
  }
  return stretches;
}

/// The segments that continue no other one, counted from 0, which is the first of them.
std::vector<bool> read_switch_points(const JsonNode& node, std::size_t segments) {
  std::vector<bool> continues(segments, true);
  std::int64_t least = 0;
  for (std::size_t i = 0; i < node.size(); ++i) {
    const JsonNode one = node.element(i);
    const auto point =
        one.integer("a segment behind the switch point before", least, static_cast<std::int64_t>(segments) - 1);
    if (i == 0 && point != 0) one.refuse("the first segment is a switch point");
    continues[static_cast<std::size_t>(point)] = false;
    least = point + 1;
  }
  if (node.size() == 0) node.refuse("the first segment is a switch point");
  return continues;
}

std::vector<FilePiece> read_pieces(const JsonNode& node, std::size_t segments) {
  if (node.size() != segments) node.refuse(fmt::format("there are {} segments", segments));
  std::vector<FilePiece> pieces;
  for (std::size_t i = 0; i < segments; ++i) {
    const JsonNode one = node.element(i);
    if (one.size() != 2) one.refuse("the place of a piece, and how many there are");
    const auto count = one.element(1).integer("pieces of a file", 1, 0xffff);
    const auto index = one.element(0).integer("a piece of the file, counted from 0", 0, count - 1);
    pieces.push_back({static_cast<std::uint32_t>(index), static_cast<std::uint32_t>(count)});
  }
  return pieces;
}

Track read_track(const JsonNode& node) {
  Track track;
  const JsonNode id = node.member("id");
  track.id = read_uri(id);  // it is the name of a directory, too
  if (track.id.find('/') != std::string::npos) id.refuse("an id has no \"/\"");
  track.kind = read_kind(node.member("kind"));
  track.group = read_name(node.member("group"));
  track.timescale =
      static_cast<std::uint32_t>(node.member("timescale").integer("a timescale in ticks per second", 1, 0xffffffff));
  track.offset = node.member("offset").integer("an offset in ticks", 0, kMost);
  read_format(node, track);
  track.bitrate = read_bitrate(node.member("bitrate"));
  if (const auto init = node.find("init")) track.init = read_init(*init);
  read_segments(node, track);
  if (const auto stretches = node.find("stretches")) track.stretches = read_stretches(*stretches, track.sizes.size());
  if (const auto estimated = node.find("estimated"); estimated && estimated->boolean()) estimate_all(track);
  if (const auto points = node.find("switchPoints")) track.continues = read_switch_points(*points, track.sizes.size());
  if (const auto pieces = node.find("pieces")) track.pieces = read_pieces(*pieces, track.sizes.size());
  if (const auto metrics = node.find("metrics")) track.metrics = read_metrics(*metrics, track.sizes.size());
  if (const auto parts = node.find("parts")) track.parts = read_parts(*parts, track);
  if (const auto frames = node.find("frames")) track.frames = read_uri(*frames);
  if (const auto whole = node.find("whole")) track.whole = read_uri(*whole);
  return track;
}

constexpr std::string_view kOneShift = "all tracks are shifted by the same time";

double offset_seconds(const Track& track) { return static_cast<double>(track.offset) / track.timescale; }

/// Timestamps of all tracks are shifted by the same time, as exactly as their ticks allow.
bool offsets_agree(const Track& a, const Track& b) {
  return std::abs(offset_seconds(a) - offset_seconds(b)) <= 1.0 / std::min(a.timescale, b.timescale);
}

/// Any two must agree, as exactly as the coarser ticks of both allow: each is compared with the earliest and the latest
/// of those with finer ticks.
void check_offsets(const JsonNode& nodes, const std::vector<Track>& tracks) {
  std::vector<std::size_t> finest_first(tracks.size());
  std::iota(finest_first.begin(), finest_first.end(), std::size_t{0});
  std::ranges::stable_sort(finest_first, std::greater{}, [&](std::size_t i) { return tracks[i].timescale; });
  std::size_t earliest = finest_first[0], latest = finest_first[0];
  for (const std::size_t i : finest_first) {
    for (const std::size_t other : {earliest, latest}) {
      if (offsets_agree(tracks[other], tracks[i])) continue;
      nodes.element(std::max(i, other))
          .member("offset")
          .refuse(fmt::format("differs from tracks[{}]: {}", std::min(i, other), kOneShift));
    }
    if (offset_seconds(tracks[i]) < offset_seconds(tracks[earliest])) earliest = i;
    if (offset_seconds(tracks[i]) > offset_seconds(tracks[latest])) latest = i;
  }
}

/// Properties that tracks[j], j < i, and tracks[i] must share.
class Agreement {
 public:
  Agreement(const JsonNode& nodes, const std::vector<Track>& tracks, bool own_grids)
      : nodes_{nodes}, tracks_{tracks}, own_grids_{own_grids} {}

  /// Shared properties are those of the first track.
  void check_last() {
    const std::size_t i = tracks_.size() - 1;
    const Track& track = tracks_[i];
    const auto [same, is_new] = ids_.emplace(track.id, i);
    if (!is_new) {
      nodes_.element(i).member("id").refuse(fmt::format("tracks[{}] is called \"{}\", too", same->second, track.id));
    }
    if (!own_grids_)
      expect(tracks_[0].sizes.size() == track.sizes.size(), "bytes", 0, "all tracks have the same number of segments");
    expect(offsets_agree(tracks_[0], track), "offset", 0, kOneShift);
    const std::size_t j = groups_.emplace(track.group, i).first->second;
    const Track& first = tracks_[j];
    expect(first.sizes.size() == track.sizes.size(), "bytes", j, "tracks of one group have the same segments");
    expect(first.kind == track.kind, "kind", j, "tracks of one group are of one kind");
    expect(first.timescale == track.timescale, "timescale", j, "tracks of one group have the same timescale");
    expect(first.start == track.start, "start", j, "tracks of one group start at the same time");
    expect(first.durations == track.durations, "durations", j, "tracks of one group have the same durations");
    expect(std::ranges::equal(first.stretches, track.stretches, {}, &Stretch::first, &Stretch::first), "stretches", j,
           "stretches of one group begin with the same segments");
  }

 private:
  void expect(bool agrees, std::string_view member, std::size_t other, std::string_view rule) const {
    if (agrees) return;
    nodes_.element(tracks_.size() - 1).member(member).refuse(fmt::format("differs from tracks[{}]: {}", other, rule));
  }

  const JsonNode& nodes_;
  const std::vector<Track>& tracks_;
  bool own_grids_;
  std::map<std::string, std::size_t> ids_, groups_;  // the first of each
};

std::vector<Track> read_tracks(const JsonNode& nodes, bool own_grids) {
  if (nodes.size() == 0) nodes.refuse("there is no track");
  std::vector<Track> tracks;
  Agreement agreement{nodes, tracks, own_grids};
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    tracks.push_back(read_track(nodes.element(i)));
    agreement.check_last();
  }
  check_offsets(nodes, tracks);
  return tracks;
}

LiveWindow read_window(const JsonNode& node) {
  constexpr std::int64_t kMostSegments = 1'000'000'000, kMostMilliseconds = 9'000'000'000'000;
  LiveWindow window;
  const JsonNode start = node.member("availabilityStartTime");
  const auto time = utc_from(start.text());
  if (!time) start.refuse("not a time like 2026-01-02T03:04:05.678Z");
  window.availability_start = *time;
  const auto count = [&](const char* name, std::int64_t least) {
    return static_cast<std::uint32_t>(node.member(name).integer("a number of segments", least, kMostSegments));
  };
  window.segments = count("windowSegments", 1);
  window.kept = count("segmentsKept", 0);
  window.interruptions = static_cast<std::uint32_t>(node.member("interruptions").integer("a count", 0, kMostSegments));
  if (const auto stretch = node.find("stretchStart"))
    window.stretch_start = std::chrono::milliseconds{stretch->integer("milliseconds", 0, kMostMilliseconds)};
  return window;
}

/// Live, all tracks list the segments of the same numbers, unless they are cut at different places.
void check_numbers(const JsonNode& live, const JsonNode& nodes, const std::vector<Track>& tracks, bool own_grids) {
  const auto first = static_cast<std::int64_t>(tracks[0].first_number);
  const std::int64_t last = first + static_cast<std::int64_t>(tracks[0].sizes.size()) - 1;
  live.member("first").integer(fmt::format("the first of tracks[0], {}", first), first, first);
  live.member("last").integer(fmt::format("the number of the last segment of tracks[0], {}", last), last, last);
  for (std::size_t i = 1; i < tracks.size() && !own_grids; ++i) {
    if (tracks[i].first_number != tracks[0].first_number)
      nodes.element(i).member("first").refuse("differs from tracks[0]: live tracks list the same segments");
  }
}

/// Parts of all tracks begin and end together.
void check_parts(const JsonNode& nodes, const Presentation& presentation) {
  const auto counts_of = [](const Track& track) {
    std::vector<std::pair<std::uint64_t, std::size_t>> counts;
    for (const SegmentParts& segment : track.parts->segments)
      counts.emplace_back(segment.segment, segment.parts.size());
    return counts;
  };
  std::optional<std::size_t> first;
  for (std::size_t i = 0; i < presentation.tracks.size(); ++i) {
    if (!presentation.tracks[i].parts) continue;
    const JsonNode node = nodes.element(i).member("parts");
    if (!presentation.live) node.refuse("only segments of a live presentation have parts");
    if (!first) first = i;
    if (counts_of(presentation.tracks[i]) != counts_of(presentation.tracks[*first]))
      node.member("segments").refuse(fmt::format("differ from tracks[{}]: parts of all tracks come together", *first));
  }
}

ThumbnailSheets read_sheets(const JsonNode& node) {
  constexpr int kMostTiles = 1'000, kWidest = 65'535;
  ThumbnailSheets sheets;
  const JsonNode uri = node.member("uri");
  sheets.uri = uri.text();
  if (const auto why = why_not_segment_pattern(sheets.uri)) uri.refuse(*why);
  const auto count = [&](const char* name, std::int64_t most) {
    return node.member(name).integer("a number from 1 on", 1, most);
  };
  sheets.first_number = static_cast<std::uint64_t>(node.member("first").integer("a number", 0, kMostInt));
  sheets.columns = static_cast<int>(count("columns", kMostTiles));
  sheets.rows = static_cast<int>(count("rows", kMostTiles));
  sheets.width = static_cast<int>(count("width", kWidest));
  sheets.height = static_cast<int>(count("height", kWidest));
  sheets.timescale = static_cast<std::uint32_t>(count("timescale", std::numeric_limits<std::uint32_t>::max()));
  sheets.pictures = static_cast<std::size_t>(count("pictures", kMostInt));
  sheets.sizes = read_sizes(node.member("bytes"));
  const std::size_t a_sheet = sheets.pictures_per_sheet();
  if ((sheets.pictures + a_sheet - 1) / a_sheet != sheets.sizes.size())
    node.member("bytes").refuse(fmt::format("{} sheets for {} pictures", sheets.sizes.size(), sheets.pictures));
  const double longest = std::min(kLongestSeconds * sheets.timescale, 9.2e18) / static_cast<double>(sheets.pictures);
  sheets.ticks = static_cast<std::uint64_t>(count("ticks", static_cast<std::int64_t>(std::max(longest, 1.0))));
  return sheets;
}

std::vector<Chapter> read_chapters(const JsonNode& nodes) {
  std::vector<Chapter> chapters;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const JsonNode start = nodes.element(i).member("start");
    if (!(start.number() >= 0 && start.number() <= kLongestSeconds)) start.refuse("not a time in seconds");
    chapters.push_back({from_seconds(start.number()), nodes.element(i).member("name").text()});
    if (i > 0 && chapters[i].start <= chapters[i - 1].start) start.refuse("a chapter begins behind the one before it");
  }
  return chapters;
}

}  // namespace

Presentation read_index(std::string_view text) {
  const nlohmann::json document = parse_json(text);
  const JsonNode root{document, ""};
  root.expect_format(kIndexFormat, kIndexVersion);
  Presentation presentation;
  const JsonNode type = root.member("type");
  if (type.text() != "vod" && type.text() != "live") type.refuse("neither \"vod\" nor \"live\"");
  if (type.text() == "live") presentation.live = read_window(root.member("live"));
  presentation.complete = root.member("complete").boolean();
  if (const auto title = root.find("title")) presentation.title = title->text();
  if (const auto chapters = root.find("chapters")) presentation.chapters = read_chapters(*chapters);
  if (const auto generator = root.find("generator")) presentation.generator = generator->text();
  const JsonNode nominal = root.member("segmentDuration");
  presentation.nominal_segment_seconds = nominal.number();
  if (!(nominal.number() > 0 && nominal.number() <= kLongestSeconds)) nominal.refuse("not a duration in seconds");
  if (const auto manifests = root.find("manifests")) {
    if (const auto hls = manifests->find("hls")) presentation.hls = read_uri(*hls);
    if (const auto dash = manifests->find("dash")) presentation.dash = read_uri(*dash);
  }
  if (const auto own = root.find("ownGrids")) presentation.own_grids = own->boolean();
  presentation.tracks = read_tracks(root.member("tracks"), presentation.own_grids);
  if (const auto sheets = root.find("thumbnails")) presentation.sheets = read_sheets(*sheets);
  if (presentation.live)
    check_numbers(root.member("live"), root.member("tracks"), presentation.tracks, presentation.own_grids);
  check_parts(root.member("tracks"), presentation);
  if (presentation.complete && presentation.tracks[0].sizes.empty()) {
    root.member("tracks").element(0).member("bytes").refuse("complete, but without a segment");
  }
  return presentation;
}

}  // namespace tributary
