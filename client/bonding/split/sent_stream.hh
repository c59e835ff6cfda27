#pragma once

#include <cstdint>
#include <deque>
#include <optional>

#include "bonding/split/stream_message.hh"
#include "bonding/wire/identifiers.hh"

namespace tributary::bonding {

/// One direction of a stream on its way to the peer. Each piece belongs to one link, and is kept until the peer has it: of
/// a link that is lost, all of them go to the others.
class SentStream {
 public:
  /// Bytes that may be sent before the peer has told its limit.
  static constexpr std::uint64_t kFirstLimit = 64'000;

  /// `destination`: the peer is to open the stream to there.
  SentStream(StreamId id, const std::optional<PeerAddress>& destination) : id_{id}, destination_{destination} {}

  void add(ByteSpan bytes) { waiting_.insert(waiting_.end(), bytes.begin(), bytes.end()); }
  /// Nothing more is added.
  void end() { ended_ = true; }
  /// Bytes that are kept.
  std::size_t kept() const { return waiting_.size() - cut_ + kept_; }

  /// There is something for any link.
  bool has_next() const;
  /// The next piece, of at most `most` bytes, which this link is to carry. Borrowed until the next call.
  std::optional<StreamData> next(PathId link, std::size_t most);
  /// Other links owe so much that this one, which has nothing else to do, should bring some of it, too.
  bool has_again(PathId link) const;
  /// The oldest piece that another link owes, and that was sent once. It stays that link's.
  std::optional<StreamData> again(PathId link);

  void progressed(std::uint64_t received, std::uint64_t limit);
  void link_lost(PathId link);

  /// The peer has everything, and the end.
  bool done() const { return ended_ && received_ > end_; }
  /// The end was sent, with all before it.
  bool all_sent() const { return last_cut_; }

 private:
  struct Piece {
    std::uint64_t offset = 0;
    Bytes bytes{};
    bool last = false, opens = false;
    std::optional<PathId> link{};  // nothing: it was lost
    bool twice = false;
    std::uint64_t end() const { return offset + bytes.size() + (last ? 1 : 0); }
  };
  StreamData data_of(const Piece& piece) const;
  bool may_cut() const;

  StreamId id_;
  std::optional<PeerAddress> destination_;
  Bytes waiting_;  // not yet cut into pieces, from cut_ on
  std::size_t cut_ = 0;
  std::deque<Piece> pieces_;
  std::size_t kept_ = 0, lost_ = 0;  // bytes of the pieces; pieces without a link
  std::uint64_t end_ = 0, received_ = 0, limit_ = kFirstLimit;
  bool opened_ = false, ended_ = false, last_cut_ = false;
};

}  // namespace tributary::bonding
