#pragma once

#include <string>

#include "system/file_descriptor.hh"

namespace tributary {

/// Moves the calling process, which must have one thread, into a new network namespace. Where it lacks the
/// right, it first becomes root of a user namespace of its own. Throws std::system_error when the system does
/// not allow that either.
void enter_new_network_namespace();

/// The namespace in which the calling process is now; it lives as long as the result, or a process in it.
FileDescriptor open_network_namespace();
FileDescriptor open_user_namespace();

/// Moves the calling process into both. Joining one's own user namespace again is not an error.
void join_namespaces(const FileDescriptor& user, const FileDescriptor& network);

/// Gives up root for this user, by name or number, with the user's groups. Throws std::invalid_argument for a
/// user who does not exist.
void become_user(const std::string& user);

}  // namespace tributary
