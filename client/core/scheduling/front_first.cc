#include "core/scheduling/front_first.hh"

#include <algorithm>

#include "core/subsegments/balanced_subsegments.hh"
#include "units/whole_number.hh"

namespace tributary {
namespace {

/// Of a link that has not answered yet: a handshake, and a way that nobody knows.
constexpr Duration kUnknownWay = std::chrono::milliseconds{100};

/// In seconds. The free_in of an unmeasured link leaves out what the link owes; it is added here.
double first_byte_in(const LinkEstimate& link, double rate, const OutstandingRequests& outstanding) {
  double wait = to_seconds(link.free_in);
  if (link.round_trip == Duration::zero()) wait += to_seconds(kUnknownWay);
  if (!link.throughput) wait += static_cast<double>(outstanding.bytes_left(link.link).bytes()) / rate;
  return wait;
}

}  // namespace

DataSize brought_by_others(LinkId asking, DataSize size, std::span<const LinkEstimate> links,
                           const OutstandingRequests& outstanding) {
  const OfLinks<double> rates = rates_of(links);
  std::size_t self = 0;
  while (links[self].link != asking) ++self;
  const double end =
      first_byte_in(links[self], rates[self], outstanding) + static_cast<double>(size.bytes()) / rates[self];
  double bytes = 0;
  for (std::size_t i = 0; i < links.size(); ++i) {
    if (i != self && links[i].throughput)
      bytes += rates[i] * std::max(end - first_byte_in(links[i], rates[i], outstanding), 0.0);
  }
  return DataSize{whole_number(bytes)};
}

}  // namespace tributary
