#include <exception>
#include <iostream>

#include "apps/bench/batch.hh"
#include "apps/bench/bench_options.hh"
#include "apps/bench/runs.hh"
#include "apps/common/command_line_end.hh"
#include "apps/common/forget_networks.hh"
#include "units/printed_text.hh"

namespace tributary {
namespace {

RunEnd run_command(int argc, char** argv) {
  try {
    const BenchOptions options = parse_command_line(argc, argv);
    if (options.batch) {
      run_batch(std::cin, std::cout, run_command);
      return {};
    }
    const bool only_forget = options.index.empty() && !options.replay;
    if (options.forget) forget_networks(only_forget ? stdout : stderr);
    if (only_forget) return {};
    if (options.replay) return replay_trace(options);
    return options.scenario ? simulate(options) : stream(options);
  } catch (const CommandLineEnd& end) {
    return {end.exit_status};
  } catch (const std::exception& error) {
    print_text(stderr, "tributary-bench: {}\n", error.what());
    return {1};
  }
}

}  // namespace
}  // namespace tributary

int main(int argc, char** argv) { return tributary::run_command(argc, argv).exit_status; }
