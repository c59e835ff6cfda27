#include "worlds/discovery/connect_ahead.hh"

#include "links/link_catalogue.hh"

namespace tributary {

void connect_ahead(transport::Preconnections& connections, const std::vector<std::string>& addresses,
                   const std::vector<std::string>& only, const UseOfLink& use, const transport::LinkRules& rules) {
  for (const LinkChangeNotice& notice : watch_links(rules.catalogue.get(), addresses, only)->poll()) {
    if (notice.usable && use(notice.link.name) == LinkUse::kUse) connections.begin(rules.over(notice.link.name));
  }
}

}  // namespace tributary
