#include "worlds/streaming_job.hh"

#include <utility>

#include "core/run.hh"

namespace tributary {

StreamingJob::StreamingJob(LinkPolicy policy, const std::vector<std::string>& addresses, transport::CurlLoop* loop)
    : policy_{std::move(policy)},
      loop_{loop != nullptr ? *loop : own_loop_.emplace()},
      monitor_{watch_links(policy_.rules.catalogue.get(), addresses, policy_.links)} {}

const LiveOrigin& StreamingJob::follow(const FoundPresentation& found, const Presentation& presentation,
                                       LiveOrigin::Options wishes) {
  wishes.url = found.location.url();
  wishes.rules = policy_.rules;
  wishes.rules.guard = found.guard;
  wishes.alternatives = found.alternatives;
  return live_origin_.emplace(loop_, presentation, std::move(wishes), found.live.get());
}

void StreamingJob::run(Session& session, const Wiring& wiring) {
  NetworkWorld::Options options = wiring.network;
  options.use = policy_.terms ? free_links_first(policy_.use, policy_.terms) : policy_.use;
  if (live_origin_) options.live_origin = &*live_origin_;
  if (policy_.memory != nullptr) options.measurements = &measurements_.emplace(session.outstanding(), *policy_.memory);
  LinkMonitor& links = wiring.held ? static_cast<LinkMonitor&>(held_links_.emplace(links_, wiring.held)) : links_;
  network_.emplace(session, loop_, links, wiring.connections, std::move(options));
  if (policy_.terms)
    costed_.emplace(*network_, session.outstanding(),
                    CostedWorld::Options{.terms = policy_.terms, .budget = policy_.budget, .use = policy_.use});
  World& world = costed_ ? static_cast<World&>(*costed_) : *network_;
  tributary::run(session, world, wiring.observers);
}

}  // namespace tributary
