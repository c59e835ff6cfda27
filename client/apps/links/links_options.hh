#pragma once

#include <optional>
#include <string>
#include <vector>

#include "transport/connections/link_rules.hh"
#include "units/data_size.hh"
#include "worlds/accounts/link_terms.hh"

namespace tributary {

struct LinksOptions {
  std::vector<std::string> links;  // empty: all
  TermsOfLinks terms;              // costs of the links
  std::string ca_file;
  transport::HttpVersion http = transport::HttpVersion::kAuto;
  std::optional<std::string> check;  // URL to fetch over every link
  DataSize sample{2'000'000};        // fetched to measure the throughput
  bool json = false;
  bool forget = false;  // forget all measurements of networks, and do nothing else
};

/// Throws CommandLineEnd.
LinksOptions parse_links_command_line(int argc, char** argv);

}  // namespace tributary
