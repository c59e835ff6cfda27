#pragma once

#include <optional>
#include <string>
#include <vector>

#include "links/link_monitor.hh"
#include "links/link_snapshot.hh"

namespace tributary {

/// Watches the interfaces of this machine through rtnetlink. A link is usable when it is up and has carrier,
/// a global address of a family of the origin's addresses, and a route to one of them. Loopback counts only
/// if it is named or the origin is there.
///
/// The kernel's messages are only taken as a hint that something has changed; what holds now is asked for. So
/// a burst of messages, or a lost one, changes nothing, and a change that was undone before poll() is not
/// told.
class NetlinkLinkMonitor final : public LinkMonitor {
 public:
  /// `only`: names of the links to look at, all if empty. One that does not exist, or is not usable, is told
  /// by the first poll() with usable = false; it may become usable later. Throws std::invalid_argument if an
  /// origin address is not one, std::runtime_error if rtnetlink fails.
  NetlinkLinkMonitor(const std::vector<std::string>& origin_addresses, std::vector<std::string> only = {});

  int file_descriptor() const override;
  std::vector<LinkChangeNotice> poll() override;
  std::vector<LinkChangeNotice> obstructed() const override;

 private:
  /// Empties the socket. True if there was a message, or one was lost.
  bool something_happened();
  LinkStates look();

  LinkSnapshot snapshot_;
  std::vector<std::string> only_;
  NlSocket notifications_;
  LinkStates known_;
  bool first_poll_ = true;
};

}  // namespace tributary
