#include <iostream>

#include "benchmark/batch.hh"
#include "benchmark/bench_options.hh"
#include "benchmark/runs.hh"
#include "command_line/program_end.hh"
#include "program/options/forget_networks.hh"

namespace tributary {
namespace {

RunEnd run(const BenchOptions& options, RunEnd (*run_line)(int argc, char** argv)) {
  if (options.batch) {
    run_batch(std::cin, std::cout, run_line);
    return {};
  }
  if (options.community) return model_community(options);
  const bool only_forget = options.index.empty() && !options.replay;
  if (options.forget) forget_networks(only_forget ? stdout : stderr);
  if (only_forget) return {};
  if (options.replay) return replay_trace(options);
  return options.scenario ? simulate(options) : stream(options);
}

RunEnd run_command(int argc, char** argv) {
  RunEnd end;
  end.exit_status = run_program({.program = "tributary-bench"}, [&] {
    end = run(parse_command_line(argc, argv), run_command);
    return end.exit_status;
  });
  return end;
}

}  // namespace
}  // namespace tributary

int main(int argc, char** argv) { return tributary::run_command(argc, argv).exit_status; }
