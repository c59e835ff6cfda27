#include "worlds/network_run.hh"

#include <utility>

#include "core/run.hh"

namespace tributary {

NetworkRun::NetworkRun(const Place& place)
    : loop_{place.loop != nullptr ? *place.loop : own_loop_.emplace()},
      monitor_{watch_links(place.catalogue, place.addresses, place.links)} {}

const LiveOrigin& NetworkRun::follow(const Presentation& presentation, LiveOrigin::Options options, LiveTitle* title) {
  return live_origin_.emplace(loop_, presentation, std::move(options), title);
}

void NetworkRun::run(Session& session, const Wiring& wiring) {
  NetworkWorld::Options options = wiring.network;
  if (live_origin_) options.live_origin = &*live_origin_;
  if (wiring.memory != nullptr) options.measurements = &measurements_.emplace(session.outstanding(), *wiring.memory);
  LinkMonitor& links = wiring.held ? static_cast<LinkMonitor&>(held_links_.emplace(links_, wiring.held)) : links_;
  network_.emplace(session, loop_, links, wiring.connections, std::move(options));
  if (wiring.costs) costed_.emplace(*network_, session.outstanding(), *wiring.costs);
  World& world = costed_ ? static_cast<World&>(*costed_) : *network_;
  tributary::run(session, world, wiring.observers);
}

}  // namespace tributary
