#include "bonding/stage/inner_stage.hh"

#include <algorithm>
#include <utility>

namespace tributary::bonding {
namespace {

Decision passed(TimePoint now) { return {{.pipe = std::nullopt, .at = now}}; }

}  // namespace

InnerStage::InnerStage(Options options, PipesAdapter& pipes)
    : ports_{std::move(options.ports)}, pipes_{pipes}, connections_{std::move(options.connections), pipes} {}

bool InnerStage::is_admitted(const TcpPacket& packet) const {
  const auto is_wanted = [this](std::uint16_t port) { return std::ranges::find(ports_, port) != ports_.end(); };
  return ports_.empty() || is_wanted(packet.source.port) || is_wanted(packet.destination.port);
}

void InnerStage::packet(Bytes captured, Heading heading, TimePoint now) {
  Bytes bytes = pipes_.check_encapsulation(std::move(captured));
  const auto packet = TcpPacket::read(bytes);
  if (!packet || !is_admitted(*packet)) return passed_.push_back(std::move(bytes));
  const TcpConnection connection = packet->connection(heading);
  for (const Delivery& delivery : decision(*packet, heading, now)) {
    if (delivery.at > now) {
      delayed_.emplace(delivery.at, Delayed{connection, delivery.pipe, bytes});
    } else {
      deliver(bytes, connection, delivery.pipe);
    }
  }
}

Decision InnerStage::decision(const TcpPacket& packet, Heading heading, TimePoint now) {
  const TcpConnection connection = packet.connection(heading);
  switch (class_of(packet, heading)) {
    case PacketClass::kRequest:
      connections_.requested(connection, heading, now);
      return passed(now);
    case PacketClass::kConfirmation:
      connections_.confirmed(connection, heading);
      return passed(now);
    case PacketClass::kRelease: {
      Decision decision = processed(packet, heading, now);
      connections_.released(connection, packet, heading);
      return decision;
    }
    case PacketClass::kData:
    case PacketClass::kAcknowledgment:
      return processed(packet, heading, now);
    case PacketClass::kOther:
      break;
  }
  return passed(now);
}

/// The last byte of a stream, FIN, has a number as the others.
Decision InnerStage::processed(const TcpPacket& packet, Heading heading, TimePoint now) {
  ConnectionHandler::Connection* connection = connections_.active(packet.connection(heading), now);
  const std::uint32_t length = packet.length + (packet.fin ? 1 : 0);
  if (connection == nullptr || (heading == Heading::kToReceiver && (packet.rst || length == 0)) || !packet.ack)
    return passed(now);
  if (heading == Heading::kToReceiver) return connection->processor->data({packet.sequence, length}, now);
  return connection->processor->acknowledgment({.number = packet.acknowledgment,
                                                .window = packet.window,
                                                .carries_more = packet.length > 0 || packet.fin || packet.rst},
                                               now);
}

void InnerStage::deliver(Bytes packet, const TcpConnection& connection, std::optional<PipeId> pipe) {
  if (pipe) {
    pipes_.send_mp_packet(std::move(packet), connection, *pipe);
  } else {
    passed_.push_back(std::move(packet));
  }
}

std::vector<Bytes> InnerStage::take_passed() { return std::exchange(passed_, {}); }

TimePoint InnerStage::next_deadline() const { return delayed_.empty() ? TimePoint::max() : delayed_.begin()->first; }

void InnerStage::wake(TimePoint now) {
  while (next_deadline() <= now) {
    Delayed due = std::move(delayed_.begin()->second);
    delayed_.erase(delayed_.begin());
    deliver(std::move(due.packet), due.connection, due.pipe);
  }
}

}  // namespace tributary::bonding
