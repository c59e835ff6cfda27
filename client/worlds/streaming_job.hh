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
#include "memory/link_measurements.hh"
#include "transport/connections/curl_loop.hh"
#include "transport/connections/link_rules.hh"
#include "worlds/costed_world.hh"
#include "worlds/discovery/live_origin.hh"
#include "worlds/found_presentation.hh"
#include "worlds/network_world.hh"

namespace tributary {

/// What a program's user says of links.
struct LinkPolicy {
  std::vector<std::string> links{};  // only these; empty: all that lead to the origin
  transport::LinkRules rules{};      // of connections over any of them
  UseOfLink use =
      use_any_link;     // as the user switches them; those that cost something come last for what one can bring
  TermsOfLink terms{};  // what they cost; null: all are free, and no session is told of costs
  LinkBudget* budget = nullptr;  // of caps; null: each session may use the whole of one
  LinkMemory* memory = nullptr;  // what links could do in earlier sessions; null: that is not known
};

/// A session over the links of this machine, wired once for all programs: the loop, the monitor of links, the network
/// world, and round it what earlier sessions measured and what links cost. One object is for one session. Everything
/// happens in the thread that calls run().
class StreamingJob {
 public:
  struct Wiring {
    NetworkWorld::Connections connections;
    NetworkWorld::Options network{};  // live_origin, measurements and use are the job's
    std::vector<SessionObserver*> observers{};
    /// The session is not told of the links of which this says true; it is asked again after look_at_links_again().
    std::function<bool(const std::string& link)> held{};
  };

  /// `addresses`: of the origin. `loop`: shared with transports of the caller; null: the job has its own. Session, memory,
  /// budget, and what connections refer to must outlive the object. Throws as NetlinkLinkMonitor does.
  StreamingJob(LinkPolicy policy, const std::vector<std::string>& addresses, transport::CurlLoop* loop = nullptr);
  StreamingJob(const StreamingJob&) = delete;  // it points into itself

  transport::CurlLoop& loop() { return loop_; }
  const KnownLinks& links() const { return links_; }
  /// The title grows, and the session is told how. `presentation`: what the session has of it. To be called before run().
  /// `found` must outlive the object; `wishes` need not say where the title is found.
  const LiveOrigin& follow(const FoundPresentation& found, const Presentation& presentation,
                           LiveOrigin::Options wishes);

  /// Runs the session until it is finished. Throws what its parts throw.
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
  LinkPolicy policy_;
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
