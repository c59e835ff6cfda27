#pragma once

#include <CLI/CLI.hpp>
#include <stdexcept>
#include <string>
#include <vector>

#include "accounts/link_terms.hh"
#include "command_line/introduction.hh"
#include "command_line/parse.hh"
#include "core/session_options.hh"
#include "program/options/named_links.hh"
#include "transport/connections/link_rules.hh"

namespace tributary {

/// An option whose text `read` turns into a value. If `read` throws std::invalid_argument, its text is the error.
template <typename Value, typename Read>
CLI::Option* add_read(CLI::App& app, const std::string& name, Value& value, Read read, const std::string& help) {
  return app
      .add_option_function<std::string>(
          name,
          [&value, read, name](const std::string& text) {
            try {
              value = read(text);
            } catch (const std::invalid_argument& error) {
              throw CLI::ValidationError(name, error.what());
            }
          },
          help)
      ->option_text("TEXT");
}

/// The group of options about links.
inline constexpr const char* kLinksGroup = "Links";
inline constexpr const char* kProxiesGroup = "Proxies";

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
/// --spend-for.
void add_spend_for(CLI::App& app, std::string& quality);
/// --subsegments.
void add_approach(CLI::App& app, SubsegmentApproach& approach, const std::string& help);
/// --forget.
void add_forget(CLI::App& app, bool& forget);

}  // namespace tributary
