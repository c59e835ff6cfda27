#include "bonding/stage/link_pipes.hh"

#include <algorithm>
#include <utility>

namespace tributary::bonding {

LinkPipes::LinkPipes(Options options) : options_{std::move(options)} {
  for (const Duration round_trip : options_.round_trips) links_.push_back({.round_trip = round_trip});
}

void LinkPipes::set_up(PipeId pipe, bool up) { link(pipe).up = up; }

std::vector<PipeId> LinkPipes::find_pipes(const TcpConnection& connection, const PeerAddress& /*destination*/) {
  std::vector<PipeId> found;
  for (std::size_t i = 0; i < links_.size(); ++i) {
    if (links_[i].up) found.push_back(static_cast<PipeId>(i));
  }
  return employ_pipes(connection, found);
}

PipeProperties LinkPipes::get_pipe_properties(const std::optional<TcpConnection>& connection, PipeId pipe) const {
  PipeProperties properties{.round_trip = link(pipe).round_trip, .sent = link(pipe).sent};
  if (!connection) return properties;
  const auto of_connection = sent_.find(*connection);
  properties.sent = {};
  if (of_connection == sent_.end()) return properties;
  if (const auto sent = of_connection->second.find(pipe); sent != of_connection->second.end())
    properties.sent = sent->second;
  return properties;
}

std::vector<PipeId> LinkPipes::employ_pipes(const TcpConnection& connection, std::span<const PipeId> pipes) {
  std::vector<PipeId> added;
  for (const PipeId pipe : pipes) {
    if (sent_[connection].emplace(pipe, DataSize{}).second) added.push_back(pipe);
  }
  return added;
}

std::vector<PipeId> LinkPipes::withdraw_pipes(const TcpConnection& connection, std::span<const PipeId> pipes) {
  std::vector<PipeId> withdrawn;
  const auto of_connection = sent_.find(connection);
  if (of_connection == sent_.end()) return withdrawn;
  for (const PipeId pipe : pipes) {
    if (of_connection->second.erase(pipe) == 1) withdrawn.push_back(pipe);
  }
  if (of_connection->second.empty()) sent_.erase(of_connection);
  return withdrawn;
}

std::vector<PipeId> LinkPipes::select_pipes(const TcpConnection& connection, std::span<const PipeId> pipes) {
  if (pipes.empty() || !options_.close_within) return {pipes.begin(), pipes.end()};
  const auto round_trip = [this](PipeId pipe) { return link(pipe).round_trip; };
  const Duration longest = round_trip(std::ranges::min(pipes, {}, round_trip)) + *options_.close_within;
  std::vector<PipeId> near, far;
  for (const PipeId pipe : pipes) (round_trip(pipe) <= longest ? near : far).push_back(pipe);
  withdraw_pipes(connection, far);
  return near;
}

void LinkPipes::send_mp_packet(Bytes packet, const TcpConnection& connection, PipeId pipe) {
  const DataSize size{static_cast<std::int64_t>(packet.size())};
  link(pipe).sent += size;
  if (const auto of_connection = sent_.find(connection); of_connection != sent_.end()) {
    if (const auto sent = of_connection->second.find(pipe); sent != of_connection->second.end()) sent->second += size;
  }
  options_.send(pipe, std::move(packet));
}

}  // namespace tributary::bonding
