#pragma once

#include <memory>
#include <string>

#include "units/data_size.hh"
#include "worlds/accounts/link_terms.hh"

namespace tributary {

/// What was taken of a cap.
struct Grant {
  DataSize size;
  std::string why_not_more{};  // where it is less than was wanted
  DataSize used{};             // in all since the last reset day, this included
};

/// The bytes that one session takes of a link, before it requests them. What was taken counts as used, until it is given back.
class LinkLease {
 public:
  virtual ~LinkLease() = default;
  /// At most `wanted` more bytes, as far as the cap allows; none where that cannot be known.
  virtual Grant take(DataSize wanted) = 0;
  /// So much of what was taken is not requested yet. To be told before a request is sent: whoever settles the account of a program
  /// that was killed believes it.
  virtual void not_requested(DataSize size) = 0;
  /// The end: so much of what was taken has not come, and will not.
  virtual void give_back(DataSize unused) = 0;
};

/// Counts what is used of links, beyond one session, so that what several programs use at once is never more than a cap.
class LinkBudget {
 public:
  virtual ~LinkBudget() = default;
  /// The budget must outlive it.
  virtual std::unique_ptr<LinkLease> lease(const std::string& link, const LinkTerms& terms) = 0;
};

}  // namespace tributary
