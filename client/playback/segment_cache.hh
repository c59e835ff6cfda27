#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "playback/media_segment.hh"
#include "units/data_size.hh"

namespace tributary {

/// Keeps the segments that were delivered last, up to a limit of bytes, so that a seek to them needs no network.
class SegmentCache {
 public:
  explicit SegmentCache(DataSize limit) : limit_{limit} {}

  /// The segment must not have init parts.
  void add(const MediaSegment& segment);
  /// The segments from `first` on, without a gap, that have this sound (or none).
  std::vector<MediaSegment> run_from(SegmentIndex first, std::optional<std::size_t> sound);
  DataSize size() const { return size_; }

 private:
  struct Entry {
    MediaSegment segment;
    std::uint64_t used = 0;
  };
  void forget(std::map<SegmentIndex, Entry>::iterator entry);

  DataSize limit_;
  DataSize size_;
  std::map<SegmentIndex, Entry> entries_;
  std::uint64_t uses_ = 0;
};

}  // namespace tributary
