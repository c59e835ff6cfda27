#include "simulated_crowd.hh"

#include <algorithm>

namespace tributary::bonding::testing {
namespace {

constexpr Duration kStep = std::chrono::milliseconds{10};

PeerAddress address_of(std::size_t program) {
  return {{static_cast<std::byte>(program >> 8), static_cast<std::byte>(program)}, 7000};
}
std::size_t program_at(const PeerAddress& address) {
  return std::to_integer<std::size_t>(address.address[0]) << 8 | std::to_integer<std::size_t>(address.address[1]);
}

std::vector<ClientIdentity> clients_of(const RelayIdentity& relay, std::size_t count) {
  std::vector<ClientIdentity> made;
  for (std::size_t i = 0; i < count; ++i) made.push_back(relay.new_client());
  return made;
}

ClientList list_of(const std::vector<ClientIdentity>& identities) {
  ClientList list;
  for (const ClientIdentity& identity : identities) list.emplace(identity.own.public_key(), "client");
  return list;
}

}  // namespace

SimulatedCrowd::SimulatedCrowd(std::size_t clients)
    : identities_{clients_of(relay_identity, clients)},
      relay{{.identity = relay_identity, .clients = list_of(identities_)}} {}

ClientEnd& SimulatedCrowd::begin(std::size_t client) {
  ClientEnd& program = programs_.emplace_back(identities_[client], BondingOptions{});
  program.link_up(PathId{0}, now);
  return program;
}

ClientList SimulatedCrowd::list_without(std::size_t client) const {
  ClientList list = list_of(identities_);
  list.erase(identities_[client].own.public_key());
  return list;
}

std::size_t SimulatedCrowd::connected() const {
  return static_cast<std::size_t>(
      std::ranges::count_if(programs_, [](const ClientEnd& program) { return program.assignment().has_value(); }));
}

/// False: nobody had anything to say.
bool SimulatedCrowd::exchange() {
  bool any = false;
  for (std::size_t i = 0; i < programs_.size(); ++i) {
    for (const OutgoingDatagram& datagram : programs_[i].take_datagrams()) {
      any = true;
      if (records) recorded.emplace_back(address_of(i), datagram.bytes);
      relay.datagram(address_of(i), datagram.bytes, now);
    }
  }
  for (const OutgoingDatagram& datagram : relay.take_datagrams()) {
    any = true;
    const std::size_t program = program_at(datagram.to);
    if (program < programs_.size()) programs_[program].datagram(PathId{0}, datagram.bytes, now);
  }
  return any;
}

void SimulatedCrowd::run_until(TimePoint end) {
  for (; now < end; now += kStep) {
    for (ClientEnd& program : programs_) {
      if (program.next_deadline() <= now) program.wake(now);
    }
    relay.wake(now);
    while (exchange()) {
    }
  }
}

}  // namespace tributary::bonding::testing
