#pragma once

#include <vector>

#include "core/event.hh"
#include "presentation/presentation.hh"

namespace tributary {

/// Tells the news from one version of a live index to the next, in the words of the core. Knows only indexes.
class IndexGrowth {
 public:
  /// What the session begins with; its first segment is segment 0.
  explicit IndexGrowth(const Presentation& first);

  /// What is there from the beginning.
  std::vector<Event> beginning() const;
  /// What a newer index adds. An older one, as a cache may give it out, adds nothing. Segments that came and went without
  /// having been listed in an index that we saw have no size, and leave the window at once. Throws std::runtime_error if it
  /// is of another presentation.
  std::vector<Event> news(const Presentation& index);

  bool ended() const { return ended_; }
  /// The end of the last known segment on the timeline.
  Duration end() const;

 private:
  std::uint64_t next_number() const { return first_number_ + count_; }

  std::uint64_t first_number_;
  std::size_t count_ = 0;            // of known segments
  std::uint64_t window_begin_ = 0;   // a number
  std::vector<std::string> ids_;     // of the tracks
  std::vector<std::uint64_t> ends_;  // of the last known segment, in ticks
  std::vector<std::uint32_t> timescales_;
  bool ended_ = false;
};

}  // namespace tributary
