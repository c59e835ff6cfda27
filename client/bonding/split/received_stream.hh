#pragma once

#include <cstdint>
#include <deque>
#include <map>

#include "bonding/split/stream_message.hh"

namespace tributary::bonding {

/// One direction of a stream as it comes: puts the pieces in order, and says how much more may come.
/// Pieces that follow each other are joined: a peer chooses how small they are, and each takes memory beside its bytes.
class ReceivedStream {
 public:
  /// Parts with a gap before them; a sender that cuts pieces as ours does has a few.
  static constexpr std::size_t kMostEarly = 512;

  /// False: it is more than was allowed, in more parts than that, or not what came before.
  bool arrived(const StreamData& data);
  /// The next bytes in order, at most so many.
  Bytes take(std::size_t most);
  bool has_bytes() const { return !ready_.empty(); }
  /// All has been taken, up to the end.
  bool finished() const { return ended_ && ready_.empty(); }
  /// Blocks of memory that wait here.
  std::size_t blocks() const { return early_.size() + ready_.size(); }
  /// The end has come, and all before it.
  bool complete() const { return ended_; }

  /// What to tell the peer now; nothing: it need not hear more than it knows. `window`: bytes that may wait here.
  std::optional<StreamProgress> progress(StreamId stream, std::size_t window);
  /// The peer may have lost what it was told: progress() tells it anew.
  void tell_again() { told_ = false; }

 private:
  void add_early(std::uint64_t from, ByteSpan bytes);
  void take_in_order();

  std::map<std::uint64_t, Bytes> early_;  // by offset; none of them overlap
  std::deque<Bytes> ready_;
  std::size_t ready_from_ = 0;  // in the first of them
  std::uint64_t in_order_ = 0, taken_ = 0;
  std::optional<std::uint64_t> end_;
  bool ended_ = false, told_ = false;
  std::uint64_t told_received_ = 0, limit_ = 0;
};

}  // namespace tributary::bonding
