#include <fmt/format.h>
#include <malloc.h>
#include <poll.h>

#include <atomic>
#include <chrono>
#include <future>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <stop_token>
#include <thread>

#include "apps/proxy/opened_player.hh"
#include "apps/proxy/proxy_options.hh"
#include "command_line/program_end.hh"
#include "memory/network_memory.hh"
#include "program/carried_report.hh"
#include "program/options/forget_networks.hh"
#include "program/real_link_costs.hh"
#include "proxy/proxy.hh"
#include "proxy/server/proxy_server.hh"
#include "system/stop_signal.hh"
#include "transport/connections/origin_addresses.hh"
#include "units/text/printed_text.hh"
#include "units/text/redacted_url.hh"

namespace tributary {
namespace {

void say(const std::string& text) { print_text(stderr, "tributary-proxy: {}\n", text); }

/// Throws NamedLinksUnusable.
void expect_links_to(const ProxyOptions& options) {
  expect_links(options.expected);
  if (options.expected.usable.empty()) return;
  for (const std::string& url : options.urls)
    expect_links(options.expected, transport::resolve(transport::parse_url(url).origin, options.rules));
}

/// Those of one title. Files on the disk are shared, and locked.
proxy::LinkWishes wishes_of(const ProxyOptions& options) {
  const auto costs = std::make_shared<RealLinkCosts>(options.terms, options.rules.catalogue.get(), say);
  proxy::LinkWishes wishes;
  wishes.links = options.links;
  wishes.terms = [costs](const std::string& link) { return costs->terms_of(link); };
  wishes.budget = {costs, &costs->budget()};
  wishes.memory = link_memory(kAnywhere, say);
  wishes.rules = options.rules;
  wishes.duplicates_percent = options.duplicates_percent;
  wishes.connections = options.connections;
  wishes.spend_for = proxy::SpendFor{options.spend_for};
  wishes.tell = say;
  return wishes;
}

/// With the address for players; nothing if the program is to end before it is known. Throws std::runtime_error.
std::optional<proxy::Proxy::Opened> open(proxy::Proxy& proxy, const std::string& url,
                                         const std::atomic<bool>& stopped) {
  const auto promise = std::make_shared<std::promise<proxy::Proxy::Opened>>();  // may be kept after that end
  std::future<proxy::Proxy::Opened> answer = promise->get_future();
  proxy.open(url, [promise](const proxy::Proxy::Opened& opened) { promise->set_value(opened); });
  while (answer.wait_for(std::chrono::milliseconds{50}) != std::future_status::ready) {
    if (stopped) return std::nullopt;
  }
  proxy::Proxy::Opened opened = answer.get();
  if (opened.local.empty()) throw std::runtime_error{opened.error};
  return opened;
}

/// `not_led`: why lead mode is not possible, if it was asked for and is not.
void print_address(const std::string& url, const std::string& address, const std::string& not_led, bool json) {
  nlohmann::ordered_json told{{"url", url}, {"local", address}};
  if (!not_led.empty()) {
    told["not_led"] = not_led;
    say(fmt::format("{}: the player chooses the quality: {}", redacted(url), not_led));
  }
  print_text(stdout, "{}\n", json ? told.dump() : address);
  std::fflush(stdout);
}

/// A segment is a buffer of some megabytes that lives for seconds. It is to go back to the system then, and not to stay in a
/// heap of each thread.
void give_back_large_buffers() {
  constexpr int kLarge = 256 * 1024, kHeaps = 2;
  mallopt(M_MMAP_THRESHOLD, kLarge);
  mallopt(M_ARENA_MAX, kHeaps);
}

int run(const ProxyOptions& options) {
  give_back_large_buffers();
  if (options.forget) forget_networks(options.urls.empty() ? stdout : stderr);
  if (options.forget && options.urls.empty()) return 0;
  expect_links_to(options);
  if (const std::string left_out = beside_vpn(options.links, kAnywhere); !left_out.empty()) say(left_out);
  const int stop_fd = stop_signal_fd();
  proxy::Proxy proxy{[&] { return wishes_of(options); }, options.proxy_rules, TRIBUTARY_VERSION};
  proxy::ProxyServer server{
      {.port = options.port, .page_origins = options.pages, .any_user = options.any_user, .limits = {}}, proxy};
  proxy.served_at(server.address());
  std::atomic<bool> stopped = false;
  const std::jthread stopper{[&](const std::stop_token& stop) {
    while (!stop.stop_requested()) {
      pollfd signal{stop_fd, POLLIN, 0};
      if (poll(&signal, 1, 200) > 0) break;
    }
    stopped = true;
    server.stop();
  }};
  std::jthread serving{[&](const std::stop_token& stop) {
    const std::stop_callback end{stop, [&] { server.stop(); }};
    server.run();
  }};
  for (const std::string& url : options.urls) {
    const auto opened = open(proxy, url, stopped);
    if (!opened) break;
    print_address(url, opened->local, opened->not_led, options.json);
    if (!options.open.empty() && options.open != kBrowser) start_player(player_command(options.open, opened->local));
  }
  const std::string page = server.address() + "/";
  if (options.urls.empty()) print_address("", page, "", options.json);
  // The page plays titles, too.
  if (!stopped && (options.open == kBrowser || (options.urls.empty() && !options.open.empty())))
    start_player(player_command(kBrowser, page));
  serving.join();
  print_text(stdout, options.json ? to_json(proxy.carried()) : to_text(proxy.carried()));
  return 0;
}

}  // namespace
}  // namespace tributary

int main(int argc, char** argv) {
  using namespace tributary;
  return run_program({.program = "tributary-proxy"}, [&] { return run(parse_proxy_command_line(argc, argv)); });
}
