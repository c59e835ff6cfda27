#pragma once

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

/// Knows which bytes of one segment are here, which are asked for, and which are still to be asked for. Ranges are
/// given out from front to back; ranges of failed requests go first.
class SegmentAssembly {
 public:
  SegmentAssembly(SegmentIndex segment, QualityIndex quality, const std::vector<DataSize>& part_sizes);

  SegmentIndex segment() const { return segment_; }
  QualityIndex quality() const { return quality_; }
  DataSize part_size(std::uint32_t part) const { return parts_[part].size; }

  /// The rest of the part from which new requests are cut; nothing once every byte has been asked for.
  std::optional<WantedRange> next_new() const;
  /// Bytes never asked for, over all parts.
  DataSize new_bytes() const;
  /// `size` bytes of next_new() are asked for.
  void take_new(DataSize size);

  const std::deque<WantedRange>& given_back() const { return given_back_; }
  DataSize given_back_bytes() const;
  /// Takes back the missing bytes of a failed request. Bytes that came by another request are left out.
  void give_back(const WantedRange& range);
  WantedRange take_given_back(std::size_t index);
  /// The part has to come in one answer: its bytes count neither as asked for nor as received.
  void restart_part(std::uint32_t part, LinkId failed_on, std::uint32_t wrong_answers);

  void receive(std::uint32_t part, ByteRange range);
  bool complete() const { return missing() == DataSize{}; }
  DataSize missing() const;

 private:
  struct Part {
    DataSize size;
    ByteSet received;
  };

  SegmentIndex segment_;
  QualityIndex quality_;
  std::vector<Part> parts_;
  std::uint32_t next_part_ = 0;  // where new requests are cut from
  DataSize next_offset_;
  std::deque<WantedRange> given_back_;
};

}  // namespace tributary
