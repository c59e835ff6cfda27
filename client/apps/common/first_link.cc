#include "apps/common/first_link.hh"

#include <fmt/format.h>

#include "links/netlink_link_monitor.hh"
#include "transport/document_fetch.hh"
#include "transport/origin.hh"

namespace tributary {

void over_first_link(const std::string& url, const std::vector<std::string>& addresses,
                     const std::vector<std::string>& only,
                     const std::function<void(const std::string& link)>& fetch) {
  std::string tried;
  FailureReason reason = FailureReason::kNoRoute;
  for (const LinkChangeNotice& notice : NetlinkLinkMonitor{addresses, only}.poll()) {
    if (!notice.usable) {
      tried += fmt::format("\n  {}: {}", notice.link.name, notice.why);
      continue;
    }
    try {
      return fetch(notice.link.name);
    } catch (const transport::FetchError& error) {
      tried += fmt::format("\n  {}", error.what());
      reason = error.reason;
    }
  }
  if (tried.empty()) {
    tried = "\n  no link has carrier, an address and a route to " + transport::parse_url(url).origin.url();
  }
  throw NoLinkWorked{reason, fmt::format("cannot fetch {}:{}", url, tried)};
}

}  // namespace tributary
