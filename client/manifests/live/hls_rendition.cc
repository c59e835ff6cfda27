#include "manifests/live/hls_rendition.hh"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <span>
#include <string_view>
#include <utility>

#include "manifests/from_hls/hls_stretches.hh"

namespace tributary {
namespace {

using namespace std::chrono_literals;

constexpr Duration kShortestTarget = 200ms, kLongestTarget = 60s;
constexpr Duration kSameBreak = 500ms;  // discontinuities of two playlists that are nearer to each other are the same
constexpr int kEndAlike = 3;            // target durations by which playlists may end apart

std::int64_t length_of(std::span<const hls::MediaSegment> segments) {
  Duration length{};
  for (const hls::MediaSegment& segment : segments) length += segment.duration;
  return hls_ticks(length);
}

/// The segment without its stretch. One of no length ("EXTINF:0") has the least there is: segments follow each other.
ListedSegment listed(const KnownPlaylist& now, const hls::MediaSegment& segment, std::int64_t start) {
  return {segment.gap ? "" : absolute_url(now.url, segment.uri),
          segment.range,
          start,
          std::max<std::int64_t>(hls_ticks(segment.duration), 1),
          segment.bitrate,
          now.keys.of(now.playlist, segment, now.url)};
}

/// Of an address or a reference, without its folders and its query: those may differ from answer to answer.
std::string_view file_name(std::string_view uri) {
  uri = uri.substr(0, uri.find_first_of("?#"));
  return uri.substr(uri.rfind('/') + 1);
}

Duration wait_of(const hls::MediaPlaylist& playlist) {
  return std::clamp(playlist.target_duration, kShortestTarget, kLongestTarget);
}

/// The time of a break that the first playlist lists, too; durations are rounded, and the differences add up.
std::int64_t at_break(const HlsRendition* beside, std::int64_t expected) {
  if (beside == nullptr) return expected;
  const auto found = beside->breaks.lower_bound(expected - hls_ticks(kSameBreak));
  return found != beside->breaks.end() && *found <= expected + hls_ticks(kSameBreak) ? *found : expected;
}

bool lacks_parts(const hls::MediaSegment& segment) {
  Duration length{};
  for (const hls::PartialSegment& part : segment.parts) length += part.duration;
  return length < segment.duration - segment.parts.back().duration / 2;
}

/// Where each segment begins, from the first one on.
std::vector<std::int64_t> starts_of(std::span<const hls::MediaSegment> segments) {
  std::vector<std::int64_t> starts;
  Duration length{};
  for (const hls::MediaSegment& segment : segments) {
    starts.push_back(hls_ticks(length));
    length += segment.duration;
  }
  return starts;
}

/// Where it begins by the last discontinuity with a number that both list. Without EXT-X-DISCONTINUITY-SEQUENCE numbers
/// depend on what a playlist still lists: then the last discontinuity of both is the same, if both end alike.
std::optional<std::int64_t> by_discontinuity(const hls::MediaPlaylist& playlist, const HlsRendition& known,
                                             std::int64_t at_end) {
  const std::vector<hls::MediaSegment>& all = playlist.segments;
  const std::vector<std::int64_t> starts = starts_of(all);
  const std::int64_t apart = kEndAlike * hls_ticks(std::max(known.target, wait_of(playlist)));
  std::map<std::uint64_t, std::int64_t> known_breaks;  // by number; of equal ones the last
  std::optional<std::int64_t> last_known;
  for (std::size_t j = 1; j < known.segments.size(); ++j) {
    if (!known.begins_stretch(j)) continue;
    last_known = known.segments[j].start;
    known_breaks[known.stretches.at(known.segments[j].stretch).discontinuity] = *last_known;
  }
  std::optional<std::int64_t> last;
  for (std::size_t i = all.size() - 1; i > 0; --i) {
    if (all[i].discontinuity == all[i - 1].discontinuity) continue;
    if (!last) last = starts[i];
    const auto same = known_breaks.find(all[i].discontinuity);
    if (same != known_breaks.end() && std::abs(same->second - starts[i] - at_end) <= apart)
      return same->second - starts[i];
  }
  if (last && last_known && std::abs(*last_known - *last - at_end) <= apart) return *last_known - *last;
  return std::nullopt;
}

}  // namespace

std::int64_t hls_ticks(Duration time) { return std::llround(to_seconds(time) * kHlsTimescale); }

std::string hls_query(const std::string& url) {
  const auto begin = url.find('?');
  if (begin == std::string::npos) return "";
  return url.substr(begin + 1, url.find('#', begin) - begin - 1);
}

std::optional<std::int64_t> HlsRendition::dated(const hls::MediaSegment& segment) const {
  if (!segment.date || !zero_date) return std::nullopt;
  return hls_ticks(*segment.date - *zero_date);
}

bool HlsRendition::names_other_files(const hls::MediaPlaylist& playlist) const {
  return std::ranges::any_of(playlist.segments, [&](const hls::MediaSegment& segment) {
    if (segment.gap || segment.sequence < first || segment.sequence >= next_number()) return false;
    const std::string& known = segments[segment.sequence - first].url;
    return !known.empty() && file_name(known) != file_name(segment.uri);
  });
}

void HlsRendition::begin(const KnownPlaylist& now, const HlsRendition* beside, std::int64_t start) {
  const std::vector<hls::MediaSegment>& all = now.playlist.segments;
  if (beside != nullptr) {
    zero_date = beside->zero_date;
    start = first_start(now.playlist, *beside);
  } else if (const auto& date = all.front().date; date) {
    zero_date =
        *date - std::chrono::floor<std::chrono::milliseconds>(from_seconds(static_cast<double>(start) / kHlsTimescale));
  } else {
    zero_date.reset();
  }
  begun = beside != nullptr ? beside->begun : begun + 1;
  date_shift = 0;
  first = all.front().sequence;
  segments.clear();
  parts_.clear();
  open_.reset();
  take_control(now.playlist);
  for (std::size_t i = 0; i < all.size(); ++i) {
    // A hole is where dates tell of one; the first segment is where it was found to be.
    append(now, i, {start, i == 0 ? 0 : std::numeric_limits<std::int64_t>::max()}, beside);
    start = end();
  }
  take_open(now, beside);
  stretches.erase(stretches.begin(), stretches.lower_bound(segments.front().stretch));
  breaks.erase(breaks.begin(), breaks.lower_bound(segments.front().start));
  target = wait_of(now.playlist);
  ended = now.playlist.ended;
}

void HlsRendition::take_control(const hls::MediaPlaylist& playlist) {
  const hls::ServerControl& control = playlist.server_control;
  can_block = control.can_block_reload;
  const bool in_the_clear = std::ranges::all_of(playlist.segments, [](const hls::MediaSegment& segment) {
    return segment.parts.empty() || (segment.map && !segment.key);
  });
  part_target = by_parts && in_the_clear ? control.part_target.value_or(Duration{}) : Duration{};
}

std::vector<ListedSegment> HlsRendition::all() const {
  if (parts_.empty()) return segments;
  std::vector<ListedSegment> all;
  for (std::size_t i = 0; i < segments.size(); ++i) {
    const auto parts = parts_.find(first + i);
    if (parts != parts_.end())
      all.insert(all.end(), parts->second.begin(), parts->second.end());
    else
      all.push_back(segments[i]);
  }
  if (const auto open = parts_.find(next_number()); open != parts_.end())
    all.insert(all.end(), open->second.begin(), open->second.end());
  return all;
}

std::int64_t HlsRendition::parts_begin() const { return parts_.empty() ? end() : parts_.begin()->second.front().start; }

void HlsRendition::list_whole_before(std::int64_t start) {
  std::erase_if(parts_, [&](const auto& parts) {
    if (parts.first >= next_number()) return false;
    const ListedSegment& whole = segments[parts.first - first];
    return whole.start + whole.duration / 2 < start;
  });
}

HlsRendition::Part HlsRendition::next_part() const {
  const auto open = parts_.find(next_number());
  return {next_number(), open == parts_.end() ? 0 : open->second.size()};
}

bool HlsRendition::grows_by(const hls::MediaPlaylist& playlist) const {
  const std::uint64_t last = playlist.segments.back().sequence;
  if (last >= next_number()) return true;
  const std::size_t open = part_target > Duration{} && playlist.open ? playlist.open->parts.size() : 0;
  return Part{last + 1, open} > next_part() && last + 1 == next_number();
}

/// Places a segment where its date says, if that is near enough to where it is expected. Dates may jump where a stretch
/// begins: those of an advertisement are its own.
ListedSegment HlsRendition::place(const KnownPlaylist& now, const hls::MediaSegment& segment,
                                  const hls::MediaSegment* previous, Expected expected, const HlsRendition* beside) {
  const hls::MediaPlaylist& playlist = now.playlist;
  std::string its_init = init_name(playlist, segment);
  bool begins = stretches.empty();
  if (!begins && previous != nullptr) {
    begins = goes_on_otherwise(playlist, *previous, segment);
  } else if (!begins) {
    begins = segments.empty() || its_init != init || segment.discontinuity != stretches.rbegin()->second.discontinuity;
  }
  const std::uint32_t before = stretches.empty() ? 0 : stretches.rbegin()->first;
  const bool breaks_here = begins && !stretches.empty();
  if (begins) stretches[before + 1] = {stretch_start(playlist, segment, now.url, now.keys), segment.discontinuity};
  if (breaks_here) {
    expected.start = at_break(beside, expected.start);
    expected.tolerance = std::min(expected.tolerance, hls_ticks(segment.duration) / 2);
  }
  std::int64_t start = expected.start;
  if (const auto date = dated(segment)) {
    const std::int64_t by_date = *date + date_shift;
    if (std::abs(by_date - start) <= expected.tolerance)
      start = by_date;
    else if (breaks_here || segments.empty())
      date_shift += start - by_date;
  }
  ListedSegment placed = listed(now, segment, start);
  placed.stretch = stretches.rbegin()->first;
  if (breaks_here) breaks.insert(start);
  init = std::move(its_init);
  return placed;
}

/// One that was open stays where its parts are.
void HlsRendition::append(const KnownPlaylist& now, std::size_t index, Expected expected, const HlsRendition* beside) {
  const std::vector<hls::MediaSegment>& all = now.playlist.segments;
  const hls::MediaSegment& segment = all[index];
  if (open_ && open_->sequence == segment.sequence) {
    segments.push_back(listed(now, segment, open_->placed.start));
    segments.back().stretch = open_->placed.stretch;
  } else {
    segments.push_back(place(now, segment, index > 0 ? &all[index - 1] : nullptr, expected, beside));
  }
  open_.reset();
  take_parts(now, segment, segments.back());
  end_parts(segment.sequence);
}

void HlsRendition::take_open(const KnownPlaylist& now, const HlsRendition* beside) {
  const auto& open = now.playlist.open;
  if (!open || part_target <= Duration{} || open->sequence != next_number()) return;
  if (!open->map || open->key) return;
  if (!open_) {
    const Expected expected{end(), hls_ticks(target) / 2};
    open_ = Open{open->sequence, place(now, *open, &now.playlist.segments.back(), expected, beside)};
  }
  take_parts(now, *open, open_->placed);
}

void HlsRendition::take_parts(const KnownPlaylist& now, const hls::MediaSegment& segment, const ListedSegment& placed) {
  if (part_target <= Duration{} || segment.parts.empty()) return;
  // A segment that is whole may list its last parts only; where they begin is known if one of them was seen before.
  if (!segment.uri.empty() && !parts_.contains(segment.sequence) && lacks_parts(segment)) return;
  std::vector<ListedSegment>& known = parts_[segment.sequence];
  for (std::size_t i = known.size(); i < segment.parts.size(); ++i) {
    const hls::PartialSegment& part = segment.parts[i];
    known.push_back({.url = part.gap ? "" : absolute_url(now.url, part.uri),
                     .range = part.range,
                     .start = known.empty() ? placed.start : known.back().start + known.back().duration,
                     .duration = std::max<std::int64_t>(hls_ticks(part.duration), 1),
                     .continues = i > 0 && !part.independent,
                     .stretch = placed.stretch});
  }
}

/// Of a segment that is whole, a part may never have been listed.
void HlsRendition::end_parts(std::uint64_t sequence) {
  const auto parts = parts_.find(sequence);
  if (parts == parts_.end()) return;
  ListedSegment& last = parts->second.back();
  const std::int64_t segment_end = end(), left = segment_end - last.start - last.duration;
  if (left <= last.duration / 2) {
    last.duration = std::max<std::int64_t>(segment_end - last.start, 1);
  } else {
    parts->second.push_back({.url = "",
                             .range = {},
                             .start = segment_end - left,
                             .duration = left,
                             .continues = true,
                             .stretch = last.stretch});
  }
}

void HlsRendition::drop_before_first() { parts_.erase(parts_.begin(), parts_.lower_bound(first)); }

/// Where a further playlist begins on the timeline of the first one.
std::int64_t HlsRendition::first_start(const hls::MediaPlaylist& playlist, const HlsRendition& known) const {
  const std::vector<hls::MediaSegment>& all = playlist.segments;
  const hls::MediaSegment& segment = all.front();
  const std::int64_t at_end = known.end() - length_of(all), duration = hls_ticks(segment.duration);
  const bool goes_on_otherwise = segment.discontinuity != all.back().discontinuity;
  if (const auto start = dated(segment)) {
    const std::int64_t apart = kEndAlike * hls_ticks(std::max(known.target, wait_of(playlist)));
    if (!goes_on_otherwise || std::abs(*start - at_end) <= apart) return *start;
  }
  if (const auto start = by_discontinuity(playlist, known, at_end)) return *start;
  const std::uint64_t both = std::max(segment.sequence, known.first);
  if (both > all.back().sequence || both >= known.next_number()) return at_end;
  const ListedSegment& same = known.segments[both - known.first];
  const std::int64_t by_number = same.start - length_of(std::span{all}.first(both - segment.sequence));
  const bool alike = std::abs(same.duration - duration) <= duration / 4;
  return alike && std::abs(by_number - at_end) <= 2 * duration ? by_number : at_end;
}

void HlsRendition::go_on(const KnownPlaylist& now, const HlsRendition* beside) {
  const std::vector<hls::MediaSegment>& all = now.playlist.segments;
  if (all.back().sequence + 1 < next_number()) return;
  ended = now.playlist.ended;
  target = wait_of(now.playlist);
  take_control(now.playlist);
  const std::uint64_t known = next_number();
  for (std::size_t i = 0; i < all.size(); ++i) {
    const hls::MediaSegment& segment = all[i];
    if (segment.sequence < known) continue;
    if (i == 0 && segment.sequence > known) {
      const auto unseen = static_cast<std::int64_t>(segment.sequence - known) * hls_ticks(target);
      append(now, i, {end() + unseen, unseen}, beside);
      // Numbers count from the first segment of the list.
      segments.erase(segments.begin(), segments.end() - 1);
      first = segment.sequence;
      drop_before_first();
    } else {
      append(now, i, {end(), hls_ticks(segment.duration) / 2}, beside);
    }
  }
  const std::uint64_t first_listed = std::max(all.front().sequence, first);
  segments.erase(segments.begin(), segments.begin() + static_cast<std::ptrdiff_t>(first_listed - first));
  first = first_listed;
  drop_before_first();
  take_open(now, beside);
  stretches.erase(stretches.begin(), stretches.lower_bound(segments.front().stretch));
  breaks.erase(breaks.begin(), breaks.upper_bound(segments.front().start));
}

}  // namespace tributary
