#pragma once

#include <memory>
#include <optional>
#include <utility>

#include "bonding/handshake/key_ring.hh"
#include "bonding/wire/bytes.hh"

namespace tributary::bonding {

/// A record on a connection of TCP: its size (2), and a sealed packet (wire/sealing.hh), whose path is the link's. The
/// numbers of a link go on with its next connection. Its keys are those of the connection of datagrams, which has them made
/// anew.
class RecordWriter {
 public:
  RecordWriter(ConnectionId connection, PathId link, std::shared_ptr<const KeyRing> keys)
      : connection_{connection}, link_{link}, keys_{std::move(keys)} {}

  /// At most kMostPlain bytes.
  Bytes write(ByteSpan plain);
  static constexpr std::size_t kMostPlain = 60'000;

 private:
  ConnectionId connection_;
  PathId link_;
  std::shared_ptr<const KeyRing> keys_;
  std::uint64_t next_ = 0;
};

/// Divides what comes over a connection of TCP into records.
class RecordBuffer {
 public:
  void add(ByteSpan bytes) { bytes_.insert(bytes_.end(), bytes.begin(), bytes.end()); }
  /// The next sealed packet, once it is whole.
  std::optional<Bytes> take();
  std::size_t size() const { return bytes_.size() - read_; }

 private:
  Bytes bytes_;
  std::size_t read_ = 0;
};

/// Opens the records of one link, of one connection of TCP after another.
class RecordReader {
 public:
  explicit RecordReader(std::shared_ptr<const KeyRing> keys) : keys_{std::move(keys)} {}

  /// Nothing unless the peer has made it, for this link, and later than all before it.
  std::optional<Bytes> open(ConnectionId connection, PathId link, ByteSpan sealed);

 private:
  std::shared_ptr<const KeyRing> keys_;
  std::uint64_t next_ = 0;
};

}  // namespace tributary::bonding
