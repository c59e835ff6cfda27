#pragma once

#include <string>

#include "system/file_descriptor.hh"

namespace tributary {

/// Moves the calling process, which must have one thread, into a new network namespace. If the process lacks the right,
/// it first becomes root of a user namespace of its own. Throws std::system_error if the system does not allow that
/// either.
void enter_new_network_namespace();

/// The present namespace of the calling process. The namespace lives as long as the result, or a process in it.
FileDescriptor open_network_namespace();
FileDescriptor open_user_namespace();

/// Moves the calling process into both namespaces. It may already be in the user namespace.
void join_namespaces(const FileDescriptor& user, const FileDescriptor& network);

/// Changes from root to this user, by name or number, with the user's groups. Throws std::invalid_argument if there is
/// no such user.
void become_user(const std::string& user);

}  // namespace tributary
