#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "core/costs/link_cost.hh"
#include "core/links/link_use.hh"

namespace tributary {

/// The terms of using a link, as its user gives them.
struct LinkTerms {
  CostKind kind = CostKind::kFree;
  double price_per_mb = 0;        // of 1000000 bytes
  std::optional<DataSize> cap{};  // bytes from one reset day to the next
  int reset_day = 1;              // of the month; in shorter months the last day

  bool operator==(const LinkTerms&) const = default;
};

using TermsOfLinks = std::map<std::string, LinkTerms>;  // by name; other links are free
using TermsOfLink = std::function<LinkTerms(const std::string& link)>;
TermsOfLink terms_from(TermsOfLinks terms);

/// The use of links for what any single link can bring, as a document: one that costs something comes last.
UseOfLink free_links_first(UseOfLink use, TermsOfLink terms);

/// Reads "free", "backup", "metered", "metered:500MB", "metered:500MB@5th", "paid:0.01/MB". Throws
/// std::invalid_argument that quotes the wrong part and names the expected form.
LinkTerms parse_terms(std::string_view text);

}  // namespace tributary
