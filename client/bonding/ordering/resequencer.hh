#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "bonding/wire/message.hh"
#include "units/data_size.hh"

namespace tributary::bonding {

/// An inner packet as it came over a path.
struct ArrivedPacket {
  PathId path{};
  GlobalSequence sequence{};
  SentTime sent_at{};
  Bytes packet;
  /// By the path's own numbers, nothing is missing since its inner packet before this one.
  bool follows = false;
};

/// Puts inner packets in order, and decides how long to wait for those that are missing. Each call gives the packets that are
/// released by it, in order. No sequence number arrives twice.
class Resequencer {
 public:
  virtual ~Resequencer() = default;

  /// A path may bring packets from now on.
  virtual void path_joined(PathId path) = 0;
  /// It brings none any more, or none for the moment.
  virtual std::vector<Bytes> path_left(PathId path, TimePoint now) = 0;
  /// A packet of any kind, which tells how long they take.
  virtual void came(PathId /*path*/, SentTime /*sent_at*/, TimePoint /*now*/) {}
  /// Half of the round trip of a path, as probes measure it.
  virtual void one_way_delay(PathId /*path*/, Duration /*delay*/) {}

  virtual std::vector<Bytes> arrived(ArrivedPacket packet, TimePoint now) = 0;
  /// When it wants to be woken; nothing while it holds nothing.
  virtual std::optional<TimePoint> next_deadline() const = 0;
  virtual std::vector<Bytes> wake(TimePoint now) = 0;

  /// The bytes that it holds.
  virtual DataSize held() const = 0;
};

enum class ResequencerKind { kBounded, kThesis, kNone };
struct NamedResequencer {
  std::string_view name;
  ResequencerKind kind{};
};
/// All of them, the default first.
std::span<const NamedResequencer> resequencer_kinds();
std::unique_ptr<Resequencer> make_resequencer(ResequencerKind kind);

}  // namespace tributary::bonding
