#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "worlds/network_memory.hh"

namespace tributary {

/// What this user's programs measured of the networks that their links lead to: those on the way to these addresses. Null where
/// there is no home to keep it in, which is said.
std::shared_ptr<NetworkMemory> link_memory(std::vector<std::string> origin_addresses,
                                           std::function<void(const std::string& text)> say);

/// --forget.
void add_forget(CLI::App& app, bool& forget);
/// What was measured is forgotten, and that is said; the bytes used of metered links stay counted. Throws std::exception.
void forget_networks(std::FILE* say_to);

}  // namespace tributary
