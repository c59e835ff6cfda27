#pragma once

#include <functional>
#include <map>

#include "bonding/stage/pipes_adapter.hh"

namespace tributary::bonding {

/// Pipes that are links of this machine, each with the round trip that is known of it beforehand. Each leads to every receiver, and takes
/// packets as they are.
class LinkPipes final : public PipesAdapter {
 public:
  struct Options {
    std::vector<Duration> round_trips;  // of each link; its place is its number
    /// Only links whose round trip is longer by this at most than the shortest one. Nothing: all.
    std::optional<Duration> close_within;
    /// Sends over the link.
    std::function<void(PipeId pipe, Bytes packet)> send;
  };
  explicit LinkPipes(Options options);

  /// All links are up at first.
  void set_up(PipeId link, bool up);

  std::vector<PipeId> find_pipes(const TcpConnection& connection, const PeerAddress& destination) override;
  PipeProperties get_pipe_properties(const std::optional<TcpConnection>& connection, PipeId pipe) const override;
  std::vector<PipeId> employ_pipes(const TcpConnection& connection, std::span<const PipeId> pipes) override;
  std::vector<PipeId> withdraw_pipes(const TcpConnection& connection, std::span<const PipeId> pipes) override;
  std::vector<PipeId> select_pipes(const TcpConnection& connection, std::span<const PipeId> pipes) override;
  void send_mp_packet(Bytes packet, const TcpConnection& connection, PipeId pipe) override;
  Bytes check_encapsulation(Bytes packet) const override { return packet; }

 private:
  struct Link {
    Duration round_trip;
    bool up = true;
    DataSize sent{};
  };
  const Link& link(PipeId pipe) const { return links_.at(static_cast<std::size_t>(pipe)); }
  Link& link(PipeId pipe) { return links_.at(static_cast<std::size_t>(pipe)); }

  Options options_;
  std::vector<Link> links_;
  std::map<TcpConnection, std::map<PipeId, DataSize>> sent_;  // by connections over the pipes that are tied to them
};

}  // namespace tributary::bonding
