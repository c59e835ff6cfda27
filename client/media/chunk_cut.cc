#include "media/chunk_cut.hh"

#include <algorithm>
#include <utility>

namespace tributary {
namespace {

constexpr std::size_t kBoxHeader = 16;           // at the most
constexpr std::uint64_t kLargestMoof = 1 << 20;  // of one chunk: tens of thousands of frames

}  // namespace

ChunkCut::ChunkCut(InitFacts init, Duration lasts, std::uint32_t pieces)
    : init_{std::move(init)}, ticks_of_piece_{to_seconds(lasts) * init_.timescale}, count_{pieces} {}

void ChunkCut::look(std::span<const std::byte> content) {
  try {
    for (std::size_t before = content.size() + 1; !no_chunks_ && before != at_;) {
      before = at_;
      step(content);
    }
  } catch (const BoxError&) {
    no_chunks_ = true;
  }
  if (no_chunks_) reached_ = content.size();
}

/// Goes on to the next box if all that is needed of this one is here.
void ChunkCut::step(std::span<const std::byte> content) {
  if (data_end_ > at_) {
    reached_ = std::min(content.size(), data_end_);
    if (content.size() < data_end_) return;
    chunk_ = at_ = data_end_;
    complete_before(piece_at(times_.end + times_.last_frame / 2), at_);
    return;
  }
  if (content.size() - at_ < kBoxHeader) return;
  const Box box = first_box("the segment", content.subspan(at_), at_);
  if (box.type == "mdat") {
    data_end_ = at_ + static_cast<std::size_t>(box.size);
    return step(content);
  }
  if (box.size > kLargestMoof) throw BoxError{box.place() + " is too large"};
  if (box.size > content.size() - at_) return;
  if (box.type == "moof") {
    begin_chunk(read_chunk_times(box, init_));
    reached_ = at_ + static_cast<std::size_t>(box.size);
  }
  data_end_ = at_ += static_cast<std::size_t>(box.size);
}

void ChunkCut::begin_chunk(const ChunkTimes& times) {
  times_ = times;
  if (!std::exchange(begun_, true)) first_ = times.begin;
  complete_before(piece_at(times.begin + times.last_frame / 2), chunk_);
}

/// The last piece at the most: it ends with the segment.
std::size_t ChunkCut::piece_at(std::uint64_t ticks) const {
  if (ticks <= first_ || ticks_of_piece_ <= 0) return 0;
  const double pieces = static_cast<double>(ticks - first_) / ticks_of_piece_;
  return pieces >= static_cast<double>(count_) ? count_ - 1 : static_cast<std::size_t>(pieces);
}

void ChunkCut::complete_before(std::size_t piece, std::size_t end) {
  while (ends_.size() < piece) ends_.push_back(end);
}

void ChunkCut::end(std::size_t size) {
  reached_ = size;
  complete_before(count_, size);
}

ChunkCut::Bytes ChunkCut::piece(std::uint32_t index) const {
  const bool complete = index < ends_.size();
  if (index > ends_.size()) return {reached_, reached_, false};
  const std::size_t begin = index == 0 ? 0 : ends_[index - 1];
  return {begin, complete ? ends_[index] : std::max(begin, reached_), complete};
}

}  // namespace tributary
