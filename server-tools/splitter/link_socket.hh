#pragma once

#include <string>

#include "bonding/wire/bytes.hh"
#include "system/file_descriptor.hh"
#include "units/data_size.hh"

namespace tributary {

/// Sends whole packets of IP over one link: to the next hop that the routes of that link name.
class LinkSocket {
 public:
  /// Throws std::system_error with advice in its text.
  explicit LinkSocket(const std::string& link);

  /// Never waits. What the system does not take is lost, as on any link.
  void send(bonding::ByteSpan packet);
  /// The largest packet that the link takes. Throws std::system_error.
  DataSize mtu() const;

 private:
  std::string link_;
  FileDescriptor ipv4_, ipv6_;  // the latter is closed where there is no IPv6
};

}  // namespace tributary
