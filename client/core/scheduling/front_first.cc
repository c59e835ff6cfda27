#include "core/scheduling/front_first.hh"

#include <algorithm>

#include "core/subsegments/balanced_subsegments.hh"
#include "units/whole_number.hh"

namespace tributary {
namespace {

/// A link that is not measured is asked for a range that measures it (link_estimator.cc), and for another one that keeps it
/// busy meanwhile. If the link turns out to be slow, a reader has to wait for these.
constexpr DataSize kFirstRange{20'000};
constexpr DataSize kSecondRange{10'000};
/// A reader sees the bytes of a slow link only when the bytes in front of them are there.
constexpr Duration kLongestRange = std::chrono::milliseconds{200};

/// Of a link that has not answered yet: a handshake, and a way that nobody knows.
constexpr Duration kUnknownWay = std::chrono::milliseconds{100};

bool has_answered(const LinkEstimate& link) { return link.round_trip > Duration::zero(); }

/// In seconds. The free_in of an unmeasured link leaves out what the link owes; it is added here.
double first_byte_in(const LinkEstimate& link, double rate, const OutstandingRequests& outstanding) {
  double wait = to_seconds(link.free_in);
  if (!has_answered(link)) wait += to_seconds(kUnknownWay);
  if (!link.throughput) wait += static_cast<double>(outstanding.bytes_left(link.link).bytes()) / rate;
  return wait;
}

/// Until `asking` has brought `size` more bytes. No bytes are left to links of which nothing is known: a reader would have to
/// wait for them.
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

const LinkEstimate& of(LinkId link, std::span<const LinkEstimate> links) {
  return *std::ranges::find(links, link, &LinkEstimate::link);
}

}  // namespace

DataSize largest_read_range(LinkId asking, std::span<const LinkEstimate> links,
                            const OutstandingRequests& outstanding) {
  if (const auto rate = of(asking, links).throughput) return std::max(*rate * kLongestRange, kFirstRange);
  const DataSize owed = outstanding.bytes_left(asking);
  if (owed < kSecondRange) return kFirstRange;
  return outstanding.count(asking) < 2 ? kSecondRange : DataSize{};
}

DataSize bytes_in_front(LinkId asking, DataSize size, const SegmentAssembly& segment,
                        std::span<const LinkEstimate> links, const OutstandingRequests& outstanding) {
  const LinkEstimate& link = of(asking, links);
  const bool front_is_asked_for = segment.next_new()->range.begin > DataSize{};
  if (!link.throughput && outstanding.head(asking) != nullptr && front_is_asked_for) return segment.new_bytes();
  const DataSize others = brought_by_others(asking, size, links, outstanding);
  if (has_answered(link) || front_is_asked_for || std::ranges::none_of(links, has_answered)) return others;
  return std::max(others, kFirstRange);
}

}  // namespace tributary
