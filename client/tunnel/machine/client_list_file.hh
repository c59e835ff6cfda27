#pragma once

#include <string>

#include "bonding/handshake/admission.hh"
#include "bonding/handshake/identities.hh"

namespace tributary {

/// A relay's list of clients in a file: a line for each, its name and its public key. There are no secrets in it, so that
/// everybody may read it, also a relay that runs as a user of its own. No file is an empty list.

/// Throws std::runtime_error, with the line, for a list that is broken.
bonding::ClientList read_client_list(const std::string& path);

/// Makes a client, adds it to the list, and writes its key to `key_path`, where nothing was. Throws std::invalid_argument
/// for a name that is no name or is taken, and std::runtime_error if a file cannot be written; the list is as before then.
void add_client(const std::string& path, const bonding::RelayIdentity& relay, const std::string& name,
                const std::string& key_path);
/// Throws std::invalid_argument if there is none of this name, and std::runtime_error.
void remove_client(const std::string& path, const std::string& name);

}  // namespace tributary
