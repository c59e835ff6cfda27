#include "manifests/live/live_hls.hh"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <utility>

#include "hls/playlist_reader.hh"
#include "hls/unplayable.hh"
#include "manifests/hls_stretches.hh"
#include "manifests/manifest.hh"
#include "units/redacted_url.hh"

namespace tributary {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t kFilesTogether = 16;
constexpr Duration kShortestTarget = 200ms, kLongestTarget = 60s;
constexpr Duration kSameBreak = 500ms;  // discontinuities of two playlists that are nearer to each other are the same
constexpr int kEndAlike = 3;            // target durations by which playlists may end apart

std::int64_t length_of(std::span<const hls::MediaSegment> segments) {
  Duration length{};
  for (const hls::MediaSegment& segment : segments) length += segment.duration;
  return hls_ticks(length);
}

/// The segment without its stretch.
ListedSegment listed(const hls::MediaPlaylist& playlist, const hls::MediaSegment& segment, const std::string& url,
                     const HlsKeys& keys, std::int64_t start) {
  return {segment.gap ? "" : absolute_url(url, segment.uri),
          segment.range,
          start,
          hls_ticks(segment.duration),
          segment.bitrate,
          keys.of(playlist, segment, url)};
}

Duration wait_of(const hls::MediaPlaylist& playlist) {
  return std::clamp(playlist.target_duration, kShortestTarget, kLongestTarget);
}

}  // namespace

std::int64_t hls_ticks(Duration time) { return std::llround(to_seconds(time) * kHlsTimescale); }

std::string hls_query(const std::string& url) {
  const auto begin = url.find('?');
  if (begin == std::string::npos) return "";
  return url.substr(begin + 1, url.find('#', begin) - begin - 1);
}

LiveHls::LiveHls(PlayedPlaylists played, std::span<const FetchedFile> files, const FetchFiles& fetch, UtcTime now)
    : variables_{std::move(played.variables)} {
  for (std::size_t i = 0; i < files.size(); ++i) {
    Rendition rendition;
    rendition.listed = std::move(played.playlists[i]);
    rendition.fetched = now;
    try {
      const hls::MediaPlaylist playlist = read(files[i]);
      keys_.fetch(playlist, files[i].url, fetch);
      begin(rendition, playlist, files[i].url);
    } catch (const std::runtime_error& error) {
      throw ManifestError{fmt::format("{}: {}", redacted(files[i].url), error.what())};
    }
    renditions_.push_back(std::move(rendition));
  }
  const auto ms = [](std::int64_t ticks) {
    return std::chrono::floor<std::chrono::milliseconds>(from_seconds(static_cast<double>(ticks) / kHlsTimescale));
  };
  zero_ = zero_date_ ? *zero_date_ - ms(renditions_.front().date_shift) : now - ms(renditions_.front().end());
  leave_out_what_differs();
}

/// Throws ManifestError, or UnreadableForNow.
hls::MediaPlaylist LiveHls::read(const FetchedFile& file) const {
  try {
    hls::Playlist read = hls::read_playlist(file.bytes, {variables_, hls_query(file.url)});
    auto* media = std::get_if<hls::MediaPlaylist>(&read);
    if (media == nullptr) throw UnreadableForNow{"this is no media playlist"};
    if (media->segments.empty()) throw UnreadableForNow{"there is no segment"};
    if (const auto why = hls::why_unplayable(*media)) throw ManifestError{*why};
    return std::move(*media);
  } catch (const hls::PlaylistError& error) {
    throw UnreadableForNow{error.what()};
  }
}

std::optional<std::int64_t> LiveHls::dated(const hls::MediaSegment& segment) const {
  if (!segment.date || !zero_date_) return std::nullopt;
  return hls_ticks(*segment.date - *zero_date_);
}

