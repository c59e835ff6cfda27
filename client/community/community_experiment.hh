#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "units/data_rate.hh"
#include "units/data_size.hh"
#include "units/session_clock.hh"

namespace tributary::community {

/// What is sent to one receiver over the links of a community, and how a proxy divides it.
///
///   experiment := SCHEDULER ("," clause)*      a scheduler of the tunnel (bonding/scheduling/path_scheduler.hh)
///   clause     := "stream" RATE                a constant stream of packets; the first is the most important layer
///               | "file" SIZE                  or one connection of TCP, until it has brought this much
///               | "packet" SIZE                what one packet carries; 1 kB
///               | "headers" SIZE               bytes that it is larger by on a link; none
///               | "window" SIZE                that the receiver of TCP allows; as much as wanted
///               | "told" DURATION              how old what the proxy knows of the links is; 0
///               | "from" DURATION              when it begins, by the time of the links; 0
///               | "for" DURATION               how long streams last, and a file at most; 1000 s
struct Experiment {
  std::string scheduler;
  std::vector<DataRate> streams{};
  std::optional<DataSize> file{};
  DataSize packet{1000};
  DataSize headers{};
  std::optional<DataSize> window{};
  Duration told{};
  TimePoint from{};
  Duration length = std::chrono::seconds{1000};
};

/// Throws std::invalid_argument that quotes the offending words.
Experiment parse_experiment(std::string_view text);

}  // namespace tributary::community
