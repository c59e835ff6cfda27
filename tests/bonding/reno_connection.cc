#include "reno_connection.hh"

namespace tributary::bonding::testing {
namespace {

constexpr std::array<std::byte, 4> kServer{std::byte{192}, std::byte{0}, std::byte{2}, std::byte{2}};
constexpr std::size_t kAcknowledgement = 52;

}  // namespace

RenoConnection::RenoConnection(SimulatedTunnel& tunnel, DataSize packet)
    : tunnel_{tunnel}, packet_size_{static_cast<std::uint64_t>(packet.bytes())}, sender_{packet, tunnel.now} {
  tunnel_.client_got = [this](const Bytes& bytes) { client_got(number_of(bytes)); };
  tunnel_.relay_got = [this](const Bytes& bytes) { acknowledged(number_of(bytes)); };
  tunnel_.at(tunnel_.now, [this] { send(); });
  tunnel_.at(sender_.next_deadline(), [this] { look_for_time_out(); });
}

DataRate RenoConnection::run_until(TimePoint end) {
  const TimePoint begin = tunnel_.now;
  const DataSize before = receiver_.in_order();
  tunnel_.run_until(end);
  return (receiver_.in_order() - before) / (end - begin);
}

void RenoConnection::send() {
  const auto to = tunnel_.client.assignment()->ipv4;
  for (const RenoSender::Segment& segment : sender_.take_segments(tunnel_.now)) {
    const auto number = static_cast<std::uint32_t>(segment.sequence / packet_size_);
    tunnel_.relay.packet(numbered_packet(number, kServer, to, segment.length), tunnel_.now);
  }
}

void RenoConnection::client_got(std::uint32_t number) {
  const std::uint64_t next =
      receiver_.got({.sequence = number * packet_size_, .length = static_cast<std::uint32_t>(packet_size_)});
  const auto from = tunnel_.client.assignment()->ipv4;
  tunnel_.client.packet(
      numbered_packet(static_cast<std::uint32_t>(next / packet_size_), from, kServer, kAcknowledgement), tunnel_.now);
}

void RenoConnection::acknowledged(std::uint32_t next_expected) {
  sender_.acknowledged(next_expected * packet_size_, tunnel_.now);
  send();
}

void RenoConnection::look_for_time_out() {
  sender_.wake(tunnel_.now);
  send();
  tunnel_.at(sender_.next_deadline(), [this] { look_for_time_out(); });
}

}  // namespace tributary::bonding::testing
