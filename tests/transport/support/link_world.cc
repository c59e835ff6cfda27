#include "link_world.hh"

#include <algorithm>

#include "transport/connections/origin_addresses.hh"

namespace tributary::transport {

using namespace std::chrono_literals;

LinkWorld::LinkWorld(const std::string& url, const LinkRules& rules, PipelinedTransport::Options options)
    : LinkWorld{url, resolve(parse_url(url).origin), rules, options} {}

LinkWorld::LinkWorld(const std::string& url, const std::vector<std::string>& addresses, const LinkRules& rules,
                     PipelinedTransport::Options options)
    : target_{parse_url(url).target},
      transport_{make_link_transport(loop_, parse_url(url).origin, addresses, rules, options)} {}

TimePoint LinkWorld::now() const { return TimePoint{std::chrono::steady_clock::now() - start_}; }

void LinkWorld::step() {
  const auto deadline = transport_->next_deadline();
  loop_.wait(deadline ? std::min<Duration>(*deadline - now(), 1s) : Duration{1s});
  transport_->advance(now());
}

EventLog LinkWorld::fetch(ByteRange range) {
  EventLog log;
  const RangeRequest request{RequestId{++last_id_}, target_, range, std::nullopt};
  log.submitted(request);
  transport_->submit(request, now());
  const TimePoint give_up = now() + 20s;
  while (log.open(request.id) && now() < give_up) {
    while (const auto event = transport_->next_event()) log.add(*event);
    if (log.open(request.id)) step();
  }
  return log;
}

}  // namespace tributary::transport
