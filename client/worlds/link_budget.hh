#pragma once

#include <string>

#include "units/data_size.hh"
#include "worlds/link_terms.hh"

namespace tributary {

/// What was taken of a cap.
struct Grant {
  DataSize size;
  std::string why_not_more{};  // where it is less than was wanted
};

/// Counts what is used of links, beyond one session. Bytes are taken before they are requested, so that what several programs use
/// at once is never more than a cap; what was taken and not used is given back.
class LinkBudget {
 public:
  virtual ~LinkBudget() = default;
  /// At most `wanted` bytes, as far as the cap allows; none where that cannot be known.
  virtual Grant take(const std::string& link, const LinkTerms& terms, DataSize wanted) = 0;
  virtual void give_back(const std::string& link, const LinkTerms& terms, DataSize unused) = 0;
};

}  // namespace tributary
