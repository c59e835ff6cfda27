#include "tunnel/machine/bonding_words.hh"

#include <fmt/format.h>
#include <fmt/ranges.h>
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
constexpr double kLeastKeepAlive = 1, kMostKeepAlive = 120;  // no relay waits for a client longer than 3 minutes

void add_resequencer_option(CLI::App& app, bonding::BondingOptions& options) {
  std::vector<std::pair<std::string, bonding::ResequencerKind>> kinds;
  std::vector<std::string> names;
  for (const auto& [name, kind] : bonding::resequencer_kinds()) {
    names.emplace_back(name);
    kinds.emplace_back(name, kind);
  }
  allow_words(app.add_option_function<std::string>(
                  "--resequencer",
                  [&options, kinds](const std::string& name) {
                    for (const auto& [known, kind] : kinds) {
                      if (known == name) options.resequencer = kind;
                    }
                  },
                  fmt::format("How this end puts packets in order: {}.", fmt::join(names, ", "))),
              names)
      ->option_text("NAME")
      ->default_str(names.front())
      ->group("Tunnel");
}

void add_keep_alive_option(CLI::App& app, bonding::BondingOptions& options) {
  app.add_option_function<double>(
         "--keep-alive", [&options](double seconds) { options.keep_alive = from_seconds(seconds); },
         "Ask over a link after this time without news, so that a NAT keeps its mapping.")
      ->option_text("SECONDS")
      ->check(CLI::Range(kLeastKeepAlive, kMostKeepAlive))
      ->default_str(fmt::format("{}", to_seconds(options.keep_alive)))
      ->group("Tunnel");
}

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
  add_resequencer_option(app, options);
  add_keep_alive_option(app, options);
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
