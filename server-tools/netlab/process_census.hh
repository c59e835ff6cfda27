#pragma once

#include <sys/types.h>

#include <span>
#include <vector>

namespace tributary {

/// The other processes that are in one of these network namespaces (files as of /proc/PID/ns/net). Sees only
/// those that this process may look at.
std::vector<pid_t> processes_in(std::span<const int> network_namespaces);

/// Asks them to end, and ends those that still run after two seconds.
void end_processes_in(std::span<const int> network_namespaces);

}  // namespace tributary
