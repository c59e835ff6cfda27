#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "media/cmaf_reader.hh"
#include "units/session_clock.hh"

namespace tributary {

/// Cuts a CMAF segment into pieces of equal time while it comes. Chunks are not cut: each is of the piece in which its first
/// frame is decoded. The last piece also has all that comes later. Where bytes are no chunks, they all are of the piece
/// before.
class ChunkCut {
 public:
  /// `pieces`: one or more, each of which `lasts` so long. The first frame of the segment begins the first one.
  ChunkCut(InitFacts init, Duration lasts, std::uint32_t pieces);

  /// `content`: all of the segment that is here, more than at the last call.
  void look(std::span<const std::byte> content);
  /// The segment ends with this byte.
  void end(std::size_t size);

  struct Bytes {
    std::size_t begin = 0, end = 0;  // so far
    bool complete = false;
  };
  Bytes piece(std::uint32_t index) const;
  /// No chunk is under way: what comes next may only be made.
  bool between_chunks() const { return chunk_ == at_ && data_end_ == at_; }

 private:
  void step(std::span<const std::byte> content);
  void begin_chunk(const ChunkTimes& times);
  void complete_before(std::size_t piece, std::size_t end);
  std::size_t piece_at(std::uint64_t ticks) const;

  InitFacts init_;
  double ticks_of_piece_;
  std::size_t count_;
  std::vector<std::size_t> ends_;  // of the pieces that are complete
  std::size_t at_ = 0;             // where the next box begins
  std::size_t chunk_ = 0;          // where the chunk begins, with the boxes in front of its moof
  std::size_t data_end_ = 0;       // of the mdat that comes; else not behind at_
  std::size_t reached_ = 0;        // up to here it is known which piece bytes are of
  std::uint64_t first_ = 0;        // decoding time of the first frame
  bool begun_ = false, no_chunks_ = false;
  ChunkTimes times_{};  // of the chunk
};

}  // namespace tributary
