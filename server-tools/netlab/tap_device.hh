#pragma once

#include <optional>
#include <string>

#include "netlab/link_shaper.hh"
#include "system/file_descriptor.hh"

namespace tributary {

/// The near end of a TAP device: reads frames that the system sends on the device, and writes frames for the system to
/// receive. The device vanishes with the object. Never waits.
class TapDevice {
 public:
  /// Makes the device in the network namespace of the calling thread. Throws std::system_error with advice in its text.
  explicit TapDevice(const std::string& name);

  int file_descriptor() const { return fd_.get(); }
  /// Nothing if there is no frame to read. Throws std::system_error if the device was deleted.
  std::optional<Frame> read();
  /// If the system does not take the frame (the device is not up), the frame is lost, as on any other link.
  void write(const Frame& frame);
  /// Without carrier the system sees the device as unplugged: addresses and routes stay, but are not usable.
  void set_carrier(bool on);

 private:
  FileDescriptor fd_;
};

}  // namespace tributary
