#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "bonding/stage/connection_handler.hh"
#include "bonding/stage/packet_class.hh"

namespace tributary::bonding {

/// What happens to the packets of others between two of their ends: connections of TCP use several pipes from here to the receiver, and
/// neither end knows of it. Everything else passes as it is. The parts are those of the splitter/combiner architecture
/// (Ayar, Rathke, Budzisz 2012, section 3.3), without signals between two stages.
class InnerStage {
 public:
  struct Options {
    ConnectionHandler::Options connections;
    /// Only connections with one of these ports, at either end. None: all.
    std::vector<std::uint16_t> ports;
  };
  /// The adapter must outlive it.
  InnerStage(Options options, PipesAdapter& pipes);

  /// A packet that was captured on its way.
  void packet(Bytes packet, Heading heading, TimePoint now);
  /// Packets that go on as if there were no stage, to either end.
  std::vector<Bytes> take_passed();

  /// For all connections, a pipe can be used, or not any more. The adapter knows it already.
  void pipe_came(PipeId pipe) { connections_.employ(pipe); }
  void pipe_went(PipeId pipe) { connections_.withdraw(pipe); }

  /// When delayed packets are due.
  TimePoint next_deadline() const;
  void wake(TimePoint now);

  std::size_t connections() const { return connections_.size(); }

 private:
  struct Delayed {
    TcpConnection connection;
    std::optional<PipeId> pipe;
    Bytes packet;
  };
  bool is_admitted(const TcpPacket& packet) const;
  Decision decision(const TcpPacket& packet, Heading heading, TimePoint now);
  Decision processed(const TcpPacket& packet, Heading heading, TimePoint now);
  void deliver(Bytes packet, const TcpConnection& connection, std::optional<PipeId> pipe);

  std::vector<std::uint16_t> ports_;
  PipesAdapter& pipes_;
  ConnectionHandler connections_;
  std::vector<Bytes> passed_;
  std::multimap<TimePoint, Delayed> delayed_;
};

}  // namespace tributary::bonding
