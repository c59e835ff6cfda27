#include "bonding/stage/connection_handler.hh"

#include <algorithm>

namespace tributary::bonding {
namespace {

// Of connections whose end was not seen, and of those that were never confirmed: after as long as that, RFC 5382 lets a NAT
// forget them.
constexpr Duration kSilence = std::chrono::minutes{124}, kUnconfirmed = std::chrono::minutes{4};

}  // namespace

bool ConnectionHandler::has_room(TimePoint now) {
  if (connections_.size() < options_.most_connections) return true;
  for (auto each = connections_.begin(); each != connections_.end();) {
    const Duration silence = each->second.active ? kSilence : kUnconfirmed;
    each = now - each->second.last_packet >= silence ? close(each) : std::next(each);
  }
  return connections_.size() < options_.most_connections;
}

void ConnectionHandler::requested(const TcpConnection& id, Heading heading, TimePoint now) {
  if (const auto known = connections_.find(id); known != connections_.end()) {
    if (!known->second.active && known->second.requested == heading) return;  // it is asked once more
    close(known);                                                             // the ports are used anew
  }
  if (!has_room(now)) return;
  const std::vector<PipeId> selected = pipes_.select_pipes(id, pipes_.find_pipes(id, id.receiver));
  Connection& connection = connections_[id];
  connection.requested = heading;
  connection.last_packet = now;
  connection.processor = make_processor(options_.processor);
  for (const PipeId pipe : selected) employ(id, connection, pipe);
}

void ConnectionHandler::confirmed(const TcpConnection& id, Heading heading) {
  const auto found = connections_.find(id);
  if (found != connections_.end() && found->second.requested != heading) found->second.active = true;
}

void ConnectionHandler::released(const TcpConnection& id, const TcpPacket& packet, Heading heading) {
  const auto found = connections_.find(id);
  if (found == connections_.end()) return;
  Connection& connection = found->second;
  (heading == Heading::kToReceiver ? connection.sender_has_ended : connection.receiver_has_ended) = true;
  if (packet.rst || (connection.sender_has_ended && connection.receiver_has_ended)) close(found);
}

ConnectionHandler::Connection* ConnectionHandler::active(const TcpConnection& id, TimePoint now) {
  const auto found = connections_.find(id);
  if (found == connections_.end() || !found->second.active || found->second.pipes.empty()) return nullptr;
  found->second.last_packet = now;
  return &found->second;
}

void ConnectionHandler::employ(const TcpConnection& id, Connection& connection, PipeId pipe) {
  connection.pipes.push_back(pipe);
  connection.processor->employ({pipe, pipes_.get_pipe_properties(id, pipe).round_trip});
}

void ConnectionHandler::employ(PipeId pipe) {
  for (auto& [id, connection] : connections_) {
    const std::vector<PipeId> before = connection.pipes;
    pipes_.employ_pipes(id, std::span{&pipe, 1});
    std::vector<PipeId> all = before;
    all.push_back(pipe);
    const std::vector<PipeId> selected = pipes_.select_pipes(id, all);
    for (const PipeId each : selected) {
      if (std::ranges::find(before, each) == before.end()) employ(id, connection, each);
    }
    for (const PipeId each : before) {
      if (std::ranges::find(selected, each) != selected.end()) continue;
      std::erase(connection.pipes, each);
      connection.processor->withdraw(each);
    }
  }
}

void ConnectionHandler::withdraw(PipeId pipe) {
  for (auto& [id, connection] : connections_) {
    pipes_.withdraw_pipes(id, std::span{&pipe, 1});
    if (std::erase(connection.pipes, pipe) == 1) connection.processor->withdraw(pipe);
  }
}

ConnectionHandler::Connections::iterator ConnectionHandler::close(Connections::iterator connection) {
  pipes_.withdraw_pipes(connection->first, connection->second.pipes);
  return connections_.erase(connection);
}

}  // namespace tributary::bonding
