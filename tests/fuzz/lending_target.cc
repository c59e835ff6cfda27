// What strangers and members send to a lender, and a lender to its members: no text does more than be refused, and what is read
// is what its reader says of it. No address that is reached leads to this machine or its neighbours.
#include <netinet/in.h>

#include <cstring>
#include <string>

#include "fuzz_target.hh"
#include "lending/identity/lender_status.hh"
#include "lending/identity/pairing_text.hh"
#include "lending/identity/peers.hh"
#include "lending/reachable.hh"
#include "transport/sockets/public_address.hh"
#include "units/text/host.hh"

using tributary::fuzz::require;

namespace tributary::lending {
namespace {

void read_pairing(std::string_view text) {
  if (const auto begin = read_pairing_begin(text)) {
    require(is_peer_name(begin->name));
    require(read_pairing_begin(text_of(*begin)).has_value());
    Pairing lender{Pairing::Side::kLender, "123456", {}, begin->session};
    if (lender.take_share(begin->share)) require(!lender.is_proved_by(Pairing::Proof{}));
  }
  if (const auto answer = read_pairing_answer(text)) require(is_peer_name(answer->name));
  (void)read_proof(text);
}

void read_status(std::string_view text) {
  const auto status = read_status_line(text);
  if (!status) return;
  const std::string line = status_line(*status);
  require(line.find('\n') == std::string::npos);
  if (status->left) require(*status->left >= DataSize{});
}

void reach(std::string_view text) {
  static const Reachable reachable;
  static const Reachable::Here here{{*IpAddress::from("203.0.113.9")}, {IpNetwork::from("203.0.113.0/24")}};
  const auto split = split_host(text);
  if (!split) return;
  const auto address = transport::parse_address(std::string{split->host});
  if (!address) return;
  const auto& raw = reinterpret_cast<const sockaddr&>(*address);
  if (!reachable.obstacle(raw, here).empty()) return;
  require(transport::is_public(raw));
  const auto meant = transport::address_meant(raw);
  require(meant && transport::is_public(reinterpret_cast<const sockaddr&>(*meant)));
  require(transport::text_of(reinterpret_cast<const sockaddr&>(*meant)) != "203.0.113.9");
}

/// The bytes as an address of IPv6.
void reach_bytes(std::string_view text) {
  static const Reachable reachable;
  static const Reachable::Here here{{*IpAddress::from("9.9.9.9")}, {}};
  sockaddr_in6 address{};
  if (text.size() < sizeof address.sin6_addr) return;
  address.sin6_family = AF_INET6;
  std::memcpy(&address.sin6_addr, text.data(), sizeof address.sin6_addr);
  const auto& raw = reinterpret_cast<const sockaddr&>(address);
  if (!reachable.obstacle(raw, here).empty()) return;
  require(!IN6_IS_ADDR_LOOPBACK(&address.sin6_addr) && !IN6_IS_ADDR_LINKLOCAL(&address.sin6_addr));
  require(!IN6_IS_ADDR_V4MAPPED(&address.sin6_addr) || address.sin6_addr.s6_addr[12] != 127);
}

}  // namespace
}  // namespace tributary::lending

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text{reinterpret_cast<const char*>(data), size};
  tributary::lending::read_pairing(text);
  tributary::lending::read_status(text);
  tributary::lending::reach(text);
  tributary::lending::reach_bytes(text);
  return 0;
}
