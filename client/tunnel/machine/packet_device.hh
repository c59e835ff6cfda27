#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "bonding/wire/bytes.hh"
#include "system/virtual_device.hh"

namespace tributary {

/// The tunnel's own network device: IP packets as they go through the tunnel. With the system, runs of TCP segments are exchanged
/// as one packet each, which costs both a fraction.
class PacketDevice {
 public:
  /// Throws std::system_error with advice in its text.
  explicit PacketDevice(const std::string& name);

  int file_descriptor() const { return device_.file_descriptor(); }
  /// Gives the packets that are there to `take`; about so many at most. Throws std::system_error if the device was deleted.
  void read(std::size_t about, const std::function<void(bonding::Bytes packet)>& take);
  /// What the system does not take is lost, as on any link.
  void write(std::vector<bonding::Bytes> packets);

 private:
  VirtualDevice device_;
  bonding::Bytes buffer_;
};

}  // namespace tributary
