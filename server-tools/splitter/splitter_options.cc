#include "splitter/splitter_options.hh"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "bonding/stage/processor.hh"
#include "command_line/choice.hh"
#include "command_line/introduction.hh"
#include "command_line/parse.hh"
#include "tunnel/machine/bonding_words.hh"
#include "units/text/quantity_text.hh"

namespace tributary {
namespace {

const Introduction kIntroduction{
    "Lets unmodified senders of TCP use several links to a network: sends the segments of each connection over these links in "
    "turn, and drops the duplicate acknowledgments that come of their different delays. It runs on a machine that "
    "forwards packets between the senders and the links. Runs until Ctrl-C; nothing is left behind then.",
    "0 after Ctrl-C, 1 if it cannot be set up, 2 for a wrong command line.",
    {"tributary-splitter 198.51.100.0/24 --senders eth0 --link a=40ms --link b=80ms",
     "tributary-splitter --simulate \"a 1.544Mbps 40ms; b 1.544Mbps 120ms\""}};

/// "dsl1=40ms"
SplitterLink parse_link(const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos)
    throw std::invalid_argument{fmt::format("\"{}\": expected a link and its round trip, as dsl1=40ms", text)};
  SplitterLink link{.name = text.substr(0, equals), .round_trip = parse_duration(text.substr(equals + 1))};
  expect_device_name(link.name);
  return link;
}

void add_link(SplitterOptions& options, SplitterLink link) {
  if (std::ranges::find(options.links, link.name, &SplitterLink::name) != options.links.end())
    throw std::invalid_argument{fmt::format("--link {}: the link is there twice", link.name)};
  options.links.push_back(std::move(link));
}

void expect_ways(const SplitterOptions& options) {
  if (!options.receivers)
    throw std::invalid_argument{"NETWORK is required: that of the receivers, as 198.51.100.0/24 (or --simulate)"};
  if (options.senders.empty())
    throw std::invalid_argument{"--senders is required: the device by which their packets come"};
  if (options.links.empty()) throw std::invalid_argument{"--link is required, once for each link to the receivers"};
  if (std::ranges::find(options.links, options.senders, &SplitterLink::name) != options.links.end())
    throw std::invalid_argument{fmt::format("--senders {}: the device is one of the links", options.senders)};
  expect_device_name(options.senders);
  expect_device_name(options.device);
}

void add_connection_options(CLI::App& app, SplitterOptions& options) {
  std::vector<std::string> names;
  for (const std::string_view name : bonding::processor_names()) names.emplace_back(name);
  allow_words(
      app.add_option("--processor", options.processor,
                     "What is done with the packets of a connection: the filter, or links in turn and no more."),
      names)
      ->default_str(options.processor)
      ->group("Connections");
  app.add_option("--port", options.ports, "Only connections with this port at either end; repeat the option for more.")
      ->option_text("PORT")
      ->allow_extra_args(false)
      ->group("Connections");
  app.add_option("--most-connections", options.most_connections, "Let further connections pass as they are.")
      ->option_text("N")
      ->check(CLI::Range(1, 1'000'000))
      ->default_str(std::to_string(options.most_connections))
      ->group("Connections");
}

/// The words of options that are read when all of them are known.
struct Words {
  std::string network, close, length;
  std::vector<std::string> links;
};

void add_link_options(CLI::App& app, SplitterOptions& options, Words& words) {
  app.add_option("NETWORK", words.network, "The network of the receivers, behind all links.");
  app.add_option("--link", words.links,
                 "Send over this link, whose round trip, without queues, is RTT: over it, and back over the link that "
                 "acknowledgments take. Repeat the option.")
      ->option_text("NAME=RTT")
      ->allow_extra_args(false);
  app.add_option("--close", words.close,
                 "Use only links whose round trip is longer by this at most than the shortest one.")
      ->option_text("D");
  app.add_option("--senders", options.senders, "The device by which packets of senders come.")->option_text("DEVICE");
  app.add_option("--device", options.device, "The name of the device that packets are led through.")
      ->option_text("NAME")
      ->default_str(options.device);
  group(app, "Links", {"--link", "--close", "--senders", "--device"});
}

void add_virtual_options(CLI::App& app, SplitterOptions& options, Words& words) {
  const auto simulate =
      app.add_option("--simulate", options.simulate,
                     "Touch no network: transfer over the links of this scenario in virtual time, and print the "
                     "outcome as JSON.")
          ->option_text("SCENARIO");
  for (const char* real : {"NETWORK", "--link", "--close", "--senders", "--device", "--port", "--most-connections"})
    simulate->excludes(app.get_option(real));
  app.add_option("--length", words.length, "How long the simulated transfer takes.")
      ->option_text("D")
      ->default_str("600s")
      ->needs(simulate);
  app.add_option("--seed", options.seed, "Begin random losses and jitter with this seed.")
      ->option_text("S")
      ->default_str("1")
      ->needs(simulate);
  group(app, "Virtual time", {"--simulate", "--length", "--seed"});
}

void read(const Words& words, SplitterOptions& options) {
  if (!words.length.empty()) options.length = parse_duration(words.length);
  if (options.length <= Duration{}) throw std::invalid_argument{"--length: expected more than 0"};
  if (!options.simulate.empty()) return;
  if (!words.close.empty()) options.close_within = parse_duration(words.close);
  if (!words.network.empty()) options.receivers = IpNetwork::from(words.network);
  for (const std::string& link : words.links) add_link(options, parse_link(link));
  expect_ways(options);
}

}  // namespace

SplitterOptions parse_splitter_command_line(int argc, char** argv) {
  SplitterOptions options;
  Words words;
  CLI::App app{"", "tributary-splitter"};
  introduce(app, kIntroduction);
  add_version(app, TRIBUTARY_VERSION);
  add_link_options(app, options, words);
  add_connection_options(app, options);
  add_virtual_options(app, options, words);
  parse(app, argc, argv, [&] { read(words, options); });
  return options;
}

}  // namespace tributary
