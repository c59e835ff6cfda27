#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "accounts/link_terms.hh"
#include "command_line/introduction.hh"
#include "command_line/parse.hh"
#include "command_line/read_option.hh"
#include "core/session_options.hh"
#include "program/options/named_links.hh"
#include "transport/connections/link_rules.hh"

namespace tributary {

/// The group of options about links.
inline constexpr const char* kLinksGroup = "Links";
inline constexpr const char* kProxiesGroup = "Links of others, and proxies";

/// What the user says of links and connections.
struct NetworkOptions {
  std::vector<std::string> links;  // only these; empty: all that lead to the origin
  TermsOfLinks terms;              // their costs
  NamedLinks expected;
  transport::LinkRules rules;  // of connections over any link
};

/// Adds --link and --link-optional. Options must outlive the app.
void add_link_options(CLI::App& app, NetworkOptions& options);
/// Adds --link, --link-optional, --cacert and --http, as every program has them. Options must outlive the app.
/// `--link NAME` without a cost limits the session to the named links; a cost alone limits nothing.
void add_network_options(CLI::App& app, NetworkOptions& options);
/// --connections: SessionOptions::connections.
void add_connections(CLI::App& app, std::uint32_t& connections);
/// --spend-for.
void add_spend_for(CLI::App& app, std::string& quality);
/// --subsegments.
void add_approach(CLI::App& app, SubsegmentApproach& approach, const std::string& help);
/// --forget.
void add_forget(CLI::App& app, bool& forget);

}  // namespace tributary
