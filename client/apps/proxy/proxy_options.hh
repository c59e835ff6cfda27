#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "program/options/command_line.hh"
#include "proxy/titles/proxied_title.hh"

namespace tributary {

/// The command line of tributary-proxy.
struct ProxyOptions : NetworkOptions {
  std::vector<std::string> urls;   // of manifests; none: the page asks for one
  std::string open;                // the player to start: mpv, vlc, browser, or a command; empty: none
  std::uint16_t port = 0;          // 0: the system chooses
  std::vector<std::string> pages;  // origins of pages of others that may use the proxy
  bool any_user = false;           // may use the proxy
  std::uint32_t duplicates_percent = 5;
  std::uint32_t connections = 0;  // SessionOptions::connections
  std::string spend_for = kSpendForLowest;
  proxy::ProxyRules proxy_rules;
  bool lead = false;  // counts in the rules
  bool cmcd = false;  // see ProxyRules
  bool json = false;
  bool forget = false;
};

/// Throws CommandLineEnd (command_line/parse.hh).
ProxyOptions parse_proxy_command_line(int argc, char** argv);

}  // namespace tributary
