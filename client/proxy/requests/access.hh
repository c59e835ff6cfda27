#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "proxy/requests/request_reader.hh"

namespace tributary::proxy {

/// Who may ask this proxy.
struct AccessRules {
  std::string token;  // the first segment of every path
  std::uint16_t port = 0;
  /// Pages of others that may use the proxy: "https://player.example". Compared exactly.
  std::vector<std::string> page_origins;
  bool any_user = false;  // players may be of other users of this machine
};

/// A request that may be answered.
struct Admission {
  std::string target;  // behind the token, from "/" on
  /// The page that may read the answer (Access-Control-Allow-Origin): our own, or one of AccessRules::page_origins.
  /// Nothing if the request names none: a browser names none for our own page, and other players have none.
  std::optional<std::string> page;
};

/// Decides whether a request is answered. Pure. All of these hold for one that is:
/// - The method is GET, HEAD, POST or OPTIONS, and the target is a path: no CONNECT, TRACE or absolute form, so that
///   nobody takes us for an open proxy.
/// - Host is 127.0.0.1, localhost or [::1] with our port. A name of others that leads to this machine is refused with
///   421, since a browser takes such a page for the owner of our answers (DNS rebinding).
/// - The path has no meaning but the obvious one: no dot segments, backslashes or control characters, nothing beyond ASCII.
///   A slash may be encoded, since names in manifests have such: it is handed on as it stands, but none makes a dot segment.
/// - The first segment is the token. Otherwise the answer is that of a file that does not exist.
/// - Origin is our own, listed or absent. "null" is treated like any other: it names no page, and every frame in a
///   sandbox sends it. Users of pages from files can list it.
/// - A POST, which changes something, comes from our own page: Origin is "http://" and Host, and Sec-Fetch-Site, where a
///   browser sends it, is "same-origin" or "none".
std::variant<Admission, Refusal> admit(const ReceivedRequest& request, const AccessRules& rules);

}  // namespace tributary::proxy
