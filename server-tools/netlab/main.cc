#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "command_line/choice.hh"
#include "command_line/introduction.hh"
#include "command_line/parse.hh"
#include "netlab/commands.hh"

namespace tributary::netlab {
namespace {

const Introduction kIntroduction{
    "Emulates links between a client and a server, each in a private network namespace. Each link has a rate, a round-trip "
    "time, jitter, loss and a queue. The server is 198.51.100.1 and 2001:db8::1 over every link; a socket that is bound to "
    "a link uses that one. It needs root, or the permission to make user namespaces and to open /dev/net/tun.",
    "0 if it was done, 1 if not, 2 for a wrong command line; exec has the status of its command, or 125 if that was not run.",
    {"tributary-netlab up lab \"wifi 16Mbps 20ms; lte 8Mbps 60ms, loss 0.5%\"",
     "tributary-netlab exec lab client -- ping -I wifi 198.51.100.1"}};

constexpr const char* kScenario =
    "Links as NAME RATE RTT[, queue N][, loss P][, jitter D][, down T..[T]] [, joins T][, at T SETTING][, trace FILE], "
    "separated by \";\"; or dynamics [TOTAL] SEED; or @FILE.";

int run(int argc, char** argv) {
  CLI::App app{"", "tributary-netlab"};
  introduce(app, kIntroduction);
  add_version(app, TRIBUTARY_VERSION);
  app.require_subcommand(1);
  int status = 0;
  std::string lab, scenario, link;
  const auto subcommand = [&](const char* name, const char* about, const char* example) {
    CLI::App* command = app.add_subcommand(name);
    introduce(*command, {about, "", {example}});
    command->add_option("LAB", lab, "The name of the lab.")->required();
    return command;
  };

  UpOptions up_options;
  CLI::App* up_command = subcommand("up", "Make a lab whose links are as the scenario has them at its start.",
                                    "tributary-netlab up lab \"wifi 16Mbps 20ms; lte 8Mbps 60ms\"");
  up_command->add_option("SCENARIO", scenario, kScenario)->required();
  up_command->add_flag("--origin", up_options.origin,
                       "Put a third machine, origin, behind the server: 203.0.113.2 and 2001:db8:1::2.");
  up_command
      ->add_option("--nat", up_options.with_nat,
                   "Put a NAT between the two ends of this link; repeat the option for more.")
      ->option_text("LINK")
      ->allow_extra_args(false);
  up_command->add_flag(
      "--members", up_options.members,
      "Let each link be that of another machine on the client's LAN, which forwards; the client has a device for each.");
  up_command->add_flag("--play", up_options.play, "Start the timeline of the scenario at once.");
  up_command->add_option("--seed", up_options.seed, "Begin random losses and jitter with this seed.")
      ->option_text("S")
      ->default_str("1");
  up_command->callback([&] {
    up_options.lab = lab;
    up_options.scenario = scenario;
    status = up(up_options);
  });

  ExecOptions exec_options;
  CLI::App* exec_command = subcommand("exec", "Run a command in a lab, and end with its exit status.",
                                      "tributary-netlab exec lab client -- ping -I wifi 198.51.100.1");
  allow_words(
      exec_command->add_option("SIDE", exec_options.side, "The side of the lab: client, server or origin.")->required(),
      {"client", "server", "origin"});
  exec_command->add_option("--user", exec_options.user, "Run it as this user, if you are root.")->option_text("USER");
  exec_command->add_option("COMMAND", exec_options.command, "The command and its arguments, after --.")->required();
  exec_command->callback([&] {
    exec_options.lab = lab;
    status = exec(exec_options);
  });

  std::vector<std::string> words;
  CLI::App* set_command =
      subcommand("set", "Change a link of a lab.", "tributary-netlab set lab lte rate=4Mbps loss=1%");
  set_command->add_option("LINK", link, "The name of the link.")->required();
  set_command
      ->add_option(
          "CHANGE", words,
          "Any of rate=R, rtt=D, jitter=D, loss=P, queue=N; up, down (no carrier) or blackhole (a carrier, and nothing passes).")
      ->required();
  set_command->callback([&] { status = set(lab, link, words); });

  bool detach = false;
  CLI::App* play_command =
      subcommand("play", "Play the timeline of a scenario with the links of a lab, to its last change.",
                 "tributary-netlab play lab \"wifi 16Mbps 20ms, down 5s..8s; lte 8Mbps 60ms\"");
  play_command->add_option("SCENARIO", scenario, kScenario)->required();
  play_command->add_flag("--detach", detach, "Return at once.");
  play_command->callback([&] { status = play(lab, scenario, detach); });

  bool json = false;
  CLI::App* stats_command =
      subcommand("stats", "Show each link of a lab, and what it carried.", "tributary-netlab stats lab --json");
  stats_command->add_flag("--json", json, "Print the figures as JSON.");
  stats_command->callback([&] { status = stats(lab, json); });

  subcommand("down", "End a lab, and all programs that run in it.", "tributary-netlab down lab")->callback([&] {
    status = down(lab);
  });
  CLI::App* list_command = app.add_subcommand("list");
  introduce(*list_command, {"Show the labs that are up.", "", {"tributary-netlab list"}});
  list_command->callback([&] { status = list(); });

  // 125: the command was not run.
  const auto status_after = [&](const std::exception&) { return exec_command->parsed() ? 125 : 1; };
  return run_program({.program = "tributary-netlab", .other = status_after}, [&] {
    parse(app, argc, argv);
    return status;
  });
}

}  // namespace
}  // namespace tributary::netlab

int main(int argc, char** argv) { return tributary::netlab::run(argc, argv); }
