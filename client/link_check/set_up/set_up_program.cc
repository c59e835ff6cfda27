#include "link_check/set_up/set_up_program.hh"

#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <fstream>
#include <nlohmann/json.hpp>
#include <ranges>
#include <stdexcept>
#include <utility>

#include "link_check/set_up/link_changes_made.hh"
#include "link_check/set_up/services.hh"
#include "links/interfaces/link_details.hh"
#include "links/interfaces/netlink_link_monitor.hh"
#include "links/interfaces/network_name.hh"
#include "system/event_loop.hh"
#include "system/fed_command.hh"
#include "system/namespace_record.hh"
#include "system/stop_signal.hh"
#include "units/text/printed_text.hh"

namespace tributary {
namespace {

using namespace std::chrono_literals;

constexpr int kMostRounds = 10;
constexpr const char* kNoLink = "no Ethernet, Wi-Fi or cellular link is here; --link names one of another kind";
// Settings that no message of the kernel tells of.
constexpr Duration kLookEvery = 5s;

void say(const std::string& link, const std::string& text) {
  print_text(stderr, "tributary-links: {}: {}\n", link, text);
}

std::string reverse_path_setting(const std::string& link) {
  std::ifstream file{"/proc/sys/net/ipv4/conf/" + link + "/rp_filter"};
  std::string value;
  file >> value;
  return value;
}

bool is_hardware(const std::string& kind) { return kind == "ethernet" || kind == "wifi" || kind == "cellular"; }

/// The links to set up, as they are now.
class Links {
 public:
  explicit Links(const SetUpOptions& options) : options_{options}, snapshot_{kAnywhere} {}

  std::map<std::string, LinkToSetUp> now() const {
    std::map<std::string, LinkToSetUp> links;
    for (const auto& [name, state] : snapshot_.take()) {
      const bool named = std::ranges::find(options_.links, name) != options_.links.end();
      if (options_.links.empty() ? !is_hardware(state.kind) : !named) continue;
      LinkToSetUp& link = links[name];
      link.state = state;
      link.reverse_path = reverse_path_setting(name);
      link.strict_reverse_path = filters_reverse_path(name);
      link.managed = manager_.manages(name);
      if (const auto fixed = options_.fixed.find(name); fixed != options_.fixed.end()) link.fixed = fixed->second;
    }
    return links;
  }

 private:
  const SetUpOptions& options_;
  LinkSnapshot snapshot_;
  NetworkManager manager_;
};

/// Tells the user how far the link is from being usable.
std::string words_of(const LinkToSetUp& to_set_up) {
  const LinkState& link = to_set_up.state;
  if (!link.up) return "is down";
  if (!link.carrier) return link.kind == "wifi" ? "is in no Wi-Fi network" : "no carrier: nothing is at its other end";
  std::string ready, address;
  for (const LinkState::Family* family : {&link.ipv4, &link.ipv6}) {
    if (family->addresses.empty()) continue;
    if (address.empty()) address = *family->addresses.begin();
    if (!family->gateway.empty())
      ready += fmt::format("{} {} through {}", ready.empty() ? "ready:" : " and", *family->addresses.begin(),
                           family->gateway);
  }
  if (!ready.empty()) return ready;
  if (!address.empty()) return fmt::format("has the address {}, but no router is known", address);
  return to_set_up.managed ? fmt::format("waits for NetworkManager: nmcli device connect {}", link.name)
                           : "waits for an address";
}

// ---- Without changing anything

/// The steps from what the link is now to where it can be used.
std::vector<SetUpStep> foreseen(LinkToSetUp link) {
  std::vector<SetUpStep> taken;
  for (int round = 0; round < kMostRounds; ++round) {
    const std::size_t before = taken.size();
    for (const SetUpStep& step : wanted_steps(link, taken)) {
      if (std::ranges::find(taken, step.command, &SetUpStep::command) != taken.end()) continue;
      taken.push_back(step);
      foresee(link, step);
    }
    if (taken.size() == before) break;
  }
  return taken;
}

std::string script(const std::map<std::string, LinkToSetUp>& links) {
  if (links.empty()) return fmt::format("# {}\n", kNoLink);
  std::string text;
  for (const auto& [name, link] : links) {
    text += fmt::format("# {} {}\n", name, words_of(link));
    const std::vector<SetUpStep> steps = foreseen(link);
    for (const SetUpStep& step : steps)
      text += fmt::format("{}{}\n", command_text(step.command), step.runs_on ? "  # goes on until SIGTERM" : "");
    if (!steps.empty()) text += "#   at the end:\n";
    for (const SetUpStep& step : steps | std::views::reverse) {
      if (!step.undo.empty()) text += command_text(step.undo) + '\n';
    }
    text += '\n';
  }
  return text + "# Nothing was changed: --apply does it.\n";
}

std::string json(const std::map<std::string, LinkToSetUp>& links) {
  nlohmann::json list = nlohmann::json::array();
  for (const auto& [name, link] : links) {
    nlohmann::json steps = nlohmann::json::array();
    for (const SetUpStep& step : foreseen(link))
      steps.push_back({{"command", step.command}, {"undo", step.undo}, {"runs_on", step.runs_on}});
    list.push_back({{"name", name}, {"state", words_of(link)}, {"steps", steps}});
  }
  return nlohmann::json{{"links", list}}.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + '\n';
}

// ---- Changing it

class SetUpRun {
 public:
  explicit SetUpRun(const SetUpOptions& options)
      : options_{options},
        record_{"tributary-links", "set-up"},
        links_{options},
        monitor_{kAnywhere, options.links},
        changes_{{.run = [](const auto& link, const auto& command) { return run(link, command); },
                  .undo = [](const auto& link, const auto& command) { undo(link, command); },
                  .note = [this](const auto& undoing) { note(undoing); },
                  .start = [this](const auto& link, const auto& command) { return start(link, command); },
                  .end = [this](const auto& link, const auto& command) { end(link, command); }}} {}

