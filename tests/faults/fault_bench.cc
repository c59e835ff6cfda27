// Runs fault plans by the thousand: fault_bench --first 1 --count 100000; one of them, with all that happens: fault_bench --seed 17
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <fstream>
#include <map>
#include <optional>

#include "fault_run.hh"
#include "fault_world.hh"
#include "trace/session_trace.hh"

using namespace tributary;
using namespace tributary::testing;

namespace {

int show(std::uint64_t seed, const std::string& trace_file) {
  const FaultPlan plan = random_plan(seed);
  fmt::print("{}", describe(plan));
  std::ofstream trace{trace_file};
  const Session start{table_of(plan), plan.options};
  TraceWriter writer{trace, start};
  const FaultResult result = run_plan(plan, &writer);
  fmt::print("  {} at {:.3f} s: {}; {} requests, {} failed, {} taken over, {} stalls of {:.3f} s; trace: {}\n",
             result.complete ? "complete" : "ended", to_seconds(result.end), result.ended_because, result.requests,
             result.failures, result.taken_over, result.stalls, to_seconds(result.stalled), trace_file);
  for (const std::string& fault : result.faults) fmt::print("  FAULT {}\n", fault);
  return result.faults.empty() ? 0 : 1;
}

/// "18.3 s: request 7 ..." is like "20.1 s: request 8 ...".
std::string kind_of(const std::string& fault) {
  std::string kind;
  for (const char c : fault.substr(fault.find(": ") + 2)) {
    const bool digit = (c >= '0' && c <= '9') || (c == '.' && kind.ends_with('#'));
    if (!digit || !kind.ends_with('#')) kind += digit ? '#' : c;
  }
  return kind;
}

int run_many(std::uint64_t first, std::uint64_t count) {
  FaultResult sum;
  std::size_t complete = 0, faulty = 0;
  std::map<std::string, std::pair<std::size_t, std::uint64_t>> kinds;
  const auto begin = std::chrono::steady_clock::now();
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    const FaultResult result = run_plan(random_plan(seed));
    sum.events += result.events;
    sum.requests += result.requests;
    sum.failures += result.failures;
    sum.taken_over += result.taken_over;
    sum.stalls += result.stalls;
    complete += result.complete ? 1 : 0;
    if (result.faults.empty()) continue;
    ++faulty;
    auto& kind = kinds[kind_of(result.faults[0])];
    if (kind.first++ < 5) {
      if (kind.first == 1) kind.second = seed;
      fmt::print("seed {}: {}  (fault_bench --seed {})\n", seed, result.faults[0], seed);
      std::fflush(stdout);
    }
  }
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  fmt::print("{} plans, {} complete, {} events, {} requests, {} failed, {} taken over, {} stalls; {:.1f} s\n", count,
             complete, sum.events, sum.requests, sum.failures, sum.taken_over, sum.stalls, seconds);
  for (const auto& [kind, found] : kinds)
    fmt::print("{} times, first by seed {}: {}\n", found.first, found.second, kind);
  return faulty == 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{
      "Streams over links and from an origin that fail at random, in virtual time, and sees to it that all is right"};
  std::uint64_t first = 1, count = 1000;
  std::optional<std::uint64_t> seed;
  std::string trace = "fault.trace";
  app.add_option("--first", first, "The first seed")->capture_default_str();
  app.add_option("--count", count, "How many")->capture_default_str();
  app.add_option("--seed", seed, "This one only, in detail");
  app.add_option("--trace", trace, "With --seed: what happens, as tributary-bench writes it")->capture_default_str();
  CLI11_PARSE(app, argc, argv);
  return seed ? show(*seed, trace) : run_many(first, count);
}
