#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "simulation/scenario.hh"

namespace tributary {

struct LabOptions {
  std::string name;
  std::vector<LinkScenario> links;
  bool origin = false;  // a machine behind the server
  std::vector<std::string> with_nat{};
  bool members = false;    // lend the links (lab_network.hh)
  bool play = false;       // start the timeline at once, instead of staying at time 0
  std::uint64_t seed = 1;  // of losses and jitter
};

/// Is the lab: makes its network, moves frames, and answers commands, until a command ends it. Calls on_ready when the
/// links can be used. The calling process stays in the client namespace for good. Throws std::exception if the lab
/// cannot be made, or cannot go on.
///
/// Commands are JSON objects with a "command". If a command fails, its answer has an "error":
///   set         link, settings {"rate": "2Mbps", ...}, state "up" | "down" | "blackhole"; both may be missing
///   play        scenario (scenario_json.hh)
///   stats       answered by pid, playing, and for each link its condition and counters
///   namespaces  answered with files: user, and the networks of client, server and, if there is one, origin
///   down        ends the processes in the lab, answers, then ends the lab
void run_lab(const LabOptions& options, const std::function<void()>& on_ready);

}  // namespace tributary
