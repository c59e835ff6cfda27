#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/session.hh"
#include "core/world.hh"
#include "links/held_links.hh"
#include "links/known_links.hh"
#include "links/link_catalogue.hh"
#include "transport/connections/curl_loop.hh"
#include "worlds/accounts/costed_world.hh"
#include "worlds/discovery/live_origin.hh"
#include "worlds/memory/link_measurements.hh"
#include "worlds/network_world.hh"

namespace tributary {

/// A session over the links of this machine, wired once for all programs: the loop, the monitor of links, the network
/// world, and round it what earlier sessions measured and what links cost. One object is for one session. Everything
/// happens in the thread that calls run().
class NetworkRun {
 public:
  struct Place {
    std::vector<std::string> addresses;        // of the origin
    std::vector<std::string> links{};          // only these; empty: all that lead there
    transport::CurlLoop* loop = nullptr;       // shared with transports of the caller; or the run has its own
    const LinkCatalogue* catalogue = nullptr;  // null: links are the interfaces of this machine
  };
  struct Wiring {
    NetworkWorld::Connections connections;
    NetworkWorld::Options network{};              // live_origin and measurements are the run's
    LinkMemory* memory = nullptr;                 // what links could do in earlier sessions; or that is not known
    std::optional<CostedWorld::Options> costs{};  // of links; nothing: all are free
    std::vector<SessionObserver*> observers{};
    /// The session is not told of the links of which this says true; it is asked again after look_at_links_again().
    std::function<bool(const std::string& link)> held{};
  };

  /// Throws as NetlinkLinkMonitor does.
  explicit NetworkRun(const Place& place);
  NetworkRun(const NetworkRun&) = delete;  // it points into itself

  transport::CurlLoop& loop() { return loop_; }
  const KnownLinks& links() const { return links_; }
  /// The presentation grows, and the session is told how. To be called before run(). `title`: of a manifest, and must
  /// outlive the object; null for an index.
  const LiveOrigin& follow(const Presentation& presentation, LiveOrigin::Options options, LiveTitle* title);

  /// Runs the session until it is finished. Session, memory, budget, and what connections refer to must outlive this
  /// object; other parts must last until run() returns. Throws what they throw.
  void run(Session& session, const Wiring& wiring);
  /// Fewer links are held. May be called while the session runs.
  void look_at_links_again() {
    if (network_) network_->look_at_links_again();
  }
  /// Nothing if earlier sessions are not known.
  LinkMeasurements* measurements() { return measurements_ ? &*measurements_ : nullptr; }
  /// The session was ended through NetworkWorld::Options::stop_fd.
  bool stopped() const { return network_ && network_->stopped(); }

 private:
  std::optional<transport::CurlLoop> own_loop_;
  transport::CurlLoop& loop_;
  std::unique_ptr<LinkMonitor> monitor_;
  KnownLinks links_{*monitor_};
  std::optional<HeldLinks> held_links_;
  std::optional<LiveOrigin> live_origin_;
  std::optional<LinkMeasurements> measurements_;
  std::optional<NetworkWorld> network_;
  std::optional<CostedWorld> costed_;
};

}  // namespace tributary
