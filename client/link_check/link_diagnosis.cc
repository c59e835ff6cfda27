#include <fmt/format.h>

#include <algorithm>

#include "link_check/link_entry.hh"
#include "system/fed_command.hh"
#include "units/text/ip_address.hh"
#include "units/text/redacted_url.hh"

namespace tributary {
namespace {

constexpr std::string_view kRouter = "ROUTER";

/// The link's gateway, of the family that the link has addresses of; a placeholder if it has none.
std::string router_of(const LinkState& link) {
  const LinkState::Family& family = link.ipv4.addresses.empty() ? link.ipv6 : link.ipv4;
  return family.gateway.empty() ? std::string{kRouter} : family.gateway;
}

std::string add_route(const LinkState& link) {
  // A high metric of its own, so that the routes of other links stay, and stay first.
  return fmt::format("ip {}route add default via {} dev {} metric {}", link.ipv4.addresses.empty() ? "-6 " : "",
                     router_of(link), link.name, 1000 + link.interface_index);
}

LinkDiagnosis without_address(const LinkState& link, const std::vector<std::string>& origin,
                              const std::string& connect) {
  const bool six = std::ranges::any_of(origin, is_ipv6), four = !std::ranges::all_of(origin, is_ipv6);
  if (six && four)
    return {"the link has no address to which the origin could answer",
            connect.empty() ? "dhclient " + link.name : connect};
  return {fmt::format("the link has no {0} address, but the origin has only {0} addresses", six ? "IPv6" : "IPv4"),
          !connect.empty() ? connect : fmt::format("dhclient {}{}", six ? "-6 " : "", link.name)};
}

LinkDiagnosis of_obstacle(const LinkState& link, std::string_view obstacle, const CheckedOrigin& origin,
                          bool network_manager) {
  const std::string connect = "nmcli device connect " + link.name;
  if (obstacle == "interface down") return {"the interface is down", fmt::format("ip link set {} up", link.name)};
  if (obstacle == kBesideVpn)
    return {fmt::format("the VPN {} leads all traffic, and no program uses this link beside it unless --link names it",
                        link.beside_vpn),
            ""};
  if (obstacle == "no carrier") {
    if (link.kind == "wifi")
      return {"the link is in no Wi-Fi network",
              network_manager ? connect : fmt::format("iw dev {} connect SSID", link.name)};
    return {"no carrier: no cable is plugged in, or nothing is at its other end", ""};
  }
  if (obstacle == "no address") return without_address(link, origin.addresses, network_manager ? connect : "");
  const std::string problem = "the link has an address, but no route to the origin";
  if (network_manager) return {problem, "nmcli device reapply " + link.name};
  const LinkState::Family& family = link.ipv4.addresses.empty() ? link.ipv6 : link.ipv4;
  return {fmt::format("{} ({}: the router that {} is in a network with)", problem, kRouter, *family.addresses.begin()),
          add_route(link)};
}

bool works(const LinkEntry& link) { return link.probe && !link.probe->failure; }

/// The origin answered, if it was the origin: it has no such file, or gives it to nobody.
bool is_refused(const LinkEntry& link) {
  return link.probe && link.probe->failure && is_refusal(link.probe->failure->reason);
}
bool is_answered(const LinkEntry& link) { return works(link) || is_refused(link); }

std::string host_of(const std::string& url) {
  try {
    return transport::parse_url(url).origin.host;
  } catch (const transport::UrlError&) {
    return {};
  }
}

/// The address of the site alone: a login page needs no path, which may hold secrets.
std::string site_of(const std::string& url) { return transport::parse_url(url).origin.url() + "/"; }

std::string ask_router(const LinkState& link) { return fmt::format("ping -c 3 -I {} {}", link.name, router_of(link)); }

std::string read_page(const LinkEntry& link, const std::string& url) {
  return fmt::format("curl --interface {} -L {}", link.state.name, shell_quoted(redacted(url)));
}

/// Another link that the kernel prefers for the origin: one with a route of an equal or lesser metric. Null: there is
/// none.
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
    return {
        fmt::format(
            "no answer comes in: the kernel drops answers, because it would itself send over {} (rp_filter is strict)",
            preferred->state.name),
        fmt::format("sysctl -w net.ipv4.conf.{}.rp_filter=2", link.state.name)};
  }
  return {fmt::format(
              "{}; {}", text,
              std::ranges::any_of(links, is_answered)
                  ? "the origin answers over other links: this link's router does not forward, or something blocks it"
                  : "no other link brings an answer, either: the origin may be down"),
          ask_router(link.state)};
}

