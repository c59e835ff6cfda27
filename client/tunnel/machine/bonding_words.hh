#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "bonding/bonding_options.hh"

namespace tributary {

/// --scheduler, --resequencer, --keep-alive and --mtu, which both ends of a tunnel have. Options must outlive the app.
void add_bonding_options(CLI::App& app, bonding::BondingOptions& options);

/// Throws std::invalid_argument unless the system lets a network device have this name.
void expect_device_name(const std::string& name);

}  // namespace tributary
