#include "memory/link_measurements.hh"

#include <algorithm>
#include <chrono>
#include <utility>

namespace tributary {
namespace {

constexpr Duration kEvery = std::chrono::minutes{1};
// Less may have come out of a queue somewhere, or while the server still found out how fast it can be.
constexpr DataSize kEnough{1'000'000};
constexpr Duration kLongEnough = std::chrono::seconds{1};

}  // namespace

void LinkMeasurements::note(Event& event, TimePoint at) {
  note_answer(event, at);
  note_link(event);
  if (at < remembered_at_ + kEvery) return;
  remember();
  remembered_at_ = at;
}

void LinkMeasurements::note_answer(const Event& event, TimePoint at) {
  const auto measure = [&](RequestId id, const auto& by) {
    if (const OutstandingRequest* request = requests_.find(id)) by(*request, rate_of(request->link));
  };
  if (const auto* bytes = std::get_if<event::BytesReceived>(&event)) {
    measure(bytes->request, [&](const auto& request, BusyRate& rate) { rate.received(bytes->size, request.sent, at); });
  } else if (const auto* began = std::get_if<event::ResponseBegan>(&event)) {
    measure(began->request, [&](const auto&, BusyRate& rate) { rate.response_began(at); });
  } else if (const auto* done = std::get_if<event::RequestDone>(&event)) {
    measure(done->request,
            [&](const auto& request, BusyRate& rate) { rate.request_done(request.received, request.sent, at); });
  } else if (const auto* failed = std::get_if<event::RequestFailed>(&event)) {
    measure(failed->request, [&](const auto&, BusyRate& rate) { rate.request_failed(at); });
  }
}

void LinkMeasurements::note_link(Event& event) {
  if (const auto* measured = std::get_if<event::RoundTripMeasured>(&event)) {
    Duration& least = links_[link_of(measured->link)].least_round_trip;
    least = least == Duration::zero() ? measured->least : std::min(least, measured->least);
  } else if (auto* up = std::get_if<event::LinkUp>(&event); up != nullptr && !is_lane(up->link)) {
    Link& link = links_[up->link];
    link.network = memory_.network_of(up->name);
    link.least_round_trip = {};
    const auto beside = beside_.find(link.network);
    if (const auto known = beside == beside_.end() ? memory_.recall(link.network) : std::optional{beside->second}) {
      up->remembered_rate = known->rate;
      up->remembered_rtt = known->round_trip;
    }
  } else if (const auto* down = std::get_if<event::LinkDown>(&event)) {
    Link& link = links_[down->link];
    if (const auto known = take(link)) memory_.remember({{link.network, *known}});
    for (auto& [_, lane] : link.lanes) lane.remembered = lane.rate.in_all();
  }
}

bool LinkMeasurements::is_enough(const BusyRate::Measured& measured) {
  if (measured.size == DataSize{} || measured.busy <= Duration::zero()) return false;
  return measured.size >= kEnough || measured.busy >= kLongEnough;
}

/// If the session brought more over the network itself, its own measurement tells more.
void LinkMeasurements::carried_beside(const std::string& link, DataSize size, Duration busy, Duration round_trip) {
  if (!is_enough({size, busy})) return;
  const std::string network = memory_.network_of(link);
  const auto brought_more = [&](const auto& entry) {
    return entry.second.network == network && entry.second.size() > size;
  };
  if (std::ranges::none_of(links_, brought_more)) beside_[network] = {size / busy, round_trip};
}

void LinkMeasurements::carried_with_session(const std::string& link, DataSize size, Duration busy) {
  const std::string network = memory_.network_of(link);
  for (auto& [_, known] : links_) {
    if (known.network == network) known.other = {size, busy};
  }
}

BusyRate& LinkMeasurements::rate_of(LinkId lane) { return links_[link_of(lane)].lanes[lane].rate; }

DataSize LinkMeasurements::Link::size() const {
  DataSize size;
  for (const auto& [_, lane] : lanes) size += lane.rate.in_all().size;
  return size;
}

/// The connections of a link carry at the same time: one of them all the time.
std::optional<RememberedLink> LinkMeasurements::take(Link& link) {
  BusyRate::Measured carried = link.other;
  for (const auto& [_, lane] : link.lanes) {
    const BusyRate::Measured all = lane.rate.in_all();
    carried.size += all.size - lane.remembered.size;
    carried.busy = std::max(carried.busy, all.busy - lane.remembered.busy);
  }
  if (!is_enough(carried)) return std::nullopt;
  for (auto& [_, lane] : link.lanes) lane.remembered = lane.rate.in_all();
  link.other = {};
  return RememberedLink{carried.size / carried.busy, link.least_round_trip};
}

void LinkMeasurements::remember() {
  std::map<std::string, RememberedLink> networks;
  for (auto& [id, link] : links_) {
    if (const auto known = take(link)) networks[link.network] = *known;
  }
  for (const auto& [network, known] : std::exchange(beside_, {})) networks[network] = known;
  memory_.remember(networks);
}

}  // namespace tributary
