#include "core/byte_window.hh"

#include <algorithm>
#include <utility>

namespace tributary {
namespace {

constexpr double kTimesUnderWay = 2;
constexpr std::uint32_t kMostRequests = 16;  // outstanding on a link; servers do not take any number

}  // namespace

bool ByteWindow::has_room(LinkId link, std::optional<DataRate> rate, Duration round_trip,
                          const OutstandingRequests& outstanding) const {
  const DataSize under_way = rate ? *rate * round_trip : DataSize{};
  return outstanding.count(link) < kMostRequests &&
         outstanding.bytes_left(link) < scale(under_way, kTimesUnderWay) + scale(request_, 0.5);
}

bool ByteWindow::has_room_for_one_more(LinkId link, std::optional<DataRate> rate, Duration round_trip,
                                       const OutstandingRequests& outstanding) const {
  const DataSize under_way = rate ? *rate * round_trip : DataSize{};  // a request may be as large as that
  return outstanding.count(link) < kMostRequests &&
         outstanding.bytes_left(link) < scale(under_way, kTimesUnderWay + 1) + scale(request_, 2);
}

LinkIds ByteWindow::links_to_ask(std::vector<LinkEstimate> links, const OutstandingRequests& outstanding) const {
  std::erase_if(links, [&](const LinkEstimate& link) {
    return !has_room(link.link, link.throughput, link.round_trip, outstanding);
  });
  std::ranges::sort(links, {}, [](const LinkEstimate& link) { return std::pair{link.free_in, link.link}; });
  LinkIds ids;
  for (const LinkEstimate& link : links) ids.push_back(link.link);
  return ids;
}

}  // namespace tributary
