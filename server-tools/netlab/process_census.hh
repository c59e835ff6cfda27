#pragma once

#include <sys/types.h>

#include <span>
#include <vector>

namespace tributary {

/// The other processes in one of these network namespaces (files as in /proc/PID/ns/net). Sees only processes that this
/// one may inspect.
std::vector<pid_t> processes_in(std::span<const int> network_namespaces);

/// Asks those processes to end, and kills the ones that still run after two seconds.
void end_processes_in(std::span<const int> network_namespaces);

}  // namespace tributary
