#include "core/costs/shortage.hh"

#include <algorithm>

#include "units/whole_number.hh"

namespace tributary {
namespace {

std::optional<DataSize> brought_in(std::span<const Carrier> free, Duration time) {
  DataSize sum;
  for (const Carrier& link : free) {
    if (!link.rate) return std::nullopt;
    sum += link.brings_in(time);
  }
  return sum;
}

}  // namespace

DataSize Carrier::brings_in(Duration time) const {
  if (!rate) return {};
  // At free_in all owed bytes are there; before, they come at the rate of the link.
  const double bytes = rate->bits_per_second() / 8 * to_seconds(time - free_in) + static_cast<double>(owed.bytes());
  if (time < free_in) return std::clamp(DataSize{whole_number(bytes)}, DataSize{}, owed);
  return DataSize{whole_number(bytes)};
}

ClaimSizes shortages(std::span<const Claim> claims, std::span<const Carrier> free, Duration margin, TimePoint now) {
  ClaimSizes result(claims.size());
  DataSize missing, short_before;
  for (std::size_t i = 0; i < claims.size(); ++i) {
    missing += claims[i].missing;
    if (!claims[i].due) continue;
    const auto brought = brought_in(free, std::max(*claims[i].due - margin - now, Duration::zero()));
    if (!brought) continue;
    const DataSize in_all = missing - *brought;
    result[i] = std::clamp(in_all - short_before, DataSize{}, claims[i].missing);
    short_before += result[i];
  }
  return result;
}

std::size_t pressing(std::span<const Claim> claims, std::span<const DataSize> shortages, const Carrier& spared,
                     DataRate guess, Duration margin, TimePoint now) {
  std::size_t count = 0;
  DataSize sum;
  for (std::size_t i = 0; i < claims.size(); ++i) {
    sum += shortages[i];
    if (!claims[i].due || shortages[i] <= DataSize{}) continue;
    if (*claims[i].due - margin - spared.free_in - sum / spared.rate.value_or(guess) <= now) count = i + 1;
  }
  return count;
}

}  // namespace tributary
