#include "hls/segment_list.hh"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "hls/lines/playlist_limits.hh"

namespace tributary::hls {
namespace {

std::string hours_text(Duration duration) {
  return fmt::format("{} hours", std::chrono::duration_cast<std::chrono::hours>(duration).count());
}

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

void SegmentList::finish(std::uint64_t media_sequence, std::uint64_t discontinuity_sequence,
                         std::optional<Duration> target_duration) {
  Duration longest{};
  for (const MediaSegment& segment : playlist_.segments) longest = std::max(longest, segment.duration);
  constexpr Duration kMost = kMaxTotalDuration / static_cast<std::int64_t>(kMaxSegments);
  for (const std::size_t unknown : unknown_)
    playlist_.segments[unknown].duration = std::min(target_duration.value_or(longest), kMost);
  for (MediaSegment& segment : playlist_.segments) {
    segment.sequence = media_sequence++;
    segment.discontinuity += discontinuity_sequence;
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
