#include "links/interfaces/network_name.hh"

#include "links/interfaces/link_snapshot.hh"

namespace tributary {

std::string network_of(const std::string& link, const std::vector<std::string>& origin_addresses) {
  const LinkStates states = LinkSnapshot{origin_addresses}.take();
  const auto found = states.find(link);
  if (found == states.end()) return link;
  const std::string& gateway =
      found->second.ipv4.gateway.empty() ? found->second.ipv6.gateway : found->second.ipv4.gateway;
  return gateway.empty() ? link : link + " via " + gateway;
}

}  // namespace tributary
