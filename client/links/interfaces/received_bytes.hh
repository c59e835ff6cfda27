#pragma once

#include <optional>
#include <string>

#include "links/interfaces/link_snapshot.hh"
#include "units/data_size.hh"

namespace tributary {

/// Asks the kernel how many bytes have come over an interface, those of headers and of everybody on this machine too.
class ReceivedBytes {
 public:
  /// Throws std::runtime_error if the kernel refuses a socket.
  ReceivedBytes() : socket_{open_route_socket()} {}

  /// Since the interface came to be. Nothing: there is no such interface.
  std::optional<DataSize> over(const std::string& link) const;

 private:
  NlSocket socket_;
};

}  // namespace tributary
