#include "download/film/segment_queue.hh"

#include <algorithm>
#include <cstring>
#include <utility>

namespace tributary {

void SegmentQueue::push(std::size_t track, MediaBytes bytes, bool begins_stretch) {
  if (bytes.empty()) return;
  const std::lock_guard lock{mutex_};
  waiting_ += size_of(bytes);
  tracks_.at(track).pieces.push_back({std::move(bytes), begins_stretch});
  changed_.notify_all();
}

void SegmentQueue::wait_for_room() {
  std::unique_lock lock{mutex_};
  changed_.wait(lock, [&] { return stopped_ || wanted_ || waiting_ <= most_; });
}

void SegmentQueue::end() {
  const std::lock_guard lock{mutex_};
  ended_ = true;
  changed_.notify_all();
}

void SegmentQueue::stop() {
  const std::lock_guard lock{mutex_};
  stopped_ = true;
  changed_.notify_all();
}

bool SegmentQueue::stopped() {
  const std::lock_guard lock{mutex_};
  return stopped_;
}

/// False if there is none, and none will come.
bool SegmentQueue::wait_for_piece(Track& track, std::unique_lock<std::mutex>& lock) {
  while (track.pieces.empty() && !ended_ && !stopped_) {
    wanted_ = true;
    changed_.notify_all();
    changed_.wait(lock);
  }
  wanted_ = false;
  return !stopped_ && !track.pieces.empty();
}

void SegmentQueue::drop_front(Track& track) {
  waiting_ -= size_of(track.pieces.front().bytes);
  track.pieces.pop_front();
  track.read = 0;
  changed_.notify_all();
}

std::optional<MediaBytes> SegmentQueue::begin_stretch(std::size_t index, std::size_t size) {
  std::unique_lock lock{mutex_};
  Track& track = tracks_.at(index);
  while (wait_for_piece(track, lock)) {
    Piece& piece = track.pieces.front();
    if (std::exchange(piece.begins_stretch, false)) {
      const auto end = piece.bytes.begin() + static_cast<std::ptrdiff_t>(std::min(size, piece.bytes.size()));
      return MediaBytes{piece.bytes.begin(), end};
    }
    drop_front(track);
  }
  return std::nullopt;
}

std::optional<std::size_t> SegmentQueue::read(std::size_t index, std::span<std::byte> into) {
  std::unique_lock lock{mutex_};
  Track& track = tracks_.at(index);
  const bool there = wait_for_piece(track, lock);
  if (stopped_) return std::nullopt;
  if (!there || track.pieces.front().begins_stretch) return 0;
  const MediaBytes& bytes = track.pieces.front().bytes;
  const std::size_t size = std::min(into.size(), bytes.size() - track.read);
  std::memcpy(into.data(), bytes.data() + track.read, size);
  track.read += size;
  if (track.read == bytes.size()) drop_front(track);
  return size;
}

}  // namespace tributary