void LiveHls::begin(Rendition& rendition, const hls::MediaPlaylist& playlist, const std::string& url) {
  const std::vector<hls::MediaSegment>& all = playlist.segments;
  if (renditions_.empty()) {
    zero_date_ = all.front().date;
    delay_ = playlist.server_control.hold_back;
    if (!delay_ && playlist.start && playlist.start->offset < Duration{}) delay_ = -playlist.start->offset;
  }
  rendition.first = all.front().sequence;
  std::int64_t start = renditions_.empty() ? 0 : first_start(playlist);
  for (std::size_t i = 0; i < all.size(); ++i) {
    // A hole is where dates tell of one; the first segment is where it was found to be.
    append(rendition, playlist, i, url, start, i == 0 ? 0 : std::numeric_limits<std::int64_t>::max());
    start = rendition.end();
  }
  rendition.listed.track.timescale = kHlsTimescale;
  rendition.target = wait_of(playlist);
  rendition.ended = playlist.ended;
}

/// The time of a break that the first playlist lists, too; durations are rounded, and the differences add up.
std::int64_t LiveHls::at_break(const Rendition& rendition, std::int64_t expected) const {
  if (renditions_.empty() || &rendition == &renditions_.front()) return expected;
  const Rendition& known = renditions_.front();
  for (std::size_t i = 1; i < known.segments.size(); ++i) {
    if (known.begins_stretch(i) && std::abs(known.segments[i].start - expected) <= hls_ticks(kSameBreak))
      return known.segments[i].start;
  }
  return expected;
}

/// Adds a segment where its date says, if that is at most `tolerance` from `expected`. Dates may jump where a stretch
/// begins: those of an advertisement are its own.
void LiveHls::append(Rendition& rendition, const hls::MediaPlaylist& playlist, std::size_t index,
                     const std::string& url, std::int64_t expected, std::int64_t tolerance) const {
  const hls::MediaSegment& segment = playlist.segments[index];
  std::string init = init_name(playlist, segment);
  bool begins = rendition.stretches.empty();
  if (!begins && index > 0) {
    begins = goes_on_otherwise(playlist, playlist.segments[index - 1], segment);
  } else if (!begins) {
    begins = init != rendition.init || segment.discontinuity != rendition.stretches.rbegin()->second.discontinuity;
  }
  const std::uint32_t before = rendition.stretches.empty() ? 0 : rendition.stretches.rbegin()->first;
  const bool breaks = begins && !rendition.stretches.empty();
  if (begins) rendition.stretches[before + 1] = {stretch_start(playlist, segment, url, keys_), segment.discontinuity};
  if (breaks) {
    expected = at_break(rendition, expected);
    tolerance = std::min(tolerance, hls_ticks(segment.duration) / 2);
  }
  std::int64_t start = expected;
  if (const auto date = dated(segment)) {
    const std::int64_t by_date = *date + rendition.date_shift;
    if (std::abs(by_date - expected) <= tolerance)
      start = by_date;
    else if (breaks || rendition.segments.empty())
      rendition.date_shift += expected - by_date;
  }
  rendition.segments.push_back(listed(playlist, segment, url, keys_, start));
  rendition.segments.back().stretch = rendition.stretches.rbegin()->first;
  rendition.init = std::move(init);
}

/// Where a further playlist begins on the timeline of the first one.
std::int64_t LiveHls::first_start(const hls::MediaPlaylist& playlist) const {
  const Rendition& known = renditions_.front();
  const std::vector<hls::MediaSegment>& all = playlist.segments;
  const hls::MediaSegment& segment = all.front();
  const std::int64_t at_end = known.end() - length_of(all), duration = hls_ticks(segment.duration);
  const bool breaks = segment.discontinuity != all.back().discontinuity;
  if (const auto start = dated(segment)) {
    const std::int64_t apart = kEndAlike * hls_ticks(std::max(known.target, wait_of(playlist)));
    if (!breaks || std::abs(*start - at_end) <= apart) return *start;
  }
  if (const auto start = by_discontinuity(playlist, at_end)) return *start;
  const std::uint64_t both = std::max(segment.sequence, known.first);
  if (both > all.back().sequence || both >= known.next_number()) return at_end;
  const ListedSegment& same = known.segments[both - known.first];
  const std::int64_t by_number = same.start - length_of(std::span{all}.first(both - segment.sequence));
  const bool alike = std::abs(same.duration - duration) <= duration / 4;
  return alike && std::abs(by_number - at_end) <= 2 * duration ? by_number : at_end;
}

