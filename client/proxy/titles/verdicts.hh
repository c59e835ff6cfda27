#pragma once

#include <optional>
#include <string>
#include <vector>

#include "proxy/leading/leading.hh"
#include "proxy/titles/documents.hh"

namespace tributary::proxy {

/// What follows for a doubt: nothing, or why files of one decoder cannot stand for those of the other.
struct Verdict {
  Leading::Doubt doubt;
  std::optional<std::string> why_not;
};

/// Fetches init segments and the beginnings of segments, and looks at them (interchangeable.hh). Doubts of which these
/// cannot be had are left out. Waits, in a thread of `documents`.
std::vector<Verdict> verdicts_on(std::vector<Leading::Doubt> doubts, const Documents& documents,
                                 const LinkWishes& wishes);

}  // namespace tributary::proxy
