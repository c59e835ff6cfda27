#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "bonding/stage/processor.hh"

namespace tributary::bonding {

/// The connections that a stage works on, from the packet that asks for one to those that end it.
class ConnectionHandler {
 public:
  struct Options {
    std::string processor{"dupack-filter"};
    /// Further ones go on as if there were no stage.
    std::size_t most_connections = 1000;
  };
  struct Connection {
    Heading requested;    // where the packet went that asked for it
    bool active = false;  // confirmed in the other direction: both pass here
    bool sender_has_ended = false, receiver_has_ended = false;
    TimePoint last_packet;
    std::vector<PipeId> pipes;
    std::unique_ptr<Processor> processor;
  };
  /// The adapter must outlive it.
  ConnectionHandler(Options options, PipesAdapter& pipes) : options_{std::move(options)}, pipes_{pipes} {}

  void requested(const TcpConnection& id, Heading heading, TimePoint now);
  void confirmed(const TcpConnection& id, Heading heading);
  /// By this packet, which has FIN or RST.
  void released(const TcpConnection& id, const TcpPacket& packet, Heading heading);
  /// Nothing unless it is active and has a pipe.
  Connection* active(const TcpConnection& id, TimePoint now);

  /// For all connections.
  void employ(PipeId pipe);
  void withdraw(PipeId pipe);

  std::size_t size() const { return connections_.size(); }

 private:
  using Connections = std::map<TcpConnection, Connection>;

  bool has_room(TimePoint now);
  void employ(const TcpConnection& id, Connection& connection, PipeId pipe);
  Connections::iterator close(Connections::iterator connection);

  Options options_;
  PipesAdapter& pipes_;
  Connections connections_;
};

}  // namespace tributary::bonding
