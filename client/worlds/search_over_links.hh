#pragma once

#include <functional>
#include <string>
#include <vector>

#include "transport/connections/curl_loop.hh"
#include "transport/connections/link_rules.hh"
#include "worlds/discovery/first_link.hh"
#include "worlds/found_presentation.hh"

namespace tributary {

/// An attempt over a link, by connections in the loop that follow these rules.
using MakeAttempt = std::function<Attempt(transport::CurlLoop& loop, const transport::LinkRules& rules)>;

/// Makes attempts over the links of a search, as over_first_link() does, until one brings its answer. `addresses`: of the
/// origin of `url`. `looks_again`: attempts are also called while nothing comes. Throws NoLinkWorked.
void over_links(const PresentationSearch& search, const std::vector<std::string>& addresses, const std::string& url,
                bool looks_again, const MakeAttempt& make);

}  // namespace tributary
