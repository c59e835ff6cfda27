// Kills either of two links at 50 moments in five ways, in virtual time, and compares with what nobody could avoid: docs/faults.md.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <fstream>
#include <vector>

#include "killed_link.hh"

using namespace tributary;
using namespace tributary::testing;
using namespace std::chrono_literals;

namespace {

std::string longest_and_median(std::vector<Duration> times) {
  if (times.empty()) return "-";
  std::ranges::sort(times);
  return fmt::format("{:.3f}/{:.3f} s", to_seconds(times[times.size() / 2]), to_seconds(times.back()));
}

struct Sum {
  std::size_t runs = 0, faulty = 0, stalls = 0, unavoidable = 0, beyond = 0;
  Duration longest_beyond{};
  std::vector<Duration> noticed, handed_over, carries_again, carries_as_before;
};

void add(Sum& sum, const KilledLink& killed, const KilledResult& result) {
  ++sum.runs;
  sum.stalls += result.stalls;
  sum.unavoidable += result.unavoidable_stalls;
  if (!result.run.complete || !result.run.faults.empty()) {
    ++sum.faulty;
    fmt::print("{}: {}\n", describe(killed),
               result.run.faults.empty() ? result.run.ended_because : result.run.faults[0]);
  }
  if (result.stalls > result.unavoidable_stalls) {
    if (++sum.beyond <= 3)
      fmt::print("{}: {} stalls of {:.3f} s, unavoidable {} of {:.3f} s\n", describe(killed), result.stalls,
                 to_seconds(result.stalled), result.unavoidable_stalls, to_seconds(result.unavoidable));
  }
  sum.longest_beyond = std::max(sum.longest_beyond, result.stalled - result.unavoidable);
  if (result.noticed) sum.noticed.push_back(*result.noticed);
  if (result.handed_over) sum.handed_over.push_back(*result.handed_over);
  if (result.carries_again) sum.carries_again.push_back(*result.carries_again);
  if (result.carries_as_before) sum.carries_as_before.push_back(*result.carries_as_before);
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{"Kills either of two links at 50 moments in five ways, in virtual time"};
  std::string adaptation = "fixed:low";
  app.add_option("--adaptation", adaptation, "How qualities are chosen")->capture_default_str();
  std::string only_approach, only_death;
  app.add_option("--approach", only_approach, "Only this one: balanced, dynamic, static");
  app.add_option("--death", only_death, "Only this one, as it is printed");
  CLI11_PARSE(app, argc, argv);
  bool right = true;
  using enum SubsegmentApproach;
  for (const SubsegmentApproach approach : {kBalanced, kDynamic, kStatic}) {
    if (!only_approach.empty() && only_approach != name_of(approach)) continue;
    for (const Death death : kDeaths) {
      if (!only_death.empty() && only_death != to_string(death)) continue;
      for (std::uint32_t link = 0; link < 2; ++link) {
        Sum sum;
        for (int moment = 0; moment < 50; ++moment) {
          KilledLink killed{link, TimePoint{4s + moment * 173ms}, death, approach, adaptation, std::nullopt};
          add(sum, killed, run(killed));
        }
        Sum returns;
        for (int moment = 0; moment < 50; moment += 5) {
          const TimePoint at{4s + moment * 173ms};
          KilledLink killed{link, at, death, approach, adaptation, at + 5s};
          add(returns, killed, run(killed));
        }
        fmt::print(
            "{:8} {:20} link {}: {} runs, {} faulty; {} stalls, {} unavoidable, {} runs with more, by at most {:.3f} s; noticed "
            "after {}, handed over after {}, carries again after {}, as much as before after {} (median/longest; {} and {} of {})\n",
            name_of(approach), to_string(death), link, sum.runs, sum.faulty, sum.stalls, sum.unavoidable, sum.beyond,
            to_seconds(sum.longest_beyond), longest_and_median(sum.noticed), longest_and_median(sum.handed_over),
            longest_and_median(returns.carries_again), longest_and_median(returns.carries_as_before),
            returns.carries_again.size(), returns.carries_as_before.size(), returns.runs);
        right = right && sum.faulty + sum.beyond + returns.faulty == 0;
      }
    }
  }
  return right ? 0 : 1;
}
