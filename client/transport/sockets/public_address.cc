#include "transport/sockets/public_address.hh"

#include <netdb.h>
#include <netinet/in.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>

#include "units/text/ip_address.hh"

namespace tributary::transport {
namespace {

struct Range4 {
  std::uint32_t begin;
  int bits;
};

constexpr std::uint32_t ip(std::uint32_t a, std::uint32_t b, std::uint32_t c, std::uint32_t d) {
  return a << 24 | b << 16 | c << 8 | d;
}

constexpr std::array<Range4, 11> kNotPublic{{{ip(0, 0, 0, 0), 8},
                                             {ip(10, 0, 0, 0), 8},
                                             {ip(100, 64, 0, 0), 10},
                                             {ip(127, 0, 0, 0), 8},
                                             {ip(169, 254, 0, 0), 16},
                                             {ip(172, 16, 0, 0), 12},
                                             {ip(192, 0, 0, 0), 24},
                                             {ip(192, 168, 0, 0), 16},
                                             {ip(198, 18, 0, 0), 15},
                                             {ip(224, 0, 0, 0), 4},
                                             {ip(240, 0, 0, 0), 4}}};

bool is_public4(std::uint32_t address) {
  return std::ranges::none_of(kNotPublic,
                              [&](const Range4& range) { return ((address ^ range.begin) >> (32 - range.bits)) == 0; });
}

/// The IPv4 address that an IPv6 one stands for: mapped, 6to4 (RFC 3056), NAT64 (RFC 6052).
std::optional<std::uint32_t> ipv4_within(std::span<const std::uint8_t, 16> a) {
  constexpr std::array<std::uint8_t, 12> kMapped{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff}, kNat64{0, 0x64, 0xff, 0x9b};
  const auto begins_with = [&](const auto& prefix) { return std::equal(prefix.begin(), prefix.end(), a.begin()); };
  if (begins_with(kMapped) || begins_with(kNat64)) return ip(a[12], a[13], a[14], a[15]);
  if (a[0] == 0x20 && a[1] == 0x02) return ip(a[2], a[3], a[4], a[5]);
  return std::nullopt;
}

bool is_public6(std::span<const std::uint8_t, 16> a) {
  if (const auto within = ipv4_within(a)) return is_public4(*within);
  return (a[0] & 0xe0) == 0x20;  // global unicast, 2000::/3
}

}  // namespace

bool is_public(const sockaddr& address) {
  if (address.sa_family == AF_INET) {
    sockaddr_in v4{};
    std::memcpy(&v4, &address, sizeof v4);
    return is_public4(ntohl(v4.sin_addr.s_addr));
  }
  if (address.sa_family != AF_INET6) return false;
  sockaddr_in6 v6{};
  std::memcpy(&v6, &address, sizeof v6);
  return is_public6(std::span<const std::uint8_t, 16>{v6.sin6_addr.s6_addr});
}

bool is_public(const std::string& address) {
  const auto parsed = parse_address(address);
  return parsed && is_public(reinterpret_cast<const sockaddr&>(*parsed));
}

std::optional<sockaddr_storage> address_meant(const sockaddr& address) {
  sockaddr_storage meant{};
  if (address.sa_family == AF_INET) {
    std::memcpy(&meant, &address, sizeof(sockaddr_in));
    return meant;
  }
  if (address.sa_family != AF_INET6) return std::nullopt;
  std::memcpy(&meant, &address, sizeof(sockaddr_in6));
  const auto& v6 = reinterpret_cast<const sockaddr_in6&>(meant);
  if (const auto within = ipv4_within(std::span<const std::uint8_t, 16>{v6.sin6_addr.s6_addr})) {
    meant = {};
    auto& v4 = reinterpret_cast<sockaddr_in&>(meant);
    v4.sin_family = AF_INET;
    v4.sin_addr.s_addr = htonl(*within);
  }
  return meant;
}

std::optional<sockaddr_storage> parse_address(const std::string& text) {
  const auto address = IpAddress::from(text);
  if (!address) return std::nullopt;
  sockaddr_storage parsed{};
  parsed.ss_family = address->is_ipv6() ? AF_INET6 : AF_INET;
  void* const to = address->is_ipv6() ? static_cast<void*>(&reinterpret_cast<sockaddr_in6&>(parsed).sin6_addr)
                                      : &reinterpret_cast<sockaddr_in&>(parsed).sin_addr;
  std::memcpy(to, address->bytes().data(), address->bytes().size());
  return parsed;
}

std::string text_of(const sockaddr& address) {
  std::array<char, NI_MAXHOST> text{};
  const socklen_t size = address.sa_family == AF_INET ? sizeof(sockaddr_in) : sizeof(sockaddr_in6);
  (void)getnameinfo(&address, size, text.data(), text.size(), nullptr, 0, NI_NUMERICHOST);
  return text.data();
}

}  // namespace tributary::transport
