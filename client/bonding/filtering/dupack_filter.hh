#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "units/session_clock.hh"

namespace tributary::bonding {

/// A data segment of TCP, as its header says.
struct DataSegment {
  std::uint32_t sequence = 0;  // of its first byte
  std::uint32_t length = 0;    // in bytes, more than 0
};

/// An acknowledgment of TCP, as its header says.
struct Acknowledgment {
  std::uint32_t number = 0;   // of the first byte that is missing
  std::uint16_t window = 0;   // as sent
  bool carries_more = false;  // data, SYN, FIN or RST
};

/// Lets an unmodified sender of TCP use several paths: sends the segments of one connection over each path in turn, and drops
/// the duplicate acknowledgments that come of nothing but the paths' different delays (DEF: splitter at the sender, Ayar 2012).
/// After a retransmission everything goes over the path with the least delay, unfiltered, until all that was sent before is
/// acknowledged. Sequence numbers are modulo 2^32.
class DupackFilter {
 public:
  /// The round trips of the paths, without queues: over the path, and back over the one way of acknowledgments.
  explicit DupackFilter(const std::vector<Duration>& round_trips);
  /// A path comes last in the list.
  void add_path(Duration round_trip);
  /// Those behind it move up. What was expected of it is not reckoned anew.
  void remove_path(std::size_t path);

  /// The path of the next segment, by its place in the list, which is not empty.
  std::size_t path_of(const DataSegment& segment, TimePoint now);
  /// False: the acknowledgment is to be dropped.
  bool passes(const Acknowledgment& acknowledgment, TimePoint now);

  /// Duplicates that are expected now.
  std::uint32_t expected() const { return expected_; }
  bool repairing() const { return checkpoint_.has_value(); }

 private:
  struct Path {
    Duration round_trip;
    std::optional<std::uint32_t> highest = {};  // sequence number sent over it
    TimePoint acknowledged_at{};                // when that is expected to be
  };
  /// A loss is repaired when all that was sent before it is acknowledged, and no acknowledgment of that can be on its way.
  struct Checkpoint {
    std::uint32_t end = 0;
    TimePoint time;
  };

  void find_nearest();
  std::size_t next_path();
  bool is_overtaking(const DataSegment& segment, TimePoint arrives) const;
  bool is_duplicate(const Acknowledgment& acknowledgment) const;

  std::vector<Path> paths_;
  std::size_t turn_ = 0, nearest_ = 0;
  std::optional<std::uint32_t> highest_sent_, highest_end_;  // of the connection
  std::optional<Acknowledgment> last_;                       // the highest
  std::uint32_t expected_ = 0;
  std::optional<Checkpoint> checkpoint_;
};

}  // namespace tributary::bonding
