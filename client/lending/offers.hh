#pragma once

#include <span>
#include <vector>

#include "units/data_rate.hh"
#include "units/session_clock.hh"

namespace tributary::lending {

/// Somebody who wants to borrow.
struct Borrower {
  double lent = 0;  // bytes that it brought us lately, as we counted them (LentBytes)
  DataRate wanted;  // that it would use
};

/// How a lender divides a rate among borrowers, in their order: in proportion to what each has lent, so that whoever lends
/// more gets more while there is not enough for all (MC², section on incentives: w_ij = O_ji / sum of O_ki, O_ij = w_ij
/// O_i). Nobody gets more than it wants; what is left goes to the others, and last, in equal parts, to those who have lent
/// nothing. While nobody has lent anything, all are equal. What a member says of its own uplink counts for nothing.
std::vector<DataRate> divide(DataRate rate, std::span<const Borrower> borrowers);

/// What one member has lent us: bytes that came, of which half count after kHalfLife.
class LentBytes {
 public:
  static constexpr Duration kHalfLife = std::chrono::minutes{30};

  void came(double bytes, TimePoint now);
  double at(TimePoint now) const;

 private:
  double bytes_ = 0;
  TimePoint counted_at_{};
};

}  // namespace tributary::lending
