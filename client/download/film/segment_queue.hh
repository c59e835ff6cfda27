#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "units/data_size.hh"
#include "units/media_bytes.hh"

namespace tributary {

/// Segments on their way from the thread of the network to the thread that makes a film of them, each track in its
/// order. A segment is kept until it has been read. A stretch is what one init segment describes: a track's first bytes
/// begin one, and each later init segment begins another.
class SegmentQueue {
 public:
  /// `most`: the bytes that may wait before the network waits, too.
  SegmentQueue(std::size_t tracks, DataSize most) : tracks_(tracks), most_{most} {}

  // ---- For the thread of the network

  /// Empty bytes count for nothing.
  void push(std::size_t track, MediaBytes bytes, bool begins_stretch);
  /// Waits until at most `most` bytes wait to be read, or the reader wants bytes that are not here, or is stopped.
  void wait_for_room();
  /// Nothing more will come.
  void end();
  /// The reader gets nothing any more, and nobody waits. For any thread.
  void stop();

  // ---- For the thread that reads

  /// Waits for the next stretch, and passes over what is left of this one. Returns the first bytes of the stretch, at
  /// most `size` of them, which can still be read; nothing if there is none, or after stop().
  std::optional<MediaBytes> begin_stretch(std::size_t track, std::size_t size);
  /// Waits for bytes. The number of bytes read, 0 at the end of the stretch; nothing after stop().
  std::optional<std::size_t> read(std::size_t track, std::span<std::byte> into);
  bool stopped();

 private:
  struct Piece {
    MediaBytes bytes;
    bool begins_stretch = false;
  };
  struct Track {
    std::deque<Piece> pieces;
    std::size_t read = 0;  // of the first piece
  };
  bool wait_for_piece(Track& track, std::unique_lock<std::mutex>& lock);
  void drop_front(Track& track);

  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Track> tracks_;
  DataSize most_, waiting_;
  bool wanted_ = false;  // the reader waits for bytes
  bool ended_ = false, stopped_ = false;
};

}  // namespace tributary
