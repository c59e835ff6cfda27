#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "core/costs/link_cost.hh"

namespace tributary {

/// On which terms a link may be used, as its user says it.
struct LinkTerms {
  CostKind kind = CostKind::kFree;
  double price_per_mb = 0;        // of 1000000 bytes
  std::optional<DataSize> cap{};  // so many bytes from one reset day to the next
  int reset_day = 1;              // of the month; the last day of those that are shorter

  bool operator==(const LinkTerms&) const = default;
};

using TermsOfLinks = std::map<std::string, LinkTerms>;  // by name; who is not in it is free
using TermsOfLink = std::function<LinkTerms(const std::string& link)>;
TermsOfLink terms_from(TermsOfLinks terms);

/// "free", "backup", "metered", "metered:500MB", "metered:500MB@5th", "paid:0.01/MB". Throws std::invalid_argument that quotes
/// the part that is wrong and says what is expected.
LinkTerms parse_terms(std::string_view text);

}  // namespace tributary