/// Where it begins by the last discontinuity with a number that both list. Without EXT-X-DISCONTINUITY-SEQUENCE numbers
/// depend on what a playlist still lists: then the last discontinuity of both is the same, if both end alike.
std::optional<std::int64_t> LiveHls::by_discontinuity(const hls::MediaPlaylist& playlist, std::int64_t at_end) const {
  const Rendition& known = renditions_.front();
  const std::vector<hls::MediaSegment>& all = playlist.segments;
  const std::int64_t apart = kEndAlike * hls_ticks(std::max(known.target, wait_of(playlist)));
  for (const bool by_number : {true, false}) {
    bool last = true;
    for (std::size_t i = all.size() - 1; i > 0 && (by_number || last); --i) {
      if (all[i].discontinuity == all[i - 1].discontinuity) continue;
      last = false;
      for (std::size_t j = known.segments.size() - 1; j > 0; --j) {
        if (!known.begins_stretch(j)) continue;
        const Beginning& other = known.stretches.at(known.segments[j].stretch);
        if (by_number && other.discontinuity != all[i].discontinuity) continue;
        const std::int64_t start = known.segments[j].start - length_of(std::span{all}.first(i));
        if (std::abs(start - at_end) <= apart) return start;
        break;
      }
    }
  }
  return std::nullopt;
}

/// Qualities that are cut at other places than the first one, or have another codec.
void LiveHls::leave_out_what_differs() {
  const Listing all = list({}, -24h);
  const ListedTrack& first = all.tracks.front();
  std::vector<Rendition> played;
  for (std::size_t i = 0; i < all.tracks.size(); ++i) {
    const ListedTrack& listed = all.tracks[i];
    std::optional<std::string> why;
    if (i > 0 && listed.track.kind == TrackKind::kVideo)
      why = listed.track.group == first.track.group ? why_not_switchable(listed, first)
                                                    : fmt::format("has another codec than {}", first.track.id);
    if (why) {
      left_out_.push_back(fmt::format("{}: {}", listed.track.id, *why));
    } else {
      played.push_back(std::move(renditions_[i]));
    }
  }
  renditions_ = std::move(played);
}

Listing LiveHls::list(UtcTime /*now*/, Duration after) {
  Listing listing;
  listing.complete = true;
  const double least = to_seconds(after);
  for (const Rendition& rendition : renditions_) {
    ListedTrack& track = listing.tracks.emplace_back(ListedTrack{rendition.listed.track, {}});
    for (const auto& [number, beginning] : rendition.stretches) track.stretches.emplace(number, beginning.how);
    for (const ListedSegment& segment : rendition.segments) {
      if (static_cast<double>(segment.start + segment.duration) / kHlsTimescale > least)
        track.segments.push_back(segment);
    }
    if (rendition.listed.track.kind != TrackKind::kVideo) continue;
    listing.complete = listing.complete && rendition.ended;
    listing.window_begin = std::max(
        listing.window_begin, from_seconds(static_cast<double>(rendition.segments.front().start) / kHlsTimescale));
  }
  return listing;
}

UtcTime LiveHls::Rendition::due() const {
  return fetched + std::chrono::ceil<std::chrono::milliseconds>(grew ? target : target / 2);
}

std::optional<UtcTime> LiveHls::next_due() const {
  if (!waiting_.empty()) return waiting_since_;
  std::optional<UtcTime> next;
  for (const Rendition& rendition : renditions_) {
    if (!rendition.ended) next = std::min(next.value_or(rendition.due()), rendition.due());
  }
  return next;
}

