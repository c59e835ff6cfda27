#pragma once

#include <optional>
#include <string>

#include "netlab/link_shaper.hh"
#include "system/file_descriptor.hh"

namespace tributary {

/// The near end of a TAP device: reads what the system sends on the device, writes what the system is to
/// receive. The device vanishes with this object. Never waits.
class TapDevice {
 public:
  /// Makes the device in the network namespace of the calling thread. Throws std::system_error, whose text
  /// says what to do, when this is not possible.
  explicit TapDevice(const std::string& name);

  int file_descriptor() const { return fd_.get(); }
  /// Nothing when there is nothing to read. Throws std::system_error when somebody has deleted the device.
  std::optional<Frame> read();
  /// A frame is lost when the system does not take it (the device is not up), as on any other link.
  void write(const Frame& frame);
  /// Without carrier the system sees the device as unplugged: addresses and routes stay, but are not usable.
  void set_carrier(bool on);

 private:
  FileDescriptor fd_;
};

}  // namespace tributary
