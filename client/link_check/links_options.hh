#pragma once

#include <optional>
#include <string>

#include "program/options/command_line.hh"
#include "units/data_size.hh"

namespace tributary {

/// The command line of tributary-links. Costs change nothing there.
struct LinksOptions : NetworkOptions {
  std::optional<std::string> check;  // URL to fetch over every link
  DataSize sample{2'000'000};        // fetched to measure the throughput
  bool json = false;
  bool set_up = false, apply = false;
  std::string addresses;              // file of fixed addresses; empty: none
  std::optional<std::string> borrow;  // from this lender; empty text: from one that is found
  std::string code;                   // for that; empty: it is asked for
  bool list_lenders = false;
  std::optional<std::string> give_back;  // the name of a lender

  bool forget = false;  // forget all measurements of networks, and do nothing else
};

/// Throws CommandLineEnd.
LinksOptions parse_links_command_line(int argc, char** argv);

}  // namespace tributary
