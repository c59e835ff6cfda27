#include <fmt/format.h>

#include <algorithm>

#include "apps/links/link_entry.hh"

namespace tributary {
namespace {

std::string gateway_of(const LinkState& link) {
  return !link.ipv4.gateway.empty() ? link.ipv4.gateway : link.ipv6.gateway;
}

std::string add_route(const LinkState& link) {
  const std::string gateway = gateway_of(link);
  const bool six = link.ipv4.addresses.empty() && !link.ipv6.addresses.empty();
  // A metric of its own: the routes of the others stay, and stay first.
  return fmt::format("ip {}route add default via {} dev {} metric {}", six ? "-6 " : "",
                     gateway.empty() ? "ROUTER" : gateway, link.name, 1000 + link.interface_index);
}

LinkDiagnosis of_obstacle(const LinkState& link, std::string_view obstacle, bool network_manager) {
  const std::string connect = "nmcli device connect " + link.name;
  if (obstacle == "interface down") return {"the interface is down", fmt::format("ip link set {} up", link.name)};
  if (obstacle == "no carrier") {
    if (link.kind == "wifi")
      return {"it is in no Wi-Fi network",
              network_manager ? connect : fmt::format("iw dev {} connect SSID", link.name)};
    return {"no carrier: no cable is plugged in, or nothing is at its other end", ""};
  }
  if (obstacle == "no address")
    return {"it has no address that the origin could answer to", network_manager ? connect : "dhclient " + link.name};
  return {"it has an address, and no route to the origin leaves by it",
          network_manager ? "nmcli device reapply " + link.name : add_route(link)};
}

bool works(const LinkEntry& link) { return link.probe && !link.probe->failure; }

std::string host_of(const std::string& url) {
  try {
    return transport::parse_url(url).origin.host;
  } catch (const transport::UrlError&) {
    return {};
  }
}

std::string read_page(const LinkEntry& link, const std::string& url) {
  return fmt::format("curl --interface {} -L {}", link.state.name, url);
}

/// The links that the origin would rather be sent to: those with a route of a lesser metric.
const LinkEntry* preferred_to(const LinkEntry& link, const std::vector<LinkEntry>& links) {
  const auto found = std::ranges::find_if(links, [&](const LinkEntry& other) {
    return &other != &link && other.state.ipv4.usable() &&
           (!link.state.ipv4.usable() || other.state.ipv4.metric <= link.state.ipv4.metric);
  });
  return found == links.end() ? nullptr : &*found;
}

LinkDiagnosis of_silence(const LinkEntry& link, const std::vector<LinkEntry>& links, const std::string& text) {
  const LinkEntry* preferred = preferred_to(link, links);
  if (link.strict_reverse_path && preferred != nullptr) {
    return {fmt::format(
                "no answer gets in: the kernel drops it, because it would itself send over {} (rp_filter is strict)",
                preferred->state.name),
            fmt::format("sysctl -w net.ipv4.conf.{}.rp_filter=2", link.state.name)};
  }
  const std::string gateway = gateway_of(link.state);
  const bool others_work = std::ranges::any_of(links, works);
  return {fmt::format(
              "{}; {}", text,
              others_work
                  ? "the origin answers over other links: this one's router does not forward, or something blocks it"
                  : "neither does it over any other link: the origin may be down"),
          fmt::format("ping -c 3 -I {} {}", link.state.name, gateway.empty() ? "ROUTER" : gateway)};
}

LinkDiagnosis of_failure(const LinkEntry& link, const std::vector<LinkEntry>& links, const std::string& url) {
  using enum FailureReason;
  const LinkProbe::Failure& failure = *link.probe->failure;
  const bool others_work = std::ranges::any_of(links, works);
  const std::string& text = failure.text;
  switch (failure.reason) {
    case kResolve:
      return {text + ": nobody knows the name, or nobody could be asked", "getent ahosts " + host_of(url)};
    case kNoRoute:
      return {text + ": nothing at its end of the link answers, or there is no router", add_route(link.state)};
    case kInterface:
      return {text + ": the socket could not be bound to the link; other links would be used instead, so it is not",
              "setcap cap_net_raw+ep \"$(command -v tributary-play)\""};
    case kConnectTimeout:
    case kStalled:
      return of_silence(link, links, text);
    case kRefused:
      return {text + (others_work ? ": something on this link refuses for the origin" : ": no server listens there"),
              read_page(link, url)};
    case kTls:
    case kTlsVerification:
      if (others_work)
        return {text + ": somebody on this link answers in the origin's place (a login page?)",
                read_page(link, "http://" + host_of(url) + "/")};
      if (text.find("not yet valid") != std::string::npos || text.find("expired") != std::string::npos)
        return {text + ": the certificate is over, or the clock of this machine is wrong", "timedatectl set-ntp true"};
      return {text + ": the certificate is not the origin's, or not one that is trusted (--cacert FILE)", ""};
    case kNotFound:
    case kUnauthorized:
    case kRedirected:
    case kServerBusy:
      if (others_work)
        return {text + ": not so over the other links: a login page, or a limit that is used up?",
                read_page(link, url)};
      return {text, ""};
    default:
      return {text, ""};
  }
}

/// Whatever answers over this link is not what answers over the others.
std::optional<LinkDiagnosis> of_answer(const LinkEntry& link, const std::vector<LinkEntry>& links,
                                       const std::string& url) {
  const LinkProbe& probe = *link.probe;
  const std::string asked = host_of(url), answered = host_of(probe.answered_by);
  const bool elsewhere = !answered.empty() && answered != asked;
  const auto agrees = [&](const LinkEntry& other) {
    return &other != &link && works(other) && host_of(other.probe->answered_by) == answered &&
           other.probe->size == probe.size;
  };
  const auto differs = [&](const LinkEntry& other) { return &other != &link && works(other) && !agrees(other); };
  const bool alone = std::ranges::none_of(links, agrees) && std::ranges::any_of(links, differs);
  if (alone && elsewhere)
    return LinkDiagnosis{fmt::format("it is led to {} instead: a login page", answered),
                         "xdg-open http://" + asked + "/"};
  if (alone && !probe.ranges)
    return LinkDiagnosis{"another thing comes than over the other links: a login page, or a proxy",
                         read_page(link, url)};
  if (!probe.ranges)
    return LinkDiagnosis{"the origin does not answer ranges: one link only can bring each file",
                         "curl -r 0-0 -I " + url};
  if (!probe.also_over.empty())
    return LinkDiagnosis{
        fmt::format("its traffic leaves by {}: together they bring no more than that", probe.also_over[0]),
        fmt::format("ip route get {} oif {}", asked, link.state.name)};
  return std::nullopt;
}

}  // namespace

void diagnose(std::vector<LinkEntry>& links, const std::optional<std::string>& url, bool network_manager) {
  for (LinkEntry& link : links) {
    if (const auto obstacle = link.state.obstacle()) {
      link.diagnosis = of_obstacle(link.state, *obstacle, network_manager);
    } else if (link.probe && link.probe->failure) {
      link.diagnosis = of_failure(link, links, url.value_or(""));
    } else if (link.probe) {
      link.diagnosis = of_answer(link, links, url.value_or(""));
    }
  }
}

}  // namespace tributary
