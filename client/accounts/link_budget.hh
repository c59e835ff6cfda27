#pragma once

#include <memory>
#include <string>

#include "accounts/link_terms.hh"
#include "units/data_size.hh"

namespace tributary {

/// Bytes that were taken of a cap.
struct Grant {
  DataSize size;
  std::string why_not_more{};  // if less than wanted
  DataSize used{};             // in all since the last reset day, including this grant
};

/// The bytes that one session takes of a link's cap before it requests them. Taken bytes count as used until they are
/// given back.
class LinkLease {
 public:
  virtual ~LinkLease() = default;
  /// Takes at most `wanted` more bytes, as far as the cap allows; none if the used bytes are unknown.
  virtual Grant take(DataSize wanted) = 0;
  /// Of the taken bytes, `size` are not requested yet. To be called before a request is sent, because the account of a
  /// killed program is settled by this number.
  virtual void not_requested(DataSize size) = 0;
  /// Ends the lease: of the taken bytes, `unused` have not come and will not come.
  virtual void give_back(DataSize unused) = 0;
};

/// Counts the bytes used of links beyond one session, so that several programs together never use more than a cap.
class LinkBudget {
 public:
  virtual ~LinkBudget() = default;
  /// The budget must outlive the lease.
  virtual std::unique_ptr<LinkLease> lease(const std::string& link, const LinkTerms& terms) = 0;
};

}  // namespace tributary
