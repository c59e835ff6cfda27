#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "media/iso_box.hh"
#include "units/data_size.hh"
#include "units/media_bytes.hh"

namespace tributary {

/// Takes a CMAF segment of one chunk apart at its frames, while it comes. Some of the frames become a segment of their
/// own, with their times as they were.
class SplitChunk {
 public:
  /// `front`: the bytes of the segment from its beginning on, as far as they are here. Nothing: more are needed. Throws
  /// BoxError if the segment is of another form: of several chunks or runs, encrypted, or with boxes that are not known.
  static std::optional<SplitChunk> read(std::span<const std::byte> front);

  /// Where each frame ends, in decoding order, from the beginning of the segment on. The last one ends with it.
  const std::vector<DataSize>& ends() const { return ends_; }
  /// The frames from `begin` to before `end`; at least one. `content` reaches to their end.
  MediaBytes frames(std::span<const std::byte> content, std::size_t begin, std::size_t end) const;

 private:
  void read_moof(const Box& moof);
  void read_header(const Box& tfhd);
  void read_time(const Box& tfdt);
  void read_run(const Box& trun);
  void expect(const Box& mdat);

  std::size_t moof_ = 0, traf_ = 0, trun_ = 0;  // offsets of the boxes in the segment
  std::size_t time_at_ = 0, time_bytes_ = 0;    // of the decoding time of the first frame
  std::uint64_t time_ = 0;
  std::uint32_t default_duration_ = 0, default_size_ = 0;  // 0: not stated here
  std::uint32_t version_and_flags_ = 0, first_flags_ = 0;  // of the run
  std::vector<std::byte> entries_;                         // of the run, one a frame
  std::vector<std::uint32_t> durations_;
  std::size_t data_ = 0;  // where the first frame begins
  std::vector<DataSize> ends_;
};

}  // namespace tributary
