#include "lending/offers.hh"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numeric>

namespace tributary::lending {
namespace {

/// Divides by weights; who wants less than its part leaves the rest to the others. Returns what is left.
double divide_by(std::span<const double> weights, std::span<const double> wanted, std::span<double> shares,
                 double rate) {
  std::vector<std::size_t> open;
  for (std::size_t i = 0; i < weights.size(); ++i)
    if (weights[i] > 0 && wanted[i] > 0) open.push_back(i);
  const auto need = [&](std::size_t i) { return wanted[i] / weights[i]; };
  std::ranges::sort(open, {}, need);
  double sum =
      std::accumulate(open.begin(), open.end(), 0.0, [&](double all, std::size_t i) { return all + weights[i]; });
  for (const std::size_t i : open) {
    shares[i] = std::min(wanted[i], rate * weights[i] / sum);
    rate -= shares[i];
    sum -= weights[i];
  }
  return std::max(rate, 0.0);
}

}  // namespace

std::vector<DataRate> divide(DataRate rate, std::span<const Borrower> borrowers) {
  std::vector<double> lent, nothing_lent, wanted, shares(borrowers.size());
  for (const Borrower& borrower : borrowers) {
    lent.push_back(borrower.lent);
    nothing_lent.push_back(borrower.lent > 0 ? 0 : 1);
    wanted.push_back(borrower.wanted.bits_per_second());
  }
  const double left = divide_by(lent, wanted, shares, rate.bits_per_second());
  divide_by(nothing_lent, wanted, shares, left);
  std::vector<DataRate> result;
  for (const double share : shares) result.push_back(DataRate::bits_per_second(share));
  return result;
}

void LentBytes::came(double bytes, TimePoint now) {
  bytes_ = at(now) + bytes;
  counted_at_ = now;
}

double LentBytes::at(TimePoint now) const {
  const std::chrono::duration<double> since = now - counted_at_, half = kHalfLife;
  return bytes_ * std::exp2(-since / half);
}

}  // namespace tributary::lending
