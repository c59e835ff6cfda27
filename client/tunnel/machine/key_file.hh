#pragma once

#include <string>

#include "bonding/handshake/identities.hh"

namespace tributary {

/// Keys in files of a few lines each, for one user alone.

/// Throw std::runtime_error, with the line, if the file cannot be read, is no such key, or can be read by other users.
bonding::RelayIdentity read_relay_key(const std::string& path);
bonding::ClientIdentity read_client_key(const std::string& path);

/// Write a key to a file that did not exist. Throw std::system_error.
void write_relay_key(const std::string& path, const bonding::RelayIdentity& identity);
/// `name`: of the client in the relay's list.
void write_client_key(const std::string& path, const std::string& name, const bonding::ClientIdentity& identity);

}  // namespace tributary
