#pragma once

#include <boost/asio/ip/address.hpp>
#include <span>

#include "units/text/ip_address.hh"

namespace tributary::lending {

/// IPv4 addresses stay what they are on a socket of both families.
inline IpAddress ip_of(const boost::asio::ip::address& address) {
  namespace ip = boost::asio::ip;
  if (address.is_v6() && !address.to_v6().is_v4_mapped()) {
    const auto bytes_of_6 = address.to_v6().to_bytes();
    return IpAddress{std::as_bytes(std::span{bytes_of_6})};
  }
  const auto bytes =
      address.is_v4() ? address.to_v4().to_bytes() : ip::make_address_v4(ip::v4_mapped, address.to_v6()).to_bytes();
  return IpAddress{std::as_bytes(std::span{bytes})};
}

}  // namespace tributary::lending
