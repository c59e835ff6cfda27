// Writes traces of sessions that no command line of tributary-bench makes: with seeks, wishes of the user, switched links,
// reporting players, downloads, growing presentations, costs that change, remembered links, and origins with faults.
//   session_corpus FOLDER FIRST_SEED COUNT    plan-SEED.trace and walk-SEED.trace for each seed
#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>

#include "fault_run.hh"
#include "fault_world.hh"
#include "support/session_walk.hh"
#include "trace/session_trace.hh"
#include "units/split_mix.hh"

namespace {

using namespace tributary;
using namespace tributary::testing;

std::ofstream open(const std::filesystem::path& file) {
  std::ofstream out{file};
  out.exceptions(std::ios::failbit | std::ios::badbit);
  return out;
}

void write_plan(const std::filesystem::path& file, std::uint64_t seed) {
  const FaultPlan plan = random_plan(seed);
  std::ofstream out = open(file);
  TraceWriter trace{out, Session{table_of(plan), plan.options}};
  run_plan(plan, &trace);
}

void write_walk(const std::filesystem::path& file, std::uint64_t seed) {
  constexpr std::size_t kChoices = 4'000;
  SplitMix mix{seed};
  std::vector<std::uint8_t> choices(kChoices);
  for (std::uint8_t& choice : choices) choice = static_cast<std::uint8_t>(mix.below(256));
  SessionWalk walk{Choices{choices.data(), choices.size()}, false};
  std::ofstream out = open(file);
  TraceWriter trace{out, walk.session()};
  const auto& complaints = walk.run(&trace);
  if (!complaints.empty()) throw std::runtime_error(fmt::format("{}: {}", file.string(), complaints[0]));
  if (!walk.session().finished()) throw std::runtime_error(fmt::format("{}: there is no end", file.string()));
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) {
    fmt::print(stderr, "usage: {} FOLDER FIRST_SEED COUNT\n", argv[0]);
    return 2;
  }
  try {
    const std::filesystem::path folder{argv[1]};
    const std::uint64_t first = std::strtoull(argv[2], nullptr, 10);
    const std::uint64_t end = first + std::strtoull(argv[3], nullptr, 10);
    for (std::uint64_t seed = first; seed < end; ++seed) {
      write_plan(folder / fmt::format("plan-{}.trace", seed), seed);
      write_walk(folder / fmt::format("walk-{}.trace", seed), seed);
    }
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}: {}\n", argv[0], error.what());
    return 1;
  }
}
