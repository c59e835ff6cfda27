#include "core/scheduling/front_first.hh"

#include <algorithm>

#include "core/subsegments/balanced_subsegments.hh"
#include "units/whole_number.hh"

namespace tributary {
namespace {

/// Of a link that has not answered yet: a handshake, and a way that nobody knows.
constexpr Duration kUnknownWay = std::chrono::milliseconds{100};

Duration first_byte_in(const LinkEstimate& link) {
  return link.free_in + (link.round_trip > Duration::zero() ? Duration::zero() : kUnknownWay);
}

}  // namespace

DataSize brought_by_others(LinkId asking, DataSize size, std::span<const LinkEstimate> links) {
  const OfLinks<double> rates = rates_of(links);
  std::size_t self = 0;
  while (links[self].link != asking) ++self;
  const double end = to_seconds(first_byte_in(links[self])) + static_cast<double>(size.bytes()) / rates[self];
  double bytes = 0;
  for (std::size_t i = 0; i < links.size(); ++i) {
    if (i != self) bytes += rates[i] * std::max(end - to_seconds(first_byte_in(links[i])), 0.0);
  }
  return DataSize{whole_number(bytes)};
}

}  // namespace tributary
