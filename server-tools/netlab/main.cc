#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>

#include "netlab/commands.hh"
#include "units/printed_text.hh"

namespace tributary::netlab {
namespace {

constexpr const char* kAbout =
    "Emulated links in private network namespaces: a client and a server, joined by any number of links with "
    "a rate,\n"
    "a round-trip time, jitter, loss and a queue of their own.\n"
    "\n"
    "  tributary-netlab up demo \"wifi 16Mbps 20ms; lte 8Mbps 60ms, loss 0.5%\"\n"
    "  tributary-netlab exec demo server -- iperf3 --server --daemon\n"
    "  tributary-netlab exec demo client -- iperf3 --client 198.51.100.1 --bind-dev wifi --reverse\n"
    "  tributary-netlab set demo wifi down\n"
    "  tributary-netlab down demo\n"
    "\n"
    "In the lab, the server is 198.51.100.1 and 2001:db8::1, reached over every link; bind to a link to "
    "choose it.\n"
    "Needs root, or the permission to make user namespaces and to open /dev/net/tun.";

constexpr const char* kScenarioHelp =
    "links as NAME RATE RTT[, queue N][, loss P][, jitter D][, down T..[T]][, joins T][, at T SETTING]\n"
    "[, trace FILE], separated by \";\"; or dynamics [TOTAL] SEED; or @FILE";

int run(int argc, char** argv) {
  CLI::App app{kAbout, "tributary-netlab"};
  app.require_subcommand(1);
  int status = 0;
  std::string lab, scenario, link;
  const auto subcommand = [&](const char* name, const char* help) {
    CLI::App* command = app.add_subcommand(name, help);
    command->add_option("NAME", lab, "the lab")->required();
    return command;
  };

  UpOptions up_options;
  CLI::App* up_command = subcommand("up", "Make a lab with the links as they are at time 0");
  up_command->add_option("SCENARIO", scenario, kScenarioHelp)->required();
  up_command->add_flag("--play", up_options.play, "start the timeline of the scenario at once");
  up_command->add_option("--seed", up_options.seed, "of losses and jitter")->capture_default_str();
  up_command->callback([&] {
    up_options.lab = lab;
    up_options.scenario = scenario;
    status = up(up_options);
  });

  ExecOptions exec_options;
  CLI::App* exec_command = subcommand("exec", "Run a command in the lab, with its exit status");
  exec_command->add_option("SIDE", exec_options.side, "client or server")
      ->required()
      ->check(CLI::IsMember({"client", "server"}));
  exec_command->add_option("--user", exec_options.user, "run it as this user, when you are root");
  exec_command->add_option("COMMAND", exec_options.command, "after \"--\": the command and its arguments")->required();
  exec_command->callback([&] {
    exec_options.lab = lab;
    status = exec(exec_options);
  });

  std::vector<std::string> words;
  CLI::App* set_command = subcommand("set", "Change a link");
  set_command->add_option("LINK", link, "the link")->required();
  set_command
      ->add_option("CHANGE", words, "rate=R rtt=D jitter=D loss=P queue=N, and up, down (no carrier) or blackhole")
      ->required();
  set_command->callback([&] { status = set(lab, link, words); });

  bool detach = false;
  CLI::App* play_command = subcommand("play", "Play a scenario with the links of a lab; returns after its last change");
  play_command->add_option("SCENARIO", scenario, kScenarioHelp)->required();
  play_command->add_flag("--detach", detach, "return at once");
  play_command->callback([&] { status = play(lab, scenario, detach); });

  bool json = false;
  CLI::App* stats_command = subcommand("stats", "Show what the links are like and what they carried");
  stats_command->add_flag("--json", json, "for programs");
  stats_command->callback([&] { status = stats(lab, json); });

  subcommand("down", "End a lab and all that runs in it")->callback([&] { status = down(lab); });
  app.add_subcommand("list", "Show the labs that are up")->callback([&] { status = list(); });

  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error);
  } catch (const std::exception& error) {
    print_text(stderr, "tributary-netlab: {}\n", error.what());
    return exec_command->parsed() ? 125 : 1;  // 125: the command was not run
  }
  return status;
}

}  // namespace
}  // namespace tributary::netlab

int main(int argc, char** argv) { return tributary::netlab::run(argc, argv); }
