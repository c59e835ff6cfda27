#include "lend/lend_options.hh"

#include <fmt/format.h>

#include <functional>

#include "command_line/introduction.hh"
#include "command_line/parse.hh"
#include "command_line/read_option.hh"
#include "lending/identity/peers.hh"
#include "units/text/host.hh"
#include "units/text/quantity_text.hh"

namespace tributary::lending {
namespace {

std::uint16_t read_port(std::string_view text) {
  const auto port = port_number(text);
  if (!port) throw std::invalid_argument{fmt::format("\"{}\": expected a port, 0 to 65535", text)};
  return *port;
}

/// "7118", "192.0.2.1", "192.0.2.1:7118", "[2001:db8::1]:7118".
void read_listen(const std::string& text, LendServer::Options& server) {
  if (text.find_first_not_of("0123456789") == std::string::npos) {
    server.port = read_port(text);
    return;
  }
  const auto split = split_host(text);
  const auto address = split ? IpAddress::from(std::string{split->host}) : std::nullopt;
  if (!address) throw std::invalid_argument{fmt::format("\"{}\": expected [ADDRESS:]PORT", text)};
  server.address = address->text();
  if (split->port) server.port = read_port(*split->port);
}

std::uint16_t positive_port(std::string_view text) {
  const std::uint16_t port = read_port(text);
  if (port == 0) throw std::invalid_argument{fmt::format("\"{}\": expected a port, 1 to 65535", text)};
  return port;
}

template <typename Value>
std::function<std::optional<Value>(const std::string&)> positive(Value (*read)(std::string_view)) {
  return [read](const std::string& text) {
    const Value value = read(text);
    if (value <= Value{}) throw std::invalid_argument{fmt::format("\"{}\": expected more than 0", text)};
    return std::optional{value};
  };
}

void add_limits(CLI::App& app, LendingLimits& limits) {
  add_read(app, "--rate", limits.rate, positive(parse_rate), "Lend no more than this, to all together.")
      ->option_text("RATE")
      ->default_str("what you do not use yourself");
  add_read(app, "--a-day", limits.each_day.all, positive(parse_size), "Lend no more bytes a day, to all together.")
      ->option_text("SIZE");
  add_read(app, "--member-rate", limits.member_rate, positive(parse_rate), "Lend no more than this to one member.")
      ->option_text("RATE");
  add_read(app, "--member-a-day", limits.each_day.member, positive(parse_size),
           "Lend no more bytes a day to one member.")
      ->option_text("SIZE");
  group(app, "Limits", {"--rate", "--a-day", "--member-rate", "--member-a-day"});
}

void add_reach(CLI::App& app, Reachable& reachable) {
  add_each(app, "--allow", reachable.allowed, IpNetwork::from,
           "Let members reach this network too, though it is not public; repeat the option for more. Of this machine "
           "itself, only addresses that are named alone.")
      ->option_text("NETWORK")
      ->allow_extra_args(false);
  add_each(app, "--allow-port", reachable.ports, positive_port, "Let members reach this port too, beside 80 and 443.")
      ->option_text("PORT")
      ->allow_extra_args(false);
  group(app, "What members reach", {"--allow", "--allow-port"});
}

void add_members(CLI::App& app, LendOptions& options) {
  const auto pair = app.add_flag("--pair", options.pair,
                                 "Show a code with which somebody becomes a member, and wait until somebody has. The "
                                 "program that lends goes on beside this one.");
  const auto list = app.add_flag("--members", options.list_members, "List the members, and end.")->excludes(pair);
  app.add_option("--remove-member", options.remove_member, "End it with a member, at once, and end.")
      ->option_text("NAME")
      ->excludes(pair)
      ->excludes(list);
  group(app, "Members", {"--pair", "--members", "--remove-member"});
}

}  // namespace

LendOptions parse_lend_command_line(int argc, char** argv) {
  LendOptions options;
  LendServer::Options& server = options.server;
  server.lender.name = own_peer_name();
  CLI::App app{"", "tributary-lend"};
  introduce(
      app,
      {"Lends your uplink, or a part of it, to people whom you know: in their programs it is one more link. Your own "
       "traffic goes first. Members reach the web and nothing else; you see names of servers and numbers of bytes, "
       "never what is in them, if the servers' addresses begin with https. Runs until Ctrl-C, and prints what was lent.",
       "0 after Ctrl-C or when somebody is paired, 1 if it cannot lend or nobody is paired, 2 for a wrong command line.",
       {"tributary-lend --link wwan0 --a-day 2GB", "tributary-lend --pair", "tributary-lend --members"}});
  add_version(app, TRIBUTARY_VERSION);
  bool silent = false;
  std::string listen;
  app.add_option("--link", server.lender.link, "Lend this link.")
      ->option_text("NAME")
      ->default_str("the one that leads to the internet");
  app.add_option("--name", server.lender.name, "What members see: letters, digits, \"_\", \".\" and \"-\".")
      ->option_text("NAME")
      ->default_str("that of this machine");
  app.add_option("--listen", listen, "Listen at this TCP port, or at one address only.")
      ->option_text("[ADDRESS:]PORT")
      ->default_str(std::to_string(kLendingPort));
  app.add_flag("--silent", silent, "Tell nobody in the network (mDNS): members then know the address.");
  group(app, "Lending", {"--link", "--name", "--listen", "--silent"});
  add_limits(app, server.lender.limits);
  add_reach(app, server.lender.reachable);
  add_members(app, options);
  parse(app, argc, argv, [&] {
    if (!listen.empty()) read_listen(listen, server);
    if (!is_peer_name(server.lender.name))
      throw std::invalid_argument{
          fmt::format("--name: \"{}\": expected up to 32 letters, digits, \"_\", \".\" and \"-\"", server.lender.name)};
    server.announces = !silent;
    server.lender.folder = lending_folder();
  });
  return options;
}

}  // namespace tributary::lending