  void run_until(int stop_fd) {
    if (!record_.take_alone())
      throw std::runtime_error{"another tributary-links --set-up --apply runs here, and one can do it"};
    after_one_that_was_killed();
    if (options_.links.empty() && links_.now().empty()) print_text(stderr, "tributary-links: {}\n", kNoLink);
    loop_.watch(stop_fd, [&](TimePoint) { loop_.stop(); });
    loop_.watch(monitor_.file_descriptor(), [&](TimePoint) { monitor_.poll(); });
    loop_.run([&](TimePoint now) { return std::optional{look(now)}; });
    loop_.forget(stop_fd);
    changes_.put_back();
    record_.remove();
  }

 private:
  TimePoint look(TimePoint now) {
    for (int round = 0; round < kMostRounds; ++round) {
      const auto links = links_.now();
      const bool changed = changes_.links_are(links);
      if (changed) continue;
      tell(links);
      break;
    }
    return now + kLookEvery;
  }

  void tell(const std::map<std::string, LinkToSetUp>& links) {
    for (const auto& [name, link] : links) {
      const std::string words = words_of(link);
      if (std::exchange(told_[name], words) != words) say(name, words);
    }
    for (const std::string& name : options_.links) told_.try_emplace(name);
    for (auto& [name, words] : told_) {
      constexpr auto kGone = "is not there: waits for it";
      if (!links.contains(name) && std::exchange(words, kGone) != kGone) say(name, words);
    }
  }

  static bool run(const std::string& link, const Command& command) {
    say(link, command_text(command));
    return feed_command(command_text(command) + " >&2", "");
  }

  static void undo(const std::string& link, const Command& command) {
    say(link, command_text(command));
    feed_command(command_text(command) + " >/dev/null 2>&1", "");
  }

  bool start(const std::string& link, const Command& command) {
    if (output_of_command("sh -c 'command -v udhcpc'").empty()) {
      say(link,
          "cannot ask for an address: udhcpc is not there; install it (Debian: udhcpc), or give the link one by --addresses");
      return false;
    }
    say(link, command_text(command));
    services_.start(command);
    loop_.watch(services_.file_descriptor(command), [this, link, command](TimePoint) {
      loop_.forget(services_.file_descriptor(command));
      say(link, "has ended: " + command_text(command));
      services_.forget(command);
      changes_.ended(command);
    });
    return true;
  }

  void end(const std::string& link, const Command& command) {
    say(link, "ends: " + command_text(command));
    loop_.forget(services_.file_descriptor(command));
    services_.end(command);
  }

  void note(const std::vector<Command>& undoing) { record_.write(nlohmann::json(undoing).dump()); }

  void after_one_that_was_killed() {
    const auto left = nlohmann::json::parse(record_.contents(), nullptr, false);
    if (left.is_discarded() || !left.is_array()) return;
    for (const Command& command : left.get<std::vector<Command>>()) undo("after one that was killed", command);
    record_.clear();
  }

  const SetUpOptions& options_;
  NamespaceRecord record_;
  Links links_;
  NetlinkLinkMonitor monitor_;
  EventLoop loop_;
  Services services_;
  LinkChangesMade changes_;
  std::map<std::string, std::string> told_;  // of each link
};

}  // namespace

std::string set_up_commands(const SetUpOptions& options) {
  const auto links = Links{options}.now();
  return options.json ? json(links) : script(links);
}

void set_up(const SetUpOptions& options) {
  const int stop_fd = stop_signal_fd();
  if (::geteuid() != 0) throw std::runtime_error{"--apply changes the network of this machine: run it as root"};
  SetUpRun{options}.run_until(stop_fd);
}

}  // namespace tributary
