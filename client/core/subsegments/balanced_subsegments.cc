#include "core/subsegments/balanced_subsegments.hh"

#include <algorithm>
#include <numeric>
#include <utility>

#include "units/whole_number.hh"

namespace tributary {
namespace {

constexpr DataSize kLeastShare{8'000};  // a link that would get less of a segment gets none of it

double bytes_per_second(DataRate rate) { return rate.bits_per_second() / 8; }

}  // namespace

OfLinks<double> rates_of(std::span<const LinkEstimate> links) {
  const auto measured = std::ranges::count_if(links, [](const LinkEstimate& l) { return l.throughput.has_value(); });
  const double mean = measured == 0 ? 1e6 : bytes_per_second(*aggregate(links)) / static_cast<double>(measured);
  OfLinks<double> rates;
  for (const LinkEstimate& link : links)
    rates.push_back(std::max(link.throughput ? bytes_per_second(*link.throughput) : mean, 1.0));
  return rates;
}

BalancedShares balanced_shares(DataSize left, std::span<const LinkEstimate> links) {
  const OfLinks<double> rates = rates_of(links);
  OfLinks<std::size_t> order(links.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {}, [&](std::size_t i) { return std::pair{links[i].free_in, i}; });
  // Counts the bytes that links could have carried until they are free, as if they were free now.
  double rate = 0, bytes = static_cast<double>(left.bytes()), end = 0;
  OfLinks<std::size_t> part;
  for (const std::size_t i : order) {
    const double free_in = to_seconds(links[i].free_in);
    if (!part.empty()) {
      const double with = (bytes + rates[i] * free_in) / (rate + rates[i]);
      if (rates[i] * (with - free_in) < static_cast<double>(kLeastShare.bytes())) continue;
    }
    bytes += rates[i] * free_in;
    rate += rates[i];
    end = bytes / rate;
    part.push_back(i);
  }
  BalancedShares result{from_seconds(end), OfLinks<DataSize>(links.size())};
  for (const std::size_t i : part) {
    const double share = rates[i] * (end - to_seconds(links[i].free_in));
    result.shares[i] = DataSize{whole_number(share)};
  }
  // rate * (1 / rate) may be less than 1, and the last byte would be nobody's.
  if (part.size() == 1 && left > DataSize{})
    result.shares[part.front()] = std::max(result.shares[part.front()], DataSize{1});
  return result;
}

DataSize BalancedSubsegments::largest(const LinkEstimate& link) const {
  return link.throughput ? std::max(size_, *link.throughput * link.round_trip) : size_;
}

DataSize BalancedSubsegments::next_size(DataSize left, LinkId link, std::span<const LinkEstimate> links) {
  const auto self = std::ranges::find(links, link, &LinkEstimate::link);
  const DataSize share = balanced_shares(left, links).shares[static_cast<std::size_t>(self - links.begin())];
  if (share <= DataSize{}) return {};
  const DataSize most = self->answer_delay > Duration::zero() ? share : largest(*self);  // each request costs that much
  const DataSize size = share < most + kLeastShare ? share : most;
  return left < size + kLeastShare ? left : std::max(size, DataSize{1});
}

void BalancedSubsegments::left_to_others(DataSize left, std::span<LinkEstimate> links) const {
  const BalancedShares plan = balanced_shares(left, links);
  for (std::size_t i = 0; i < links.size(); ++i) {
    if (plan.shares[i] > DataSize{}) links[i].free_in = std::max(links[i].free_in, plan.end);
  }
}

}  // namespace tributary
