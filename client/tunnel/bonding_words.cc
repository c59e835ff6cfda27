#include "tunnel/bonding_words.hh"

#include <fmt/format.h>
#include <net/if.h>

#include <algorithm>
#include <cctype>
#include <stdexcept>
#include <vector>

#include "bonding/scheduling/path_scheduler.hh"
#include "command_line/choice.hh"

namespace tributary {
namespace {

// The least that IPv6 lets a network carry; beyond this, no link takes a datagram.
constexpr int kLeastMtu = 1280, kMostMtu = 9000;

}  // namespace

void add_bonding_options(CLI::App& app, bonding::BondingOptions& options) {
  std::vector<std::string> names;
  for (const bonding::SchedulerKind& kind : bonding::scheduler_kinds()) names.emplace_back(kind.name);
  allow_words(app.add_option("--scheduler", options.scheduler,
                             fmt::format("How this end divides packets among links: {}.", fmt::join(names, ", "))),
              names)
      ->option_text("NAME")
      ->default_str(options.scheduler)
      ->group("Tunnel");
  app.add_option_function<int>(
         "--mtu", [&options](int bytes) { options.mtu = DataSize{bytes}; },
         "The largest packet in the tunnel; both ends must allow it.")
      ->option_text("BYTES")
      ->check(CLI::Range(kLeastMtu, kMostMtu))
      ->default_str(std::to_string(options.mtu.bytes()))
      ->group("Tunnel");
}

void expect_device_name(const std::string& name) {
  const bool known = std::ranges::all_of(
      name, [](unsigned char c) { return std::isalnum(c) != 0 || c == '_' || c == '.' || c == '-'; });
  if (name.empty() || name.size() >= IFNAMSIZ || !known || name[0] == '-' || name[0] == '.')
    throw std::invalid_argument{
        fmt::format("\"{}\": expected the name of a device: up to 15 letters, digits, \"_\", \"-\" and \".\"", name)};
}

}  // namespace tributary
