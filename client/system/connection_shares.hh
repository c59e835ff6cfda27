#pragma once

#include <algorithm>
#include <cstddef>

namespace tributary {

/// Decides how many TCP connections each client may have open, since file descriptors are few. A client may have a quarter of
/// those that it leaves to the others: one alone gets a fifth of all, and some are always left for the next.
class ConnectionShares {
 public:
  /// Files for all that is no client's connection.
  static constexpr std::size_t kReserved = 128;

  /// `descriptors`: the most that the process may have open.
  explicit ConnectionShares(std::size_t descriptors) : most_{descriptors - std::min(descriptors, kReserved)} {}

  /// `own`: those of the client that wants one more. `all`: of all clients.
  bool allow(std::size_t own, std::size_t all) const { return leaves(all) && own < (most_ - all + 3) / 4; }
  /// There is one more left, where all are one client's.
  bool leaves(std::size_t all) const { return all < most_; }

 private:
  std::size_t most_;
};

}  // namespace tributary