LinkDiagnosis of_failure(const LinkEntry& link, const std::vector<LinkEntry>& links, const std::string& url) {
  using enum FailureReason;
  const LinkProbe::Failure& failure = *link.probe->failure;
  const bool others_work = std::ranges::any_of(links, works);
  const std::string& text = failure.text;
  switch (failure.reason) {
    case kResolve:
      return {text + ": the name is unknown, or no name server answered", "getent ahosts " + host_of(url)};
    case kNoRoute:
      return {text + ": no device at the other end of the link answers, or there is no router", add_route(link.state)};
    case kInterface:
      return {
          text +
              ": the socket could not be bound to the link, so the link is not used: others would carry its traffic "
              "(before Linux 5.7 only root may bind to links)",
          "uname -r"};
    case kConnectTimeout:
    case kStalled:
      return of_silence(link, links, text);
    case kRefused:
      return {
          text + (others_work ? ": a device on this link refuses in the origin's place" : ": no server listens there"),
          read_page(link, url)};
    case kTls:
      if (others_work)
        return {text + ": over this link alone, so something in between answers or ends the connection (a login page?)",
                read_page(link, "http://" + host_of(url) + "/")};
      return {text, ""};
    case kTlsVerification:
      if (others_work)
        return {text + ": somebody on this link answers in the origin's place (a login page?)",
                read_page(link, "http://" + host_of(url) + "/")};
      if (text.find("not yet valid") != std::string::npos || text.find("expired") != std::string::npos)
        return {text + ": the certificate is not valid at present, or the clock of this machine is wrong",
                "timedatectl set-ntp true"};
      return {text + ": the certificate is not the origin's, or it is not trusted (--cacert FILE)", ""};
    case kNotFound:
    case kUnauthorized:
    case kNoSuchRange:
    case kBadRequest:
    case kRedirected:
    case kServerBusy:
      if (others_work)
        return {text + ": over this link alone: a login page, or a limit that is used up?", read_page(link, url)};
      return {text, ""};
    default:
      return {text, ""};
  }
}

/// Compares the answers over this link with those over the others. Nothing if they give no reason for a diagnosis.
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
  if ((alone || (probe.web_page && !probe.ranges)) && elsewhere)
    return LinkDiagnosis{fmt::format("requests are led to {} instead: a login page", answered),
                         "xdg-open " + shell_quoted(site_of(probe.answered_by))};
  if (alone && !probe.ranges)
    return LinkDiagnosis{"the answer differs from that over the other links: a login page, or a proxy",
                         read_page(link, url)};
  if (probe.web_page && !probe.ranges)
    return LinkDiagnosis{"a web page comes, without ranges: a login page, or the wrong address", read_page(link, url)};
  if (probe.crawls)
    return LinkDiagnosis{
        fmt::format("a single byte comes, with a round trip of {:.2f} s, but no more within seconds: the signal is "
                    "weak, or the provider slows the link down (is a volume used up?)",
                    to_seconds(probe.round_trip.value_or(Duration{}))),
        ask_router(link.state)};
  if (!probe.ranges)
    return LinkDiagnosis{"the origin does not answer ranges: only one link can bring each file",
                         "curl -r 0-0 -I " + shell_quoted(redacted(url))};
  if (!probe.also_over.empty())
    return LinkDiagnosis{
        fmt::format("its traffic leaves by {}: both together bring no more than that link", probe.also_over[0]),
        fmt::format("ip route get {} oif {}", asked, link.state.name)};
  return std::nullopt;
}

}  // namespace

std::optional<std::string> diagnose(std::vector<LinkEntry>& links, const CheckedOrigin& origin, bool network_manager) {
  const std::string url = origin.url.value_or("");
  const auto refused = std::ranges::any_of(links, works) ? links.end() : std::ranges::find_if(links, is_refused);
  for (LinkEntry& link : links) {
    if (const auto obstacle = link.state.obstacle()) {
      link.diagnosis = of_obstacle(link.state, *obstacle, origin, network_manager);
    } else if (refused != links.end() && is_refused(link)) {
      link.diagnosis = std::nullopt;
    } else if (link.probe && link.probe->failure) {
      link.diagnosis = of_failure(link, links, url);
    } else if (link.probe) {
      link.diagnosis = of_answer(link, links, url);
    }
  }
  if (refused == links.end()) return std::nullopt;
  return fmt::format(
      "{}: the origin answers, but refuses the address: a wrong or expired one, or one that needs a login",
      refused->probe->failure->text);
}

}  // namespace tributary
