#include "core/subsegments/byte_window.hh"

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
  const DataSize most = std::max(scale(under_way, kTimesUnderWay) + scale(request_, 0.5), DataSize{1});
  return outstanding.bytes_left(link) < most && outstanding.count(link) < kMostRequests;
}

bool ByteWindow::has_room_for_one_more(LinkId link, std::optional<DataRate> rate, Duration round_trip,
                                       const OutstandingRequests& outstanding) const {
  const DataSize under_way = rate ? *rate * round_trip : DataSize{};  // a request may be as large as that
  return outstanding.count(link) < kMostRequests &&
         outstanding.bytes_left(link) < scale(under_way, kTimesUnderWay + 1) + scale(request_, 2);
}

LinkIds ByteWindow::links_to_ask(const LinkEstimates& links, const OutstandingRequests& outstanding) const {
  OfLinks<std::pair<Duration, LinkId>> free_in;
  for (const LinkEstimate& link : links) {
    if (link.answer_delay > Duration::zero() ? has_room_while_answers_stand_still(link.link, outstanding)
                                             : has_room(link.link, link.throughput, link.round_trip, outstanding))
      free_in.emplace_back(link.free_in, link.link);
  }
  std::ranges::sort(free_in);
  LinkIds ids;
  for (const auto& [_, link] : free_in) ids.push_back(link);
  return ids;
}

}  // namespace tributary
