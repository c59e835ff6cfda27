#include "transport/connections/public_address.hh"

#include <arpa/inet.h>
#include <netinet/in.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <span>

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

bool is_public6(std::span<const std::uint8_t, 16> a) {
  const auto last4 = [&] { return ip(a[12], a[13], a[14], a[15]); };
  const bool zeros = std::all_of(a.begin(), a.begin() + 10, [](std::uint8_t byte) { return byte == 0; });
  if (zeros && a[10] == 0xff && a[11] == 0xff) return is_public4(last4());
  if (zeros && a[10] == 0 && a[11] == 0) return false;  // unspecified, loopback, and what was IPv4-compatible once
  constexpr std::array<std::uint8_t, 12> kNat64{0, 0x64, 0xff, 0x9b};
  if (std::equal(kNat64.begin(), kNat64.end(), a.begin())) return is_public4(last4());
  if (a[0] == 0x20 && a[1] == 0x02) return is_public4(ip(a[2], a[3], a[4], a[5]));  // 6to4
  return (a[0] & 0xe0) == 0x20;                                                     // global unicast, 2000::/3
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
  in_addr v4{};
  if (inet_pton(AF_INET, address.c_str(), &v4) == 1) return is_public4(ntohl(v4.s_addr));
  in6_addr v6{};
  return inet_pton(AF_INET6, address.c_str(), &v6) == 1 && is_public6(std::span<const std::uint8_t, 16>{v6.s6_addr});
}

}  // namespace tributary::transport
