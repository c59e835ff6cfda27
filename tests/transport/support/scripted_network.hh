#pragma once

#include <memory>
#include <string>
#include <vector>

#include "transport/sockets/byte_stream.hh"

namespace tributary::transport {

/// The far end of the connections a transport makes, played by the test: it sees what was sent and decides
/// what comes back. Connections are numbered from 0 in the order they were made.
class ScriptedNetwork {
 public:
  /// One connection. Lives as long as the test, so it can be looked at when the transport has let it go.
  struct Connection {
    ByteStream::State state = ByteStream::State::kConnecting;
    ByteStream::Failure failure;
    std::string protocol;                    // agreed on (ALPN)
    std::string sent;                        // by the transport, not yet looked at
    std::string arriving;                    // not yet read by the transport
    StreamStatus end = StreamStatus::kOpen;  // seen when everything that arrived has been read
    bool released = false;                   // the transport has closed it
  };

  std::unique_ptr<ByteStream> connect();

  std::size_t connections() const { return connections_.size(); }
  Connection& connection(std::size_t number) { return *connections_.at(number); }

  // Of all connections.
  std::optional<RoundTrip> round_trip;
  std::optional<Duration> silence;
  std::optional<Duration> silence_of_peer;
  bool reached = false;

 private:
  std::vector<std::shared_ptr<Connection>> connections_;
};

}  // namespace tributary::transport
