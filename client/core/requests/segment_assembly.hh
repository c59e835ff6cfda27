#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "units/byte_range.hh"
#include "units/byte_set.hh"
#include "units/identifiers.hh"

namespace tributary {

/// A range of one part of a segment that is still to be requested.
struct WantedRange {
  std::uint32_t part = 0;
  ByteRange range;
  std::optional<LinkId> failed_on;  // asked before, on this link
  std::uint32_t wrong_answers = 0;  // wrong answers to this range so far
};

/// Bytes of one part of a segment.
struct PartSize {
  DataSize size;
  bool estimated = false;
  double error = 0;  // of an estimate, as it probably is: relative to the size

  PartSize(DataSize bytes, bool is_estimate = false, double of_estimate = 1)
      : size{bytes}, estimated{is_estimate}, error{of_estimate} {}
};

/// Knows which bytes of one segment are here, which are asked for, and which are still to be asked for. Ranges are
/// given out from front to back, except where place_behind() leaves a gap; ranges of failed requests go first.
///
/// If the size of a part is an estimate, only bytes that most likely exist are given out: of a large part the first half,
/// or more where estimates have been good. Under 1 % of segments are smaller than half of their estimate, and the first
/// answer tells the size long before that half has come. A small part is asked for with a margin, because asking once more takes a round trip. The segment is
/// complete when all sizes are known.
class SegmentAssembly {
 public:
  /// The first `init_parts` parts are init segments.
  SegmentAssembly(SegmentIndex segment, QualityIndex quality, const std::vector<PartSize>& part_sizes,
                  std::uint32_t init_parts = 0);

  SegmentIndex segment() const { return segment_; }
  QualityIndex quality() const { return quality_; }
  std::uint32_t init_parts() const { return init_parts_; }
  DataSize part_size(std::uint32_t part) const { return parts_[part].size; }
  /// Of all parts.
  DataSize size() const;
  bool size_is_known(std::uint32_t part) const { return !parts_[part].estimated; }
  bool all_sizes_are_known() const;
  /// The part has this size. Bytes behind it are not wanted; earlier bytes stay.
  void learn_size(std::uint32_t part, DataSize size);
  /// The part of unknown size reaches at least this far.
  void reaches(std::uint32_t part, DataSize end);

  /// The first bytes of the only part are here, and those up to `until` come by other means. To be called again when more
  /// are here, or fewer come: the missing ones are then given back. If bytes of the part
  /// were asked for before, nothing changes.
  void comes_otherwise(DataSize here, DataSize until);

  /// The rest of the part from which new requests are cut; nothing while there is nothing to ask for.
  std::optional<WantedRange> next_new() const;
  /// Bytes never asked for, over all parts, as far as sizes are known.
  DataSize new_bytes() const;
  /// `size` bytes of next_new() are asked for.
  void take_new(DataSize size);
  /// A place for `size` bytes in the part of next_new(), which there must be. About `others` new bytes are in front of the
  /// place; if the part has fewer, the place is at its end. The place moves or grows where it would leave a gap of less than
  /// `least_gap`.
  WantedRange place_behind(DataSize others, DataSize size, DataSize least_gap) const;
  /// The bytes of a place are asked for.
  void take(const WantedRange& place);

  const std::deque<WantedRange>& given_back() const { return given_back_; }
  DataSize given_back_bytes() const;
  /// Takes back the missing bytes of a failed request. Bytes that came by another request are left out.
  void give_back(const WantedRange& range);
  WantedRange take_given_back(std::size_t index);
  /// The part has to come in one answer: its bytes count neither as asked for nor as received.
  void restart_part(std::uint32_t part, LinkId failed_on, std::uint32_t wrong_answers);

  /// From now on, each part that nothing was asked of is asked for as long as it is thought to be, in one request.
  void give_out_whole();
  /// Each part has to come in one answer.
  bool comes_whole() const { return comes_whole_; }

  /// `to_its_end`: these bytes are of an answer that goes on to the end of the part, wherever that is.
  void receive(std::uint32_t part, ByteRange range, bool to_its_end = false);
  bool complete() const {
    return std::ranges::all_of(parts_, [](const Part& p) { return !p.estimated && p.received.size() == p.size; });
  }
  DataSize missing() const;
  /// It plays already, and the rest is still wanted.
  bool plays() const { return plays_; }
  void begin_to_play() { plays_ = true; }
  /// After a seek, it is to play from its beginning.
  void play_anew() { plays_ = false; }
  std::uint32_t parts() const { return static_cast<std::uint32_t>(parts_.size()); }
  /// All parts before this one are complete.
  bool complete_before(std::uint32_t part) const {
    return std::ranges::all_of(parts_.begin(), parts_.begin() + part,
                               [](const Part& p) { return !p.estimated && p.received.size() == p.size; });
  }
  /// So many bytes of the part are here without a gap, from its beginning on.
  DataSize front(std::uint32_t part) const {
    const auto gaps = parts_[part].received.gaps_in({DataSize{}, parts_[part].size});
    return gaps.empty() ? parts_[part].size : gaps.front().begin;
  }
  /// Of the part's bytes up to there.
  DataSize missing_before(std::uint32_t part, DataSize end) const {
    DataSize total;
    for (const ByteRange& gap : parts_[part].received.gaps_in({DataSize{}, end})) total += gap.size();
    return total;
  }
  /// All bytes of the part up to there are here.
  bool has_all_before(std::uint32_t part, DataSize end) const {
    return parts_[part].received.gaps_in({DataSize{}, end}).empty();
  }

 private:
  struct Part {
    DataSize size;
    bool estimated = false;
    DataSize given_out_to;  // of an estimated part, new requests end here
    ByteSet received{};
    DataSize asked{};       // new requests are cut from here on
    ByteSet asked_ahead{};  // further back, none of it touches `asked`

    DataSize end_of_new() const { return estimated ? given_out_to : size; }
    bool any_new() const { return asked < end_of_new(); }
    /// From front to back.
    std::vector<ByteRange> new_ranges() const { return asked_ahead.gaps_in({asked, end_of_new()}); }
    void ask(ByteRange range);
  };

  SegmentIndex segment_;
  QualityIndex quality_;
  std::uint32_t init_parts_;
  std::vector<Part> parts_;
  std::deque<WantedRange> given_back_;
  DataSize comes_otherwise_;  // up to here
  bool plays_ = false;
  bool comes_whole_ = false;
};

}  // namespace tributary
