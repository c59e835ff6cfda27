#pragma once

#include "bonding/ordering/resequencer.hh"

namespace tributary::bonding {

/// Hands packets out as they come: inner protocols put them in order.
class NoResequencer final : public Resequencer {
 public:
  void path_joined(PathId /*path*/) override {}
  std::vector<Bytes> path_left(PathId /*path*/, TimePoint /*now*/) override { return {}; }
  std::vector<Bytes> arrived(ArrivedPacket packet, TimePoint /*now*/) override { return {std::move(packet.packet)}; }
  std::optional<TimePoint> next_deadline() const override { return std::nullopt; }
  std::vector<Bytes> wake(TimePoint /*now*/) override { return {}; }
  DataSize held() const override { return {}; }
};

}  // namespace tributary::bonding
