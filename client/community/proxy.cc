#include "community/proxy.hh"

#include <algorithm>

namespace tributary::community {
namespace {

constexpr double kAnyWindow = 1e9;

std::vector<LinkScenario> without_losses(std::vector<LinkScenario> links) {
  for (LinkScenario& link : links)
    for (LinkChange& change : link.changes) change.condition.loss = 0;
  return links;
}

}  // namespace

Proxy::Proxy(const std::vector<LinkScenario>& links, const Options& options)
    : told_{options.told},
      scheduler_{options.scheduler.make(options.seed)},
      random_{options.seed},
      lossless_{without_losses(links)},
      present_{links.begin(), links.end()},
      known_{present_},
      counts_(links.size()) {
  for (const LinkScenario& link : lossless_) links_.emplace_back(link, random_.next());
}

const std::vector<bonding::PathView>& Proxy::known_links(TimePoint now) {
  const TimePoint then = now - told_;
  if (then < views_until_) return views_;
  views_.clear();
  views_until_ = TimePoint::max();
  for (std::size_t i = 0; i < known_.size(); ++i) {
    const LinkCondition& condition = known_[i].at(then);
    views_until_ = std::min(views_until_, known_[i].holds_until(then));
    if (!condition.up) continue;
    bonding::PathView view{.id = static_cast<bonding::PathId>(i),
                           .window = kAnyWindow,
                           .in_flight = {},
                           .opens_at = TimePoint{},
                           .rate = condition.rate,
                           .least_delay = condition.rtt};
    view.loss = condition.loss;
    views_.push_back(view);
  }
  return views_;
}

std::optional<TimePoint> Proxy::send(bonding::Subflow subflow, DataSize frame, TimePoint now) {
  subflows_.came(subflow, frame, now);
  const std::vector<bonding::SubflowRate> subflows = subflows_.at(now);
  const bonding::NextPacket packet{
      .size = frame, .flow = {}, .backlog = frame, .subflow = subflow, .subflows = subflows};
  const auto path = scheduler_->choose(packet, known_links(now), now);
  if (!path) return std::nullopt;
  scheduler_->chosen(*path, packet);
  LinkCount& count = counts_[to_index(*path)];
  ++count.sent;
  const auto arrives = links_[to_index(*path)].send(frame, now);
  if (arrives && random_.uniform() >= present_[to_index(*path)].at(now).loss) return arrives;
  ++count.lost;
  return std::nullopt;
}

}  // namespace tributary::community
