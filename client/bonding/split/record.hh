#pragma once

#include <optional>
#include <vector>

#include "bonding/handshake/session_keys.hh"
#include "bonding/wire/sealing.hh"

namespace tributary::bonding {

/// The keys of the connections of TCP that belong to a connection of datagrams. They are others than its own, so that no
/// number of a record is that of a datagram.
SessionKeys record_keys(const SessionKeys& of_datagrams);

/// A record on a connection of TCP: its size (2), and a sealed packet (wire/sealing.hh), whose path is the link's. The
/// numbers of a link go on with its next connection.
class RecordWriter {
 public:
  RecordWriter(ConnectionId connection, PathId link, const SessionKey& key)
      : connection_{connection}, link_{link}, sealer_{key} {}

  /// At most kMostPlain bytes.
  Bytes write(ByteSpan plain);
  static constexpr std::size_t kMostPlain = 60'000;

 private:
  ConnectionId connection_;
  PathId link_;
  Sealer sealer_;
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
  explicit RecordReader(const SessionKey& key) : opener_{key} {}

  /// Nothing unless the peer has made it, for this link, and later than all before it.
  std::optional<Bytes> open(ConnectionId connection, PathId link, ByteSpan sealed);

 private:
  Opener opener_;
  std::uint64_t next_ = 0;
};

}  // namespace tributary::bonding
