#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/event.hh"
#include "presentation/presentation.hh"
#include "presentation/segments/partial_segments.hh"

namespace tributary {

/// Turns the differences between versions of a live index into events. Knows only indexes.
///
/// By parts (in_listed_parts), each part is a segment of the session. If a segment is whole when it is seen again, and its
/// parts are listed no more, the rest of its file stands for those that nobody saw.
class IndexGrowth {
 public:
  /// `first`: the index with which the session begins; its first segment is segment 0.
  explicit IndexGrowth(const Presentation& first);

  /// The publication of all segments of the first index.
  std::vector<Event> beginning() const;
  /// The events of a newer index, as it was read. An older index, which a cache may give out, has none. Segments that no index
  /// listed while we looked have no size, and leave the window at once. Throws std::runtime_error if the index is of another
  /// presentation.
  std::vector<Event> news(const Presentation& index);

  bool ended() const { return ended_; }
  /// The end of the last known segment on the timeline.
  Duration end() const;

 private:
  /// What the session knows of a track.
  struct Known {
    std::string id;
    std::uint32_t timescale = 1;
    std::uint64_t end = 0;  // of the last segment of the session, in ticks
    DataSize open{};        // bytes that were told of the segment with the number next_number_
  };

  void check_tracks(const Presentation& index) const;
  void add(std::uint64_t number, const std::vector<ListedPiece>& pieces, std::vector<Event>& events);
  void add_lost(const Presentation& index, std::vector<Event>& events);
  void add_listed(const Presentation& index, std::size_t segment, const std::vector<std::uint64_t>& ends,
                  std::vector<Event>& events);
  void add_parts(const Presentation& index, std::uint64_t number, std::vector<Event>& events);
  void end_segment();

  bool by_parts_;
  std::vector<Known> tracks_;
  std::vector<std::uint64_t> numbers_;  // of the segments of the index, for each of the session
  std::uint64_t number_ = 0;            // of the first segment of the index that is not known whole
  std::size_t told_parts_ = 0;          // of that one
  std::size_t window_begin_ = 0;        // the first segment in the window
  bool ended_ = false;
};

}  // namespace tributary
