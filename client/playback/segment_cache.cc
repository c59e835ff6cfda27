#include "playback/segment_cache.hh"

#include <algorithm>

namespace tributary {
namespace {

DataSize bytes_of(const MediaSegment& segment) {
  DataSize size;
  for (const MediaSegment::Part& part : segment.parts) size += size_of(*part.bytes);
  return size;
}

bool has_sound(const MediaSegment& segment, std::optional<std::size_t> track) {
  return std::ranges::all_of(segment.parts, [&](const MediaSegment::Part& part) {
    return part.kind != TrackKind::kAudio || part.track == track;
  });
}

}  // namespace

void SegmentCache::add(const MediaSegment& segment) {
  if (const auto before = entries_.find(segment.index); before != entries_.end()) forget(before);
  entries_[segment.index] = {segment, ++uses_};
  size_ += bytes_of(segment);
  while (size_ > limit_) {
    forget(std::ranges::min_element(entries_, {}, [](const auto& entry) { return entry.second.used; }));
  }
}

std::vector<MediaSegment> SegmentCache::run_from(SegmentIndex first, std::optional<std::size_t> sound) {
  std::vector<MediaSegment> run;
  SegmentIndex wanted = first;
  for (auto it = entries_.find(first); it != entries_.end() && it->first == wanted; ++it) {
    if (!has_sound(it->second.segment, sound)) break;
    it->second.used = ++uses_;
    run.push_back(it->second.segment);
    wanted = next(wanted);
  }
  return run;
}

void SegmentCache::forget(std::map<SegmentIndex, Entry>::iterator entry) {
  size_ -= bytes_of(entry->second.segment);
  entries_.erase(entry);
}

}  // namespace tributary
