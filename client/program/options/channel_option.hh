#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace tributary {

/// --channel.
void add_channel(CLI::App& app, std::vector<std::string>& channels);
/// The address of the channels, in place of the given one, which must be the only one. Throws std::invalid_argument.
void choose_channels(const std::vector<std::string>& channels, std::vector<std::string>& urls);

}  // namespace tributary
