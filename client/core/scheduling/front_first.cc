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

/// In seconds. The free_in of an unmeasured link leaves out what the link owes; it is added here.
double first_byte_in(const LinkEstimate& link, double rate, const OutstandingRequests& outstanding) {
  double wait = to_seconds(link.free_in);
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

/// Nobody knows when a range comes over this link, and somebody else brings the front of the segment, or would sooner.
bool belongs_at_the_end(const LinkEstimate& link, const SegmentAssembly& segment, std::span<const LinkEstimate> links,
                        const OutstandingRequests& outstanding) {
  const auto has_answered = [](const LinkEstimate& other) { return other.round_trip > Duration::zero(); };
  if (link.throughput) return false;
  if (outstanding.head(link.link) != nullptr && segment.next_new()->range.begin > DataSize{}) return true;
  return !has_answered(link) && std::ranges::any_of(links, has_answered);
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
  return belongs_at_the_end(of(asking, links), segment, links, outstanding)
             ? segment.new_bytes()
             : brought_by_others(asking, size, links, outstanding);
}

}  // namespace tributary
