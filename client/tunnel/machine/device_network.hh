#pragma once

#include <memory>
#include <string>
#include <vector>

#include "units/data_size.hh"

struct nl_sock;

namespace tributary {

/// Addresses and routes of a device of ours, in the namespace of the calling thread. They vanish with the device.
class DeviceNetwork {
 public:
  /// Throws std::runtime_error if there is no such device.
  explicit DeviceNetwork(const std::string& device);

  /// Brings the device up with these addresses ("10.117.0.2/32"), instead of those before, and this MTU. What the system
  /// refuses because it has no IPv6 is left out. Throws std::runtime_error.
  void set(const std::vector<std::string>& addresses, DataSize mtu);
  /// Leads traffic to this network ("10.0.0.0/8") to the device. All of it ("0.0.0.0/0") is led there by two halves: the
  /// default routes of links stay as they are, and sockets that are bound to a link still leave by it.
  void lead_here(const std::string& network);
  /// By its group, rules of nftables know the device. Throws std::runtime_error.
  void join(int group);

 private:
  struct Close {
    void operator()(nl_sock* socket) const;
  };
  void add_route(const std::string& network);

  int index_ = 0;
  std::unique_ptr<nl_sock, Close> socket_;
  std::vector<std::string> addresses_;
};

}  // namespace tributary
