#pragma once

#include <cstdint>
#include <vector>

#include "simulation/scenario.hh"

namespace tributary {

/// The emulated dynamics of the thesis (section 4.3.1): two links, "link1" and "link2", with rates that always sum up
/// to `total`. Every 2 to 10 s (whole seconds) both change. link1 gets 1, 2, 3, 4 or 5 sixths of the total (0.5 to 2.5
/// Mbit/s of the thesis' 3 Mbit/s), and an RTT around 10 ms, normally distributed within 0 to 20 ms. link2 gets the
/// rest, and an RTT uniform in 20 to 80 ms. The same seed gives the same links on every machine. Covers one hour, then
/// loops.
std::vector<LinkScenario> thesis_dynamics(std::uint64_t seed, DataRate total);

}  // namespace tributary
