#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "bonding/stage/tcp_packet.hh"
#include "units/data_size.hh"
#include "units/session_clock.hh"

namespace tributary::bonding {

/// A way to send on one of several paths: an interface, a tunnel, a route.
enum class PipeId : std::uint32_t {};

struct PipeProperties {
  Duration round_trip{};  // over it, and back over the one way of acknowledgments; without queues
  DataSize sent{};
};

/// What a stage knows of pipes: their numbers. How packets get there, and what is put around them for that, is known below it alone.
/// The calls are those of the splitter/combiner architecture (Ayar, Rathke, Budzisz 2012, section 3.6).
class PipesAdapter {
 public:
  virtual ~PipesAdapter() = default;

  /// The pipes to there, which are tied to the connection.
  virtual std::vector<PipeId> find_pipes(const TcpConnection& connection, const PeerAddress& destination) = 0;
  /// Nothing instead of a connection: of the pipe as a whole.
  virtual PipeProperties get_pipe_properties(const std::optional<TcpConnection>& connection, PipeId pipe) const = 0;
  /// Ties pipes to the connection that came later. Returns those that are new to it.
  virtual std::vector<PipeId> employ_pipes(const TcpConnection& connection, std::span<const PipeId> pipes) = 0;
  /// The connection does without these from now on. Returns those that it had.
  virtual std::vector<PipeId> withdraw_pipes(const TcpConnection& connection, std::span<const PipeId> pipes) = 0;
  /// Those that the connection shall use; the others are withdrawn.
  virtual std::vector<PipeId> select_pipes(const TcpConnection& connection, std::span<const PipeId> pipes) = 0;
  virtual void send_mp_packet(Bytes packet, const TcpConnection& connection, PipeId pipe) = 0;
  /// The packet that is in this one; itself if there is none.
  virtual Bytes check_encapsulation(Bytes packet) const = 0;
};

}  // namespace tributary::bonding
