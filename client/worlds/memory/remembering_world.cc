#include "worlds/memory/remembering_world.hh"

#include <algorithm>
#include <chrono>

namespace tributary {
namespace {

constexpr Duration kEvery = std::chrono::minutes{1};
// Less may have come out of a queue somewhere, or while the server still found out how fast it can be.
constexpr DataSize kEnough{1'000'000};
constexpr Duration kLongEnough = std::chrono::seconds{1};

}  // namespace

TimedEvent RememberingWorld::next_event(std::optional<TimePoint> deadline) {
  TimedEvent next = world_.next_event(deadline);
  if (memory_ != nullptr) note(next.event, next.at);
  return next;
}

void RememberingWorld::perform(const Action& action, TimePoint now) {
  if (const auto* send = std::get_if<action::SendRequest>(&action); send != nullptr && memory_ != nullptr)
    requests_[send->request] = {send->link, now};
  world_.perform(action, now);
}

void RememberingWorld::note(Event& event, TimePoint at) {
  const auto with_request = [&](RequestId id, const auto& note) {
    const auto found = requests_.find(id);
    if (found != requests_.end()) note(found->second, links_[found->second.link]);
  };
  if (const auto* bytes = std::get_if<event::BytesReceived>(&event)) {
    with_request(bytes->request, [&](Request& request, Link& link) {
      request.received += bytes->size;
      link.rate.received(bytes->size, request.sent, at);
    });
  } else if (const auto* began = std::get_if<event::ResponseBegan>(&event)) {
    with_request(began->request, [&](Request&, Link& link) { link.rate.response_began(at); });
  } else if (const auto* done = std::get_if<event::RequestDone>(&event)) {
    with_request(done->request,
                 [&](Request& request, Link& link) { link.rate.request_done(request.received, request.sent, at); });
    requests_.erase(done->request);
  } else if (const auto* failed = std::get_if<event::RequestFailed>(&event)) {
    with_request(failed->request, [&](Request&, Link& link) { link.rate.request_failed(at); });
    requests_.erase(failed->request);
  } else if (const auto* measured = std::get_if<event::RoundTripMeasured>(&event)) {
    Duration& least = links_[measured->link].least_round_trip;
    least = least == Duration::zero() ? measured->least : std::min(least, measured->least);
  } else if (auto* up = std::get_if<event::LinkUp>(&event)) {
    Link& link = links_[up->link];
    link.network = memory_->network_of(up->name);
    link.least_round_trip = {};
    if (const auto known = memory_->recall(link.network)) {
      up->remembered_rate = known->rate;
      up->remembered_rtt = known->round_trip;
    }
  } else if (const auto* down = std::get_if<event::LinkDown>(&event)) {
    Link& link = links_[down->link];
    if (const auto known = take(link)) memory_->remember({{link.network, *known}});
    link.remembered = link.rate.in_all();
  }
  if (at < remembered_at_ + kEvery) return;
  remember();
  remembered_at_ = at;
}

std::optional<RememberedLink> RememberingWorld::take(Link& link) {
  const BusyRate::Measured all = link.rate.in_all();
  const DataSize size = all.size - link.remembered.size;
  const Duration busy = all.busy - link.remembered.busy;
  if (size == DataSize{} || busy <= Duration::zero() || (size < kEnough && busy < kLongEnough)) return std::nullopt;
  link.remembered = all;
  return RememberedLink{size / busy, link.least_round_trip};
}

void RememberingWorld::remember() {
  if (memory_ == nullptr) return;
  std::map<std::string, RememberedLink> networks;
  for (auto& [id, link] : links_) {
    if (const auto known = take(link)) networks[link.network] = *known;
  }
  memory_->remember(networks);
}

}  // namespace tributary
