#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "bonding/stage/inner_stage.hh"
#include "bonding/stage/link_pipes.hh"
#include "links/interfaces/netlink_link_monitor.hh"
#include "splitter/led_packets.hh"
#include "splitter/link_socket.hh"
#include "splitter/splitter_options.hh"
#include "system/event_loop.hh"
#include "system/virtual_device.hh"
#include "tunnel/machine/device_network.hh"

namespace tributary {

/// A stage between senders and several links on this machine: packets come out of a device of ours, and leave over the links, or go on
/// through that device.
class Splitter {
 public:
  /// `say` is called for all that a user wants to know. Throws std::exception if a part cannot be set up; nothing is left behind then.
  Splitter(SplitterOptions options, std::function<void(const std::string& text)> say);

  /// Until `stop_fd` is readable. Throws std::exception if the device is gone.
  void run(int stop_fd);

 private:
  std::vector<std::string> link_names() const;
  void take_in(TimePoint now);
  void look_at_links();

  SplitterOptions options_;
  std::function<void(const std::string& text)> say_;
  std::vector<std::string> links_;  // their places are the numbers of pipes
  std::vector<LinkSocket> sockets_;
  VirtualDevice device_;
  DeviceNetwork network_;
  bonding::LinkPipes pipes_;
  bonding::InnerStage stage_;
  NetlinkLinkMonitor monitor_;
  EventLoop loop_;
  std::optional<LedPackets> led_;
};

}  // namespace tributary
