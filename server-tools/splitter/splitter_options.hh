#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "units/session_clock.hh"
#include "units/text/ip_address.hh"

namespace tributary {

struct SplitterLink {
  std::string name;
  Duration round_trip;
};

struct SplitterOptions {
  std::optional<IpNetwork> receivers;
  std::string senders;  // the device by which their packets come
  std::vector<SplitterLink> links;
  std::string device{"tributary-split"};

  std::string processor{"dupack-filter"};
  std::optional<Duration> close_within;
  std::vector<std::uint16_t> ports;
  std::size_t most_connections = 1000;

  // Instead of all that: one connection in virtual time.
  std::string simulate;  // a scenario
  Duration length = std::chrono::seconds{600};
  std::uint64_t seed = 1;
};

/// Throws CommandLineEnd.
SplitterOptions parse_splitter_command_line(int argc, char** argv);

}  // namespace tributary
