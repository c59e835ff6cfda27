#pragma once

#include <chrono>
#include <string>

#include "units/session_clock.hh"

namespace tributary::transport {

/// How connections over one link are made, whatever they carry.
struct LinkRules {
  std::string link;     // the interface they are bound to; empty: whatever the routes say
  std::string ca_file;  // trusted certificates; empty: the system's
  Duration connect_timeout = std::chrono::seconds{4};
};

}  // namespace tributary::transport
