#include "worlds/first_link.hh"

#include <fmt/format.h>

#include <array>
#include <vector>

#include "transport/document_fetch.hh"
#include "transport/origin.hh"
#include "units/redacted_url.hh"

namespace tributary {

void over_first_link(const std::string& url, LinkMonitor& monitor, const UseOfLink& use,
                     const std::function<void(const std::string& link)>& fetch) {
  std::string tried;
  std::array<std::vector<std::string>, 2> usable;
  for (const LinkChangeNotice& notice : monitor.poll()) {
    const LinkUse wanted = use(notice.link.name);
    if (!notice.usable) {
      tried += fmt::format("\n  {}: {}", notice.link.name, notice.why);
    } else if (wanted == LinkUse::kDoNotUse) {
      tried += fmt::format("\n  {}: switched off by the user", notice.link.name);
    } else {
      usable[wanted == LinkUse::kUse ? 0 : 1].push_back(notice.link.name);
    }
  }
  FailureReason reason = FailureReason::kNoRoute;
  bool asked = false;
  for (const auto& links : usable) {
    for (const std::string& link : links) {
      try {
        return fetch(link);
      } catch (const transport::FetchError& error) {
        tried += fmt::format("\n  {}", error.what());
        reason = error.reason;
        asked = true;
      }
    }
  }
  if (tried.empty()) {
    tried = "\n  no link has carrier, an address and a route to " + transport::parse_url(url).origin.url();
  }
  throw NoLinkWorked{reason, asked, fmt::format("cannot fetch {}:{}", redacted(url), tried)};
}

}  // namespace tributary
