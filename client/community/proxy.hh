#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "bonding/inner/subflow_rates.hh"
#include "bonding/scheduling/path_scheduler.hh"
#include "simulation/bottleneck.hh"

namespace tributary::community {

/// What became of all packets over one link.
struct LinkCount {
  std::uint64_t sent = 0, lost = 0;
};

/// The inverse multiplexer of MC²: gives each packet to the link of one member, by a scheduler of the tunnel. The links are
/// those of a scenario, which also tells what the proxy knows of them, as old as reports make it. A packet that a link loses has
/// taken its time there, as over the air. Packets are neither numbered nor put in order. The LAN of the members is no limit, and is
/// left out.
class Proxy {
 public:
  struct Options {
    const bonding::SchedulerKind& scheduler;
    Duration told{};  // the age of what is known of the links
    std::uint64_t seed = 1;
  };
  /// The links must outlive it.
  Proxy(const std::vector<LinkScenario>& links, const Options& options);

  /// When the packet arrives at the receiver; nothing: it is lost, or no link is to carry it. `frame`: its bytes on a link.
  /// `now` must not go backwards.
  std::optional<TimePoint> send(bonding::Subflow subflow, DataSize frame, TimePoint now);

  const std::vector<LinkCount>& counts() const { return counts_; }

 private:
  const std::vector<bonding::PathView>& known_links(TimePoint now);

  Duration told_;
  std::unique_ptr<bonding::PathScheduler> scheduler_;
  bonding::SubflowRates subflows_;
  SplitMix random_;
  std::vector<LinkScenario> lossless_;
  std::vector<Bottleneck> links_;
  std::vector<ScenarioCursor> present_, known_;
  std::vector<bonding::PathView> views_;  // of links that are known to be up
  TimePoint views_until_ = TimePoint::min();
  std::vector<LinkCount> counts_;
};

}  // namespace tributary::community
