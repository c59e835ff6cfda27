#include "relay/refused_networks.hh"

namespace tributary {

std::vector<std::string> refused_networks(bool public_only) {
  std::vector<std::string> networks{
      // RFC 6890. Clouds answer at 169.254.169.254, and some at addresses of IPv6 that are not of the link.
      "0.0.0.0/8", "127.0.0.0/8",       "169.254.0.0/16", "224.0.0.0/4", "240.0.0.0/4",  //
      "::/127",    "::ffff:0.0.0.0/96", "fe80::/10",      "ff00::/8",    "fd00:ec2::254/128", "fd20:ce::254/128"};
  if (public_only)
    networks.insert(networks.end(), {"10.0.0.0/8", "100.64.0.0/10", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7"});
  return networks;
}

}  // namespace tributary
