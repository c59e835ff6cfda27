#include "manifests/listed_track.hh"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>

#include "manifests/manifest.hh"
#include "presentation/segment_limits.hh"
#include "presentation/segments/size_estimates.hh"
#include "units/text/data_address.hh"

namespace tributary {
namespace {

double seconds_of(const Track& track, std::uint64_t ticks) { return static_cast<double>(ticks) / track.timescale; }

}  // namespace

std::string absolute_url(const std::string& base, const std::string& uri) { return UrlResolver{}(base, uri); }

std::string UrlResolver::operator()(const std::string& base, const std::string& uri) {
  if (is_data_address(uri)) return uri;
  try {
    if (!location_ || base != base_) {
      location_ = transport::parse_url(base);
      base_ = base;
    }
    return transport::resolve_uri(*location_, uri).url();
  } catch (const transport::UrlError& error) {
    throw ManifestError{error.what()};
  }
}

TrackSegment track_segment(const Track& track, const ListedSegment& segment, std::uint64_t ticks,
                           const std::string& place) {
  TrackSegment told;
  told.ticks = ticks;
  told.place = {segment.url, segment.range ? std::optional{segment.range->begin} : std::nullopt, segment.cipher};
  told.piece = segment.piece;
  told.estimated = !segment.range;
  told.continues = segment.continues;
  if (segment.range) {
    told.size = segment.range->size();
  } else {
    told.size = estimated_size(track, from_seconds(seconds_of(track, ticks)));
    if (segment.bitrate && *segment.bitrate > DataRate{}) {
      const double share = segment.bitrate->bits_per_second() / track.bitrate.average.bits_per_second();
      told.size = std::max(scale(told.size, share), DataSize{1});
    }
  }
  if (told.size > kLargestSegment)
    throw ManifestError{fmt::format("{}: a segment of about {} million bytes is too large to be kept in memory", place,
                                    told.size.bytes() / 1'000'000)};
  return told;
}

void set_segments(Track& track, const std::vector<ListedSegment>& segments, const std::string& place) {
  if (segments.empty()) throw ManifestError{place + ": there is no segment"};
  // A picture may begin before the title does: what is before its zero is shifted along.
  const std::int64_t zero = std::min<std::int64_t>(segments.front().start, 0);
  track.start = static_cast<std::uint64_t>(segments.front().start - zero);
  track.durations.clear();
  track.sizes.clear();
  track.estimated.clear();
  track.places.clear();
  for (std::size_t i = 0; i < segments.size(); ++i) {
    const bool last = i + 1 == segments.size();
    const std::int64_t ticks = last ? segments[i].duration : segments[i + 1].start - segments[i].start;
    if (ticks < 0) throw ManifestError{fmt::format("{}: segment {} begins earlier than the one before", place, i + 2)};
    TrackSegment segment =
        track_segment(track, segments[i], static_cast<std::uint64_t>(std::max<std::int64_t>(ticks, 1)), place);
    track.durations.push_back(segment.ticks);
    track.sizes.push_back(segment.size);
    track.estimated.push_back(segment.estimated);
    track.places.push_back(std::move(segment.place));
  }
  if (std::ranges::none_of(track.estimated, [](bool estimate) { return estimate; })) track.estimated.clear();
}

std::size_t count_segments(const std::vector<Track>& tracks) {
  std::size_t segments = 0;
  for (const Track& track : tracks) segments += track.sizes.size();
  return segments;
}

void check_segments(std::size_t segments) {
  if (segments > kMostSegmentsOfTitle)
    throw ManifestError{fmt::format("more than {} segments in all tracks", kMostSegmentsOfTitle)};
}

Resource file_at(std::string url, std::optional<ByteRange> range) {
  return {std::move(url), range.value_or(ByteRange{}), !range};
}

Resource init_section(std::string url, std::optional<ByteRange> range) {
  if (!range) {
    if (const auto data = data_of(url))
      return {std::move(url), {DataSize{}, DataSize{static_cast<std::int64_t>(data->size())}}, false};
  }
  Resource init = file_at(std::move(url), range);
  estimate_init(init);
  return init;
}

std::optional<std::string> why_not_switchable(const Track& track, const Track& other) {
  if (track.durations.size() != other.durations.size())
    return fmt::format("has {} segments, and {} has {}", track.durations.size(), other.id, other.durations.size());
  if (!std::ranges::equal(track.stretches, other.stretches, {}, &Stretch::first, &Stretch::first))
    return fmt::format("goes on otherwise (a discontinuity) at other segments than {}", other.id);
  std::uint64_t mine = track.start, theirs = other.start;
  for (std::size_t i = 0; i < track.durations.size(); ++i) {
    const double apart = std::abs(seconds_of(track, mine) - seconds_of(other, theirs));
    if (apart > seconds_of(track, track.durations[i]) / 2)
      return fmt::format("begins segment {} {:.3f} s apart from {}", i + 1, apart, other.id);
    mine += track.durations[i];
    theirs += other.durations[i];
  }
  return std::nullopt;
}

bool is_better_thumbnail(int a, int b) {
  constexpr int kWideEnough = 160;
  const bool a_is = a >= kWideEnough, b_is = b >= kWideEnough;
  return a_is != b_is ? a_is : a_is == (a < b) && a != b;
}

std::string TrackNames::take(const std::string& wanted) {
  std::string name;
  for (const char c : wanted.substr(0, 64))
    name += std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '_' || c == '.' ? c : '_';
  if (name.empty() || name.front() == '.') name.insert(0, "track");
  std::string unique = name;
  for (int i = 2; !taken_.insert(unique).second; ++i) unique = fmt::format("{}-{}", name, i);
  return unique;
}

}  // namespace tributary
