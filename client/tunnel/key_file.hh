#pragma once

#include <string>

#include "bonding/handshake/preshared_key.hh"

namespace tributary {

/// The key of a relay and its clients, in a file of one line. Throws std::runtime_error if it cannot be read, is no key, or
/// can be read by other users.
bonding::PresharedKey read_key(const std::string& path);
/// Makes a new key in a file that did not exist, for this user alone. Throws std::system_error.
void write_new_key(const std::string& path);

}  // namespace tributary
