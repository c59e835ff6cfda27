#include "links/interfaces/netlink_link_monitor.hh"

#include <linux/rtnetlink.h>
#include <netlink/netlink.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <system_error>

namespace tributary {

NetlinkLinkMonitor::NetlinkLinkMonitor(const std::vector<std::string>& origin_addresses, std::vector<std::string> only)
    : snapshot_{origin_addresses}, only_{std::move(only)}, notifications_{open_route_socket()} {
  const int error =
      nl_socket_add_memberships(notifications_.get(), RTNLGRP_LINK, RTNLGRP_IPV4_IFADDR, RTNLGRP_IPV6_IFADDR,
                                RTNLGRP_IPV4_ROUTE, RTNLGRP_IPV6_ROUTE, RTNLGRP_IPV4_RULE, RTNLGRP_IPV6_RULE, 0);
  if (error < 0) throw std::runtime_error{std::string{"rtnetlink: subscribe: "} + nl_geterror(error)};
}

int NetlinkLinkMonitor::file_descriptor() const { return nl_socket_get_fd(notifications_.get()); }

std::vector<LinkChangeNotice> NetlinkLinkMonitor::poll() {
  if (!something_happened() && !first_poll_) return {};
  LinkStates now = look();
  std::vector<LinkChangeNotice> notices = changes_between(known_, now);
  known_ = std::move(now);
  if (first_poll_) {
    first_poll_ = false;
    if (!only_.empty()) std::ranges::copy(obstructed(), std::back_inserter(notices));
  }
  return notices;
}

bool NetlinkLinkMonitor::something_happened() {
  bool happened = false;
  std::array<char, 16 * 1024> message{};  // longer messages are cut off: nobody reads their content
  while (true) {
    if (recv(file_descriptor(), message.data(), message.size(), MSG_DONTWAIT) >= 0 || errno == ENOBUFS) {
      happened = true;
    } else if (errno == EAGAIN) {
      return happened;
    } else if (errno != EINTR) {
      throw std::system_error{errno, std::generic_category(), "rtnetlink: receive"};
    }
  }
}

LinkStates NetlinkLinkMonitor::look() {
  LinkStates states = snapshot_.take();
  if (!only_.empty()) {  // the user wants these, whatever a VPN leads
    for (auto& [name, link] : states) link.beside_vpn.clear();
  }
  std::erase_if(states, [this](const auto& entry) {
    const auto& [name, link] = entry;
    if (!only_.empty()) return std::ranges::find(only_, name) == only_.end();
    return link.role == LinkRole::kOwnTunnel || (link.role == LinkRole::kLoopback && !snapshot_.origin_is_loopback());
  });
  return states;
}

std::vector<LinkChangeNotice> NetlinkLinkMonitor::obstructed() const {
  std::vector<LinkChangeNotice> notices;
  for (const std::string& name : only_) {
    if (known_.contains(name)) continue;
    LinkInfo missing;
    missing.name = name;
    notices.push_back({.link = missing, .usable = false, .why = "no such interface"});
  }
  if (only_.empty() && snapshot_.origin_is_loopback()) return notices;  // only loopback leads to this machine
  for (const auto& [name, link] : known_) {
    if (only_.empty() && (link.role == LinkRole::kVirtual || link.role == LinkRole::kLoopback)) continue;
    if (const auto obstacle = link.obstacle())
      notices.push_back({.link = link.info(), .usable = false, .why = std::string{*obstacle}});
  }
  return notices;
}

}  // namespace tributary
