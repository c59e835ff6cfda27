#include "two_links.hh"

#include <fmt/format.h>

#include <cstdlib>
#include <stdexcept>

#include "network_namespace.hh"

namespace tributary::testing {
namespace {

constexpr int kPort = 8080;
constexpr const char* kAddress = "198.51.100.1";

int number_of(const std::string& link) { return link == "wifi" ? 1 : 2; }

}  // namespace

TwoLinks::TwoLinks(const StreamOrigin::Content& content) {
  if (!enter_fresh_network_namespace()) throw NotAllowed{};
  ip("link set lo up");
  ip(fmt::format("address add {}/32 dev lo", kAddress));
  origin_ = std::make_unique<StreamOrigin>(
      content, NginxServer::Options{.directives = fmt::format("listen {}:{};", kAddress, kPort)});
  if (!enter_fresh_network_namespace()) throw NotAllowed{};
  ip("link set lo up");
  for (const char* const link : {"wifi", "lte"}) plug(link);
}

void TwoLinks::plug(const std::string& link) const {
  const int n = number_of(link);
  ip(fmt::format("link add {0} type veth peer name {0}-peer netns {1}", link, origin_->server().process()));
  at_the_server(fmt::format("address add 10.{}.0.1/24 dev {}-peer", n, link));
  at_the_server(fmt::format("link set {}-peer up", link));
  ip(fmt::format("link set {} up", link));
  ip(fmt::format("address add 10.{}.0.2/24 dev {}", n, link));
  ip(fmt::format("route add default via 10.{0}.0.1 dev {1} metric {0}", n, link));
}

void TwoLinks::unplug(const std::string& link) const { ip("link delete " + link); }

std::string TwoLinks::url() const { return fmt::format("http://{}:{}/index.json", kAddress, kPort); }
std::string TwoLinks::url_of_nobody() { return fmt::format("http://198.51.100.2:{}/index.json", kPort); }

void TwoLinks::set_carrier(const std::string& link, bool on) const {
  at_the_server(fmt::format("link set {}-peer {}", link, on ? "up" : "down"));
}

void TwoLinks::set_silent(const std::string& link, bool silent) const {
  at_the_server(fmt::format("address {} 10.{}.0.1/24 dev {}-peer", silent ? "del" : "add", number_of(link), link));
}

void TwoLinks::at_the_server(const std::string& ip_arguments) const {
  const std::string command = fmt::format("nsenter --target {} --net ip {}", origin_->server().process(), ip_arguments);
  if (std::system(command.c_str()) != 0) throw std::runtime_error{"failed: " + command};
}

}  // namespace tributary::testing
