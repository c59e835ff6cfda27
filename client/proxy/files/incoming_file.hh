#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "units/byte_set.hh"
#include "units/data_size.hh"
#include "units/media_bytes.hh"

namespace tributary::proxy {

/// One file, or range of a file, on its way: bytes come in any order over several links, and are read from front to
/// back by any number of readers. Thread-safe: one thread writes, others read.
class IncomingFile {
 public:
  enum class Phase { kComing, kComplete, kFailed };

  /// How far the file has come at one moment.
  struct Progress {
    Phase phase = Phase::kComing;
    std::optional<DataSize> size = {};  // of all of it; nothing until an answer tells
    /// Of the file at the origin, if this is only the front of it.
    std::optional<DataSize> whole = {};
    DataSize there = {};     // so many bytes from the front are here
    DataSize received = {};  // bytes that are here, wherever
    bool begun = false;      // bytes have come, though perhaps none from the front
    unsigned status = 0;     // of HTTP, for the player: if it failed
    std::string why = {};    // it failed
  };

  // ---- The writer's side. Nothing has an effect once the file is complete or has failed.

  /// To be called before put() if the answer tells the size in its head: a reader that sees bytes and no size does not
  /// wait for one. A size below the end of what has come is taken for that end.
  void size_is(DataSize size);
  /// This is only the front of a file of this size. To be called before size_is().
  void is_front_of(DataSize whole);
  /// Bytes behind the size are dropped.
  void put(DataSize offset, std::span<const std::byte> bytes);
  /// All bytes are here, and the file ends with them.
  void complete();
  /// No further byte will come. `status`: 404, 502, 504.
  void fail(unsigned status, std::string why);

  // ---- The readers' side

  Progress progress() const;
  /// Copies bytes that are there, from `offset` on, and returns their number.
  std::size_t read(DataSize offset, std::span<std::byte> to) const;
  /// `changed` is called after each change, in the writer's thread, until it is removed. It must return at once, and
  /// neither add nor remove a listener. Returns a number for stop_telling.
  int tell(std::function<void()> changed);
  /// No call of that function begins, and none is under way, when this returns.
  void stop_telling(int listener);

 private:
  DataSize there() const;
  void tell_all();

  mutable std::mutex mutex_;  // of all up to why_
  Phase phase_ = Phase::kComing;
  std::optional<DataSize> size_, whole_;
  MediaBytes bytes_;
  ByteSet received_;
  unsigned status_ = 0;
  std::string why_;
  std::mutex listeners_mutex_;  // held while listeners are called
  std::map<int, std::function<void()>> listeners_;
  int next_listener_ = 0;
};

}  // namespace tributary::proxy
