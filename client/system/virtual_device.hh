#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "system/file_descriptor.hh"

namespace tributary {

/// The near end of a virtual network device (TAP or TUN): reads what the system sends on the device, and writes what it is to
/// receive. The device vanishes with the object, and with the program, however that ends. Never waits.
class VirtualDevice {
 public:
  enum class Layer {
    kFrames,   // of Ethernet: TAP
    kPackets,  // of IP: TUN
  };
  enum class Offload {
    kNone,
    kChecksums,  // before each packet stands a header (virtio), and its contents may lack their checksum
    kTcp,        // the same, and one packet may hold several segments of TCP
  };
  static constexpr std::size_t kHeader = 10;
  /// Makes the device in the network namespace of the calling thread. Throws std::system_error with advice in its text.
  VirtualDevice(const std::string& name, Layer layer, Offload offload = Offload::kNone);

  int file_descriptor() const { return fd_.get(); }
  /// Nothing if there is nothing to read. Throws std::system_error if the device was deleted.
  std::optional<std::vector<std::byte>> read();
  /// If the system does not take it (the device is not up), it is lost, as on any other link.
  void write(std::span<const std::byte> bytes);
  /// Without carrier the system sees the device as unplugged: addresses and routes stay, but are not usable.
  void set_carrier(bool on);

 private:
  FileDescriptor fd_;
};

}  // namespace tributary
