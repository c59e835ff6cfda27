#pragma once

#include <string>

namespace tributary {

/// Moves the calling thread into a fresh network namespace, as root or through a user namespace. False if
/// neither is allowed. There is no way back, and none is needed: each test takes a fresh one.
bool enter_fresh_network_namespace();

/// Runs "ip ARGUMENTS"; throws std::runtime_error if it fails.
void ip(const std::string& arguments);

}  // namespace tributary
