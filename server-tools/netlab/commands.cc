#include "netlab/commands.hh"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "netlab/background.hh"
#include "netlab/control_socket.hh"
#include "netlab/lab_daemon.hh"
#include "netlab/lab_network.hh"
#include "netlab/namespaces.hh"
#include "netlab/scenario_json.hh"
#include "units/text/printed_text.hh"
#include "units/text/quantity_text.hh"

namespace tributary::netlab {
namespace {

using nlohmann::json;

std::vector<LinkScenario> load_scenario(const std::string& argument) {
  if (!argument.starts_with('@')) return parse_scenario(argument);
  std::ifstream file{argument.substr(1)};
  const std::string text{std::istreambuf_iterator<char>{file}, {}};
  if (!file) throw std::runtime_error("cannot read " + argument.substr(1));
  return parse_scenario(text);
}

ControlConnection connect(const std::string& lab) {
  if (auto connection = connect_to_lab(lab)) return std::move(*connection);
  throw std::runtime_error(fmt::format("there is no lab \"{}\": start one with tributary-netlab up", lab));
}

json ask(ControlConnection& connection, const json& request) {
  connection.send(request);
  while (connection.read()) {
    const auto answer = connection.take_message();
    if (!answer) continue;
    if (answer->contains("error")) throw std::runtime_error(answer->at("error").get<std::string>());
    return *answer;
  }
  throw std::runtime_error("the lab ended without an answer");
}

json ask(const std::string& lab, const json& request) {
  ControlConnection connection = connect(lab);
  return ask(connection, request);
}

/// The length of the scenario; nothing if it loops.
std::optional<Duration> length_of(const std::vector<LinkScenario>& links) {
  Duration length{};
  for (const LinkScenario& link : links) {
    if (link.period) return std::nullopt;
    length = std::max(length, link.changes.back().at.time_since_epoch());
  }
  return length;
}

std::string describe(const json& condition) {
  if (!condition.at("up").get<bool>()) return "down";
  const std::string state = condition.at("blackhole").get<bool>() ? "blackhole, " : "";
  const auto milliseconds = [&](const char* name) { return condition.at(name).get<double>() / 1e6; };
  return state + fmt::format("{}, rtt {:g} ms, jitter {:g} ms, loss {:g} %, queue {}",
                             format_rate(DataRate::bits_per_second(condition.at("rate_bit_s").get<double>())),
                             milliseconds("rtt_ns"), milliseconds("jitter_ns"),
                             100 * condition.at("loss").get<double>(), condition.at("queue_packets").get<int>());
}

void print_direction(const char* name, const json& counters) {
  const auto number = [&](const char* key) { return counters.at(key).get<std::int64_t>(); };
  print_text(stdout, "  {}: {} frames, {}, {} waiting; dropped: {} queue full, {} lost, {} link down\n", name,
             number("frames"), format_size(DataSize{number("bytes")}), number("waiting"), number("dropped_queue"),
             number("dropped_loss"), number("dropped_down"));
}

}  // namespace

int up(const UpOptions& options) {
  const LabOptions lab{.name = options.lab,
                       .links = load_scenario(options.scenario),
                       .origin = options.origin,
                       .with_nat = options.with_nat,
                       .members = options.members,
                       .play = options.play,
                       .seed = options.seed};
  for (const LinkScenario& link : lab.links) {
    if (link.name == "lo" || link.name == "behind")
      throw std::invalid_argument(fmt::format("\"{}\": expected another name, this one is the lab's own", link.name));
  }
  for (const std::string& name : lab.with_nat) {
    if (std::ranges::find(lab.links, name, &LinkScenario::name) == lab.links.end())
      throw std::invalid_argument(fmt::format("--nat {}: the scenario has no such link", name));
  }
  if (lab.members) {
    for (const LinkScenario& link : lab.links)
      if (link.name.starts_with("lan"))
        throw std::invalid_argument(fmt::format("\"{}\": expected another name, members have a LAN", link.name));
    if (lab.links.size() > LabLayout::kMostMembers)
      throw std::invalid_argument(fmt::format("a lab has room for {} members", LabLayout::kMostMembers));
  }
  if (lab.links.size() > 254) throw std::invalid_argument("a lab has room for 254 links");
  run_in_background([&](const auto& on_ready) { run_lab(lab, on_ready); });
  return 0;
}

int exec(const ExecOptions& options) {
  ControlConnection connection = connect(options.lab);
  ask(connection, {{"command", "namespaces"}});
  const std::vector<FileDescriptor> files = connection.take_files();
  if (files.size() < 3) throw std::runtime_error("the lab did not hand over its namespaces");
  const std::size_t side = options.side == "client" ? 1 : options.side == "server" ? 2 : 3;
  if (side >= files.size()) throw std::runtime_error("this lab has no origin: it was made without --origin");
  join_namespaces(files[0], files[side]);
  if (!options.user.empty()) become_user(options.user);

  std::vector<char*> arguments;
  for (const std::string& word : options.command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  ::execvp(arguments[0], arguments.data());
  const int error = errno;
  print_text(stderr, "tributary-netlab: run {}: {}\n", options.command[0], std::strerror(error));
  return error == ENOENT ? 127 : 126;  // the exit statuses of a shell
}

int set(const std::string& lab, const std::string& link, const std::vector<std::string>& words) {
  json request{{"command", "set"}, {"link", link}};
  for (const std::string& word : words) {
    const std::size_t equals = word.find('=');
    if (equals == std::string::npos) {
      request["state"] = word;
    } else {
      request["settings"][word.substr(0, equals)] = word.substr(equals + 1);
    }
  }
  ask(lab, request);
  return 0;
}

int play(const std::string& lab, const std::string& scenario, bool detach) {
  const std::vector<LinkScenario> links = load_scenario(scenario);
  ControlConnection connection = connect(lab);
  ask(connection, {{"command", "play"}, {"scenario", to_json(links)}});
  const bool ended = !detach && wait_until_readable(connection.file_descriptor(), length_of(links));
  if (ended) print_text(stdout, "the lab \"{}\" has ended\n", lab);
  return 0;
}

int stats(const std::string& lab, bool as_json) {
  const json answer = ask(lab, {{"command", "stats"}});
  if (as_json) {
    print_text(stdout, "{}\n", answer.dump(2, ' ', true));
    return 0;
  }
  for (const json& link : answer.at("links")) {
    print_text(stdout, "{}: {}\n", link.at("name").get<std::string>(), describe(link.at("condition")));
    print_direction("to client", link.at("to_client"));
    print_direction("to server", link.at("to_server"));
  }
  return 0;
}

int down(const std::string& lab) {
  auto connection = connect_to_lab(lab);
  if (!connection) {
    print_text(stdout, "there is no lab \"{}\", nothing to end\n", lab);
    return 0;
  }
  const FileDescriptor process = connection->open_peer_process();
  ask(*connection, {{"command", "down"}});
  wait_until_readable(process.get(), std::nullopt);
  return 0;
}

int list() {
  for (const std::string& lab : running_labs()) {
    std::string links;
    const json answer = ask(lab, {{"command", "stats"}});
    for (const json& link : answer.at("links")) links += " " + link.at("name").get<std::string>();
    print_text(stdout, "{}: process {}, links{}\n", lab, answer.at("pid").get<int>(), links);
  }
  return 0;
}

}  // namespace tributary::netlab
