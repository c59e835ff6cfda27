#pragma once

#include "program/options/command_line.hh"

namespace tributary {

/// Adds --link-via and --link-via-login: proxies that are links of their own; --lent: links that others lend; and --proxy:
/// one that all links lead through (links/link_catalogue.hh). Options must outlive the app. To be called after add_network_options().
void add_proxy_options(CLI::App& app, NetworkOptions& options);

}  // namespace tributary
