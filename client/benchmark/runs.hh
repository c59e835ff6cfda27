#pragma once

#include "benchmark/batch.hh"
#include "benchmark/bench_options.hh"

namespace tributary {

// The kinds of runs. Each streams, writes what was asked for, and throws std::exception if it cannot.

/// In virtual time, over the links of the scenario.
RunEnd simulate(const BenchOptions& options);
/// In virtual time, too, but no session: streams or a file for a community that lends links.
RunEnd model_community(const BenchOptions& options);
/// In real time, over the links of this machine.
RunEnd stream(const BenchOptions& options);
/// Takes the decisions of a trace again. Throws if one of them is another one now.
RunEnd replay_trace(const BenchOptions& options);

}  // namespace tributary
