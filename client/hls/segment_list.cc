#include "hls/segment_list.hh"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "hls/lines/playlist_limits.hh"

namespace tributary::hls {
namespace {

std::string hours_text(Duration duration) {
  return fmt::format("{} hours", std::chrono::duration_cast<std::chrono::hours>(duration).count());
}

/// Copies of keys and init sections of `before` that segments refer to, each once.
class CopiedReferences {
 public:
  CopiedReferences(const MediaPlaylist& from, MediaPlaylist& to) : from_{from}, to_{to} {}

  std::optional<std::size_t> key(std::optional<std::size_t> key) {
    if (!key) return std::nullopt;
    const auto [copied, is_new] = keys_.try_emplace(*key, to_.keys.size());
    if (is_new) to_.keys.push_back(from_.keys[*key]);
    return copied->second;
  }
  std::optional<std::size_t> map(std::optional<std::size_t> map) {
    if (!map) return std::nullopt;
    const auto [copied, is_new] = maps_.try_emplace(*map, to_.maps.size());
    if (is_new) {
      to_.maps.push_back(from_.maps[*map]);
      to_.maps.back().key = key(to_.maps.back().key);
    }
    return copied->second;
  }

 private:
  const MediaPlaylist& from_;
  MediaPlaylist& to_;
  std::map<std::size_t, std::size_t> keys_, maps_;  // from there to here
};

}  // namespace

void SegmentList::set_date(std::optional<UtcTime> date) {
  date_ = date;
  since_date_ = {};
}

/// A packager may repeat the tag before each segment. The init section stays the same one then.
void SegmentList::set_map(InitSection map, const PlaylistLine& line) {
  map.key = key_to_use();
  if (map.key && playlist_.keys[*map.key].is_plain_aes128() && !playlist_.keys[*map.key].iv) {
    // An init section has no sequence number that could stand for the vector.
    line.refuse("the init section is encrypted (AES-128), and its EXT-X-KEY has no IV");
  }
  if (map_ && playlist_.maps[*map_] == map) return;
  if (playlist_.maps.size() == kMaxInitSections)
    line.refuse(fmt::format("at most {} init sections are read", kMaxInitSections));
  map_ = playlist_.maps.size();
  playlist_.maps.push_back(std::move(map));
}

void SegmentList::set_key(std::optional<EncryptionKey> key, const PlaylistLine& line) {
  if (!key) {
    keys_.clear();
    return;
  }
  const auto of_format =
      std::ranges::find_if(keys_, [&](std::size_t in_force) { return playlist_.keys[in_force].format == key->format; });
  if (of_format != keys_.end() && playlist_.keys[*of_format] == *key) return;
  if (playlist_.keys.size() == kMaxKeys) line.refuse(fmt::format("at most {} keys are read", kMaxKeys));
  if (of_format != keys_.end()) {
    *of_format = playlist_.keys.size();
  } else {
    if (keys_.size() == kMaxKeysInForce) line.refuse(fmt::format("at most {} keys may be in force", kMaxKeysInForce));
    keys_.push_back(playlist_.keys.size());
  }
  playlist_.keys.push_back(std::move(*key));
}

std::optional<std::size_t> SegmentList::key_to_use() const {
  if (keys_.empty()) return std::nullopt;
  const auto usable =
      std::ranges::find_if(keys_, [&](std::size_t key) { return playlist_.keys[key].is_plain_aes128(); });
  return usable == keys_.end() ? keys_.front() : *usable;
}

/// RFC 8216 section 4.3.2.2: a range without an offset follows that of the segment before it, in the same file. The
/// first one of a file that has no init section begins with it.
std::optional<ByteRange> SegmentList::next_range(const std::string& uri, const PlaylistLine& line) const {
  if (!range_) return std::nullopt;
  DataSize begin;
  if (range_->offset) {
    begin = *range_->offset;
  } else {
    const MediaSegment* const before = playlist_.segments.empty() ? nullptr : &playlist_.segments.back();
    const bool same_file = before != nullptr && before->uri == uri;
    const bool init_there = !same_file && map_ && playlist_.maps[*map_].uri == uri;
    if ((same_file && !before->range) || init_there) {
      line.refuse("its EXT-X-BYTERANGE has no offset, and the segment before is no range of the same file");
    }
    if (same_file) begin = before->range->end;
  }
  const ByteRange range{begin, begin + range_->length};
  if (range.end > kMaxFileSize) {
    line.refuse("its EXT-X-BYTERANGE ends beyond any file");
  }
  return range;
}

std::optional<UtcTime> SegmentList::next_date() const {
  if (!date_) return std::nullopt;
  return *date_ + std::chrono::round<std::chrono::milliseconds>(since_date_);
}

MediaSegment SegmentList::begin_segment(Duration duration) const {
  MediaSegment segment;
  segment.duration = duration;
  segment.discontinuity = discontinuities_;
  segment.map = map_;
  segment.key = key_to_use();
  segment.date = next_date();
  segment.since_date = since_date_;
  segment.tiles = tiles_;
  return segment;
}

/// RFC 8216bis section 4.4.4.9: a range without an offset follows that of the part before, in the same file.
void SegmentList::add_part(PartialSegment part, std::optional<StatedRange> range, const PlaylistLine& line) {
  if (part_count_++ == kMaxSegments) line.refuse(fmt::format("at most {} partial segments are read", kMaxSegments));
  if (range) {
    DataSize begin = range->offset.value_or(DataSize{});
    if (!range->offset && last_part_ && last_part_->uri == part.uri) {
      if (!last_part_->range) line.refuse("BYTERANGE has no offset, and the part before is no range of the same file");
      begin = last_part_->range->end;
    }
    part.range = ByteRange{begin, begin + range->length};
    if (part.range->end > kMaxFileSize) line.refuse("BYTERANGE ends beyond any file");
  }
  last_part_ = part;
  parts_.push_back(std::move(part));
}

void SegmentList::add(std::string uri, const PlaylistLine& line) {
  if (playlist_.segments.size() == kMaxSegments) line.refuse(fmt::format("at most {} segments are read", kMaxSegments));
  if (!duration_) unknown_.push_back(playlist_.segments.size());
  const Duration duration = duration_.value_or(Duration{});
  total_ += duration;
  if (total_ > kMaxTotalDuration) {
    line.refuse(fmt::format("the segments last longer than {}", hours_text(kMaxTotalDuration)));
  }
  MediaSegment segment = begin_segment(duration);
  segment.range = next_range(uri, line);
  segment.uri = std::move(uri);
  if (!segment.range) segment.bitrate = bitrate_;  // it does not apply to ranges
  segment.gap = std::exchange(gap_, false);
  segment.parts = std::exchange(parts_, {});
  playlist_.segments.push_back(std::move(segment));
  since_date_ += duration;
  duration_.reset();
  range_.reset();
}

void SegmentList::skip(std::size_t count, std::uint64_t first, const MediaPlaylist& before, const PlaylistLine& line) {
  if (count == 0) return;
  if (!playlist_.segments.empty() || segment_has_begun() || discontinuities_ > 0)
    line.refuse("the segments that are left out stand before all others");
  const std::size_t listed = before.segments.size();
  if (first < before.media_sequence || count > listed || first - before.media_sequence > listed - count)
    line.refuse("the playlist leaves out segments that the version before did not list");
  CopiedReferences copied{before, playlist_};
  const auto begin = before.segments.begin() + static_cast<std::ptrdiff_t>(first - before.media_sequence);
  playlist_.segments.assign(begin, begin + static_cast<std::ptrdiff_t>(count));
  for (MediaSegment& segment : playlist_.segments) {
    segment.map = copied.map(segment.map);
    segment.key = copied.key(segment.key);
    total_ += segment.duration;
  }
  playlist_.skipped = count;
  go_on_behind(playlist_.segments.back(), line);
}

/// Some servers repeat the init section before EXT-X-SKIP. Another one would be of segments of which nobody knows the first.
void SegmentList::go_on_behind(const MediaSegment& last, const PlaylistLine& line) {
  const auto init = [&](std::optional<std::size_t> map) {
    return map ? std::optional{std::tie(playlist_.maps[*map].uri, playlist_.maps[*map].range)} : std::nullopt;
  };
  const auto key = key_to_use();
  if ((map_ && init(map_) != init(last.map)) ||
      (key && (!last.key || playlist_.keys[*key] != playlist_.keys[*last.key])))
    line.refuse("another key or init section than that of the version before is in force");
  map_ = last.map;
  keys_.clear();
  if (last.key) keys_.push_back(*last.key);
  const auto has_none = [](const MediaSegment& segment) { return segment.range.has_value(); };
  const auto whole = std::ranges::find_if_not(playlist_.segments.rbegin(), playlist_.segments.rend(), has_none);
  if (whole != playlist_.segments.rend()) bitrate_ = whole->bitrate;
  tiles_ = last.tiles;
  date_.reset();
  if (last.date) date_ = *last.date - std::chrono::round<std::chrono::milliseconds>(last.since_date);
  since_date_ = last.since_date + last.duration;
}

void SegmentList::finish(std::uint64_t media_sequence, std::uint64_t discontinuity_sequence,
                         std::optional<Duration> target_duration) {
  Duration longest{};
  for (const MediaSegment& segment : playlist_.segments) longest = std::max(longest, segment.duration);
  constexpr Duration kMost = kMaxTotalDuration / static_cast<std::int64_t>(kMaxSegments);
  for (const std::size_t unknown : unknown_)
    playlist_.segments[unknown].duration = std::min(target_duration.value_or(longest), kMost);
  // Those of the version before have their numbers.
  if (playlist_.skipped > 0) discontinuity_sequence = playlist_.segments[playlist_.skipped - 1].discontinuity;
  for (std::size_t i = 0; i < playlist_.segments.size(); ++i) {
    MediaSegment& segment = playlist_.segments[i];
    segment.sequence = media_sequence++;
    if (i >= playlist_.skipped) segment.discontinuity += discontinuity_sequence;
  }
  if (parts_.empty()) return;
  Duration length{};
  for (const PartialSegment& part : parts_) length += part.duration;
  MediaSegment& open = playlist_.open.emplace(begin_segment(length));
  open.sequence = media_sequence;
  open.discontinuity += discontinuity_sequence;
  open.bitrate = bitrate_;
  open.parts = std::exchange(parts_, {});
}

}  // namespace tributary::hls
