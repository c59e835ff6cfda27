#pragma once

#include <cstdint>
#include <string>

#include "system/file_descriptor.hh"

namespace tributary {

/// A listening socket on 127.0.0.1 or [::1], at a port that was free.
FileDescriptor listen_on_loopback(const std::string& address = "127.0.0.1");
std::uint16_t port_of(const FileDescriptor& socket);
/// A port nobody listened on a moment ago.
std::uint16_t free_port(const std::string& address);
bool can_connect(const std::string& address, std::uint16_t port);

}  // namespace tributary
