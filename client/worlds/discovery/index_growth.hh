#pragma once

#include <vector>

#include "core/event.hh"
#include "presentation/presentation.hh"

namespace tributary {

/// Turns the differences between versions of a live index into events. Knows only indexes.
class IndexGrowth {
 public:
  /// `first`: the index with which the session begins; its first segment is segment 0.
  explicit IndexGrowth(const Presentation& first);

  /// The publication of all segments of the first index.
  std::vector<Event> beginning() const;
  /// The events of a newer index. An older index, which a cache may give out, has none. Segments that no index listed
  /// while we looked have no size, and leave the window at once. Throws std::runtime_error if the index is of another
  /// presentation.
  std::vector<Event> news(const Presentation& index);

  bool ended() const { return ended_; }
  /// The end of the last known segment on the timeline.
  Duration end() const;

 private:
  std::uint64_t next_number() const { return first_number_ + count_; }

  std::uint64_t first_number_;
  std::size_t count_ = 0;            // of known segments
  std::uint64_t window_begin_ = 0;   // number of the first segment in the window
  std::vector<std::string> ids_;     // of the tracks
  std::vector<std::uint64_t> ends_;  // of the last known segment, in ticks
  std::vector<std::uint32_t> timescales_;
  bool ended_ = false;
};

}  // namespace tributary
