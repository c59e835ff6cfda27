#pragma once

#include <string>
#include <vector>

#include "transport/connections/link_rules.hh"

namespace tributary {

/// The address of the file that a check of `url` measures. If `url` is a manifest of any kind, that is the file with the
/// largest segment of the highest quality: rates of a small file say little. Otherwise it is `url` itself.
///
/// Asks these links, one after the other, until one brings a manifest that can be read: a link may lead to a login page.
/// `rules` are those of each link. No failure is told here: the check itself meets it again.
std::string object_to_check(const std::string& url, const std::vector<std::string>& links,
                            const transport::LinkRules& rules);

}  // namespace tributary
