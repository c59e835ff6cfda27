#pragma once

#include <optional>
#include <string>
#include <vector>

#include "links/interfaces/link_monitor.hh"
#include "links/interfaces/link_snapshot.hh"

namespace tributary {

/// Watches the interfaces of this machine through rtnetlink. A link is usable if it is up, has carrier, and has a
/// global address and a route for one of the origin's addresses. Loopback counts only if it is named or the origin is
/// on this machine, and a tunnel of ours only if it is named: it goes over the other links. Links beside a VPN that
/// leads all traffic count only if they are named.
///
/// A message of the kernel is only a hint that something has changed; the monitor then asks for the present state. So
/// bursts and losses of messages do no harm. A change that was undone before poll() is not told.
class NetlinkLinkMonitor final : public LinkMonitor {
 public:
  /// `only`: names of the links to watch; empty: all. If a named link is missing or not usable, the first poll() tells
  /// it with usable = false; it may become usable later. Throws std::invalid_argument if an origin address is not one,
  /// std::runtime_error if rtnetlink fails.
  NetlinkLinkMonitor(const std::vector<std::string>& origin_addresses, std::vector<std::string> only = {});

  int file_descriptor() const override;
  std::vector<LinkChangeNotice> poll() override;
  std::vector<LinkChangeNotice> obstructed() const override;

 private:
  /// Empties the socket. True if a message was there, or was lost.
  bool something_happened();
  LinkStates look();

  LinkSnapshot snapshot_;
  std::vector<std::string> only_;
  NlSocket notifications_;
  LinkStates known_;
  bool first_poll_ = true;
};

}  // namespace tributary