/// Keys that are missing come first. Playlists that are nearly due come along with others.
std::vector<WantedFile> LiveHls::due(UtcTime now) {
  asked_.clear();
  asked_keys_.clear();
  const auto next = next_due();
  if (!next || *next > now) return {};
  std::vector<WantedFile> wanted;
  for (const Waiting& waiting : waiting_) {
    for (WantedFile& key : keys_.missing(waiting.playlist, waiting.url)) {
      if (wanted.size() == kFilesTogether || std::ranges::find(asked_keys_, key.url) != asked_keys_.end()) continue;
      asked_keys_.push_back(key.url);
      wanted.push_back(std::move(key));
    }
  }
  if (!wanted.empty()) return wanted;
  for (std::size_t i = 0; i < renditions_.size() && wanted.size() < kFilesTogether; ++i) {
    const Rendition& rendition = renditions_[i];
    if (rendition.ended || rendition.due() - rendition.target / 8 > now) continue;
    asked_.push_back(i);
    wanted.push_back({rendition.listed.url, std::nullopt});
  }
  return wanted;
}

void LiveHls::take(std::span<const FetchedFile> files, UtcTime sent, UtcTime now) {
  try {
    if (asked_keys_.empty())
      take_playlists(files, sent);
    else
      take_keys(files);
  } catch (const UnreadableForNow&) {
    go_on_with_keys(now);
    throw;
  }
  go_on_with_keys(now);
}

void LiveHls::go_on_with_keys(UtcTime now) {
  const auto has_its_keys = [&](const Waiting& one) { return keys_.missing(one.playlist, one.url).empty(); };
  for (const Waiting& one : waiting_) {
    if (has_its_keys(one)) go_on(renditions_[one.rendition], one.playlist, one.url);
  }
  std::erase_if(waiting_, has_its_keys);
  waiting_since_ = now;
}

void LiveHls::take_keys(std::span<const FetchedFile> files) {
  keys_.forget_if_many();
  for (std::size_t i = 0; i < files.size(); ++i) {
    if (!files[i].unchanged) keys_.add(asked_keys_[i], files[i].bytes);
  }
}

void LiveHls::take_playlists(std::span<const FetchedFile> files, UtcTime sent) {
  for (std::size_t i = 0; i < files.size(); ++i) {
    Rendition& rendition = renditions_[asked_[i]];
    bool grew = false;
    try {
      if (!files[i].unchanged) {
        hls::MediaPlaylist playlist = read(files[i]);
        grew = playlist.segments.back().sequence >= rendition.next_number();
        waiting_.push_back({asked_[i], std::move(playlist), files[i].url});
      }
    } catch (const UnreadableForNow& error) {
      throw UnreadableForNow{fmt::format("{}: {}", redacted(files[i].url), error.what())};
    } catch (const ManifestError& error) {
      throw ManifestError{fmt::format("{}: {}", redacted(files[i].url), error.what())};
    }
    rendition.grew = grew;
    rendition.fetched = sent;
  }
}

/// A playlist that is older than the known one, which a cache may give out, changes nothing.
void LiveHls::go_on(Rendition& rendition, const hls::MediaPlaylist& playlist, const std::string& url) const {
  const std::vector<hls::MediaSegment>& all = playlist.segments;
  if (all.back().sequence + 1 < rendition.next_number()) return;
  rendition.ended = playlist.ended;
  rendition.target = wait_of(playlist);
  const std::uint64_t known = rendition.next_number();
  std::int64_t end = rendition.end();
  for (std::size_t i = 0; i < all.size(); ++i) {
    const hls::MediaSegment& segment = all[i];
    if (segment.sequence < known) continue;
    if (i == 0 && segment.sequence > known) {
      const auto unseen = static_cast<std::int64_t>(segment.sequence - known) * hls_ticks(rendition.target);
      append(rendition, playlist, i, url, end + unseen, unseen);
      // Numbers count from the first segment of the list.
      rendition.segments.erase(rendition.segments.begin(), rendition.segments.end() - 1);
      rendition.first = segment.sequence;
    } else {
      append(rendition, playlist, i, url, end, hls_ticks(segment.duration) / 2);
    }
    end = rendition.end();
  }
  const std::uint64_t first = std::max(all.front().sequence, rendition.first);
  rendition.segments.erase(rendition.segments.begin(),
                           rendition.segments.begin() + static_cast<std::ptrdiff_t>(first - rendition.first));
  rendition.first = first;
  rendition.stretches.erase(rendition.stretches.begin(),
                            rendition.stretches.lower_bound(rendition.segments.front().stretch));
}

}  // namespace tributary
