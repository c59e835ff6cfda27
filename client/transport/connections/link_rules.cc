#include "transport/connections/link_rules.hh"

#include "links/link_catalogue.hh"

namespace tributary::transport {

Way LinkRules::way() const { return catalogue ? catalogue->way(link) : Way{.device = link}; }

}  // namespace tributary::transport
