#include "units/text/ip_address.hh"

#include <arpa/inet.h>
#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <charconv>
#include <stdexcept>
#include <vector>

namespace tributary {
namespace {

/// The address whose bits behind the first ones are 0.
IpAddress first_of_network(const IpAddress& address, std::size_t length) {
  std::vector<std::byte> bytes{address.bytes().begin(), address.bytes().end()};
  for (std::size_t bit = length; bit < 8 * bytes.size(); ++bit) bytes[bit / 8] &= ~(std::byte{0x80} >> bit % 8);
  return IpAddress{bytes};
}

}  // namespace

std::optional<IpAddress> IpAddress::from(const std::string& text) {
  IpAddress address{tributary::is_ipv6(text) ? kIpv6 : kIpv4};
  const int family = address.is_ipv6() ? AF_INET6 : AF_INET;
  return inet_pton(family, text.c_str(), address.bytes_.data()) == 1 ? std::optional{address} : std::nullopt;
}

IpAddress::IpAddress(std::span<const std::byte> bytes) : size_{bytes.size()} {
  assert(size_ == kIpv4 || size_ == kIpv6);
  std::ranges::copy(bytes, bytes_.begin());
}

std::string IpAddress::text() const {
  std::array<char, INET6_ADDRSTRLEN> text{};
  inet_ntop(is_ipv6() ? AF_INET6 : AF_INET, bytes_.data(), text.data(), text.size());
  return text.data();
}

IpNetwork::IpNetwork(const IpAddress& address, std::size_t length)
    : first_{first_of_network(address, length)}, length_{length} {}

IpNetwork IpNetwork::from(const std::string& text) {
  const std::size_t slash = std::min(text.find('/'), text.size());
  const auto address = IpAddress::from(text.substr(0, slash));
  const char* const end = text.data() + text.size();
  std::size_t length = 0;
  const auto read = std::from_chars(text.data() + std::min(slash + 1, text.size()), end, length);
  if (!address || read.ec != std::errc{} || read.ptr != end || length > 8 * address->bytes().size())
    throw std::invalid_argument{fmt::format("\"{}\": expected a network, as 10.0.0.0/8 or 2001:db8::/32", text)};
  return {*address, length};
}

bool IpNetwork::has(const IpAddress& address) const {
  return address.is_ipv6() == first_.is_ipv6() &&
         std::ranges::equal(first_of_network(address, length_).bytes(), first_.bytes());
}

std::string IpNetwork::text() const { return fmt::format("{}/{}", first_.text(), length_); }

}  // namespace tributary
