#include "transport/connections/link_rules.hh"

#include "links/link_catalogue.hh"
#include "transport/connections/origin.hh"

namespace tributary::transport {

Way LinkRules::way(const Origin& origin) const {
  return catalogue ? catalogue->way(link, origin.url()) : Way{.device = link};
}

}  // namespace tributary::transport
