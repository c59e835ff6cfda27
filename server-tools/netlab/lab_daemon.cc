#include "netlab/lab_daemon.hh"

#include <fmt/format.h>
#include <sched.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <system_error>
#include <utility>
#include <vector>

#include "netlab/control_socket.hh"
#include "netlab/deadline.hh"
#include "netlab/emulated_link.hh"
#include "netlab/lab_network.hh"
#include "netlab/process_census.hh"
#include "netlab/scenario_json.hh"
#include "netlab/scenario_player.hh"
#include "system/event_loop.hh"

namespace tributary {
namespace {

using nlohmann::json;

std::vector<std::string> names_of(const std::vector<LinkScenario>& links) {
  std::vector<std::string> names;
  for (const LinkScenario& link : links) names.push_back(link.name);
  return names;
}

json to_json(const LinkShaper& shaper) {
  const ShaperCounters& counters = shaper.counters();
  return {{"frames", counters.frames},
          {"bytes", counters.bytes.bytes()},
          {"dropped_queue", counters.dropped_queue},
          {"dropped_loss", counters.dropped_loss},
          {"dropped_down", counters.dropped_down},
          {"waiting", shaper.waiting()}};
}

void apply_state(EmulatedCondition& condition, const std::string& state) {
  if (state != "up" && state != "down" && state != "blackhole") {
    throw std::invalid_argument(fmt::format("\"{}\": expected up, down or blackhole", state));
  }
  condition.link.up = state != "down";
  condition.blackhole = state == "blackhole";
}

class Lab {
 public:
  Lab(const LabOptions& options)
      : listener_{options.name},
        network_{make_lab_network({names_of(options.links), options.origin, options.with_nat, options.members})} {
    for (std::size_t i = 0; i < options.links.size(); ++i) {
      TapPair& taps = network_.links[i];
      links_.push_back(std::make_unique<EmulatedLink>(options.links[i].name, std::move(taps.client),
                                                      std::move(taps.server), options.links[i].at(TimePoint{}),
                                                      options.seed + i));
      watch_link(*links_.back());
    }
    loop_.watch(listener_.file_descriptor(), [this](TimePoint) { accept(); });
    if (options.play) player_.emplace(options.links, EventLoop::now());
  }

  void run() {
    loop_.run([this](TimePoint now) { return do_what_is_due(now); });
  }

 private:
  void watch_link(EmulatedLink& link) {
    watch_device(link.client_file_descriptor(), [&link](TimePoint now) { link.read_from_client(now); });
    watch_device(link.server_file_descriptor(), [&link](TimePoint now) { link.read_from_server(now); });
  }

  void watch_device(int fd, EventLoop::ReadableHandler read) {
    loop_.watch(fd, [this, fd, read = std::move(read)](TimePoint now) {
      try {
        read(now);
      } catch (const std::system_error&) {
        loop_.forget(fd);  // a program in the lab has deleted the device; the other links go on
      }
    });
  }

  std::optional<TimePoint> do_what_is_due(TimePoint now) {
    std::optional<TimePoint> next;
    if (player_) {
      next = player_->advance(now, [&](std::string_view name, const LinkCondition& condition, TimePoint at) {
        link_named(name).change({.link = condition}, at);
      });
      if (!next) player_.reset();
    }
    for (const auto& link : links_) next = earlier(next, link->deliver(now));
    return next;
  }

  void accept() {
    auto connection = std::make_shared<ControlConnection>(listener_.accept());
    const int fd = connection->file_descriptor();
    loop_.watch(fd, [this, fd, connection](TimePoint now) {
      if (!serve(*connection, now)) loop_.forget(fd);
    });
  }

  /// Answers commands; false if the conversation is over.
  bool serve(ControlConnection& connection, TimePoint now) {
    try {
      if (!connection.read()) return false;
      while (const auto request = connection.take_message()) answer(connection, *request, now);
      return true;
    } catch (const std::exception&) {
      return false;  // the other end breaks the protocol, or has left: end the conversation
    }
  }

  void answer(ControlConnection& connection, const json& request, TimePoint now) {
    try {
      const auto command = request.at("command").get<std::string>();
      if (command == "namespaces") {
        connection.send(json::object(), namespace_files());
      } else {
        connection.send(do_command(command, request, now));
      }
    } catch (const std::invalid_argument& error) {
      connection.send({{"error", error.what()}});
    } catch (const json::exception& error) {
      connection.send({{"error", error.what()}});
    }
  }

  json do_command(const std::string& command, const json& request, TimePoint now) {
    if (command == "set") return set(request, now);
    if (command == "play") return play(request, now);
    if (command == "stats") return stats();
    if (command == "down") return down();
    throw std::invalid_argument(fmt::format("\"{}\" is no command", command));
  }

  json set(const json& request, TimePoint now) {
    EmulatedLink& link = link_named(request.at("link").get<std::string>());
    EmulatedCondition condition = link.condition();
    const json settings = request.value("settings", json::object());
    for (const auto& [name, value] : settings.items()) {
      apply_setting(condition.link, name, value.get<std::string>());
    }
    if (request.contains("state")) apply_state(condition, request.at("state").get<std::string>());
    link.change(condition, now);
    return json::object();
  }

  json play(const json& request, TimePoint now) {
    std::vector<LinkScenario> scenario = scenario_from_json(request.at("scenario"));
    for (const LinkScenario& link : scenario) link_named(link.name);
    player_.emplace(std::move(scenario), now);
    return json::object();
  }

  json stats() const {
    json links = json::array();
    for (const auto& link : links_) {
      json condition = to_json(link->condition().link);
      condition["blackhole"] = link->condition().blackhole;
      links.push_back({{"name", link->name()},
                       {"condition", std::move(condition)},
                       {"to_client", to_json(link->to_client())},
                       {"to_server", to_json(link->to_server())}});
    }
    return {{"pid", ::getpid()}, {"playing", player_.has_value()}, {"links", std::move(links)}};
  }

  json down() {
    const std::vector<int> files = namespace_files();
    end_processes_in(std::span{files}.subspan(1));
    loop_.stop();
    return json::object();
  }

  std::vector<int> namespace_files() const {
    std::vector<int> files{network_.user_namespace.get(), network_.client_namespace.get(),
                           network_.server_namespace.get()};
    if (network_.origin_namespace.is_open()) files.push_back(network_.origin_namespace.get());
    return files;
  }

  EmulatedLink& link_named(std::string_view name) {
    const auto found = std::ranges::find(links_, name, [](const auto& link) { return link->name(); });
    if (found == links_.end()) throw std::invalid_argument(fmt::format("this lab has no link \"{}\"", name));
    return **found;
  }

  ControlListener listener_;  // first: finds its directory before a user namespace changes the user
  LabNetwork network_;
  EventLoop loop_;
  std::vector<std::unique_ptr<EmulatedLink>> links_;
  std::optional<ScenarioPlayer> player_;
};

/// Raises the priority, because a link must not wait for the programs that use it. A wake-up that is later than the
/// queue lasts leaves the link idle (100 Mbit/s, 64 packets: 8 ms). Without the right to it, the priority stays.
void go_first() {
  const sched_param lowest{.sched_priority = 1};
  if (::sched_setscheduler(0, SCHED_RR | SCHED_RESET_ON_FORK, &lowest) == 0) return;
  ::setpriority(PRIO_PROCESS, 0, -20);
}

}  // namespace

void run_lab(const LabOptions& options, const std::function<void()>& on_ready) {
  Lab lab{options};
  go_first();
  on_ready();
  lab.run();
}

}  // namespace tributary
