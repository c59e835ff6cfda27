#pragma once

#include <map>

#include "bonding/paths/path_address.hh"
#include "bonding/paths/path_sender.hh"
#include "bonding/probing/packet_train.hh"
#include "bonding/probing/path_liveness.hh"
#include "bonding/probing/path_mtu.hh"
#include "bonding/windows/received_packets.hh"
#include "bonding/wire/replay_window.hh"

namespace tributary::bonding {

/// All that one end knows of one path. The parts know nothing of each other; Connection joins them.
struct TunnelPath {
  TunnelPath(PathId path, const PathAddress& at, const SchedulerKind& kind, DataSize largest_datagram,
             Duration keep_alive)
      : id{path}, address{at}, liveness{keep_alive}, sender{path, kind}, received{path}, mtu{largest_datagram} {}

  bool is_alive() const { return liveness.state() == PathLiveness::State::kAlive; }

  PathId id;
  PathAddress address;
  bool link_is_up = true;
  PathLiveness liveness;

  PathSender sender;
  ReceivedPackets received;
  PathReplayWindow seen;
  std::optional<PathSequence> newest_seen;
  bool whole = false;  // no number is missing since its last inner packet

  PathMtu mtu;
  TrainSender trains;
  TrainReceiver train_receiver;
};

using TunnelPaths = std::map<PathId, TunnelPath>;

}  // namespace tributary::bonding
