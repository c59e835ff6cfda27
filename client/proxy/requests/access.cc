#include "proxy/requests/access.hh"

#include <algorithm>
#include <array>
#include <string_view>

#include "proxy/requests/access_token.hh"
#include "proxy/requests/percent.hh"

namespace tributary::proxy {

namespace {

constexpr std::array<std::string_view, 4> kMethods{"GET", "HEAD", "POST", "OPTIONS"};
// A second one of these could be read by somebody else.
constexpr std::array<std::string_view, 3> kOnce{"Host", "Origin", "Sec-Fetch-Site"};

bool is_control(char c) { return (c >= 0 && c < ' ') || c == 0x7f; }

std::optional<Refusal> defect_of_characters(std::string_view target, std::string_view path) {
  for (std::size_t i = 0; i < target.size(); ++i) {
    const char c = target[i];
    const bool in_path = i < path.size();
    if (c <= ' ' || c >= 0x7f || c == '#') return Refusal{400, "a character that no target has"};
    if (in_path && c == '\\') return Refusal{400, "a backslash in the path"};
    if (c != '%') continue;
    const std::optional<char> meant = encoded_character(target, i);
    if (!meant) return Refusal{400, "a percent sign that encodes nothing"};
    if (is_control(*meant)) return Refusal{400, "an encoded control character"};
    if (in_path && *meant == '\\') return Refusal{400, "an encoded backslash in the path"};
  }
  return {};
}

/// Where the segment at the front of a path ends, also by "%2f": some servers take that for a slash.
std::size_t end_of_segment(std::string_view path) {
  std::size_t end = 0;
  while (end < path.size() && path[end] != '/' && encoded_character(path, end) != '/') ++end;
  return end;
}

/// "..", also as "%2e.".
bool has_dot_segment(std::string_view path) {
  while (!path.empty()) {
    path.remove_prefix(path.front() == '/' ? 1 : 3);  // the slash
    std::string_view segment = path.substr(0, end_of_segment(path));
    path.remove_prefix(segment.size());
    int dots = 0;
    while (!segment.empty()) {
      const bool is_encoded = encoded_character(segment, 0) == '.';
      if (!is_encoded && segment.front() != '.') break;
      segment.remove_prefix(is_encoded ? 3 : 1);
      ++dots;
    }
    if (segment.empty() && (dots == 1 || dots == 2)) return true;
  }
  return false;
}

std::optional<Refusal> defect_of_target(std::string_view target) {
  if (!target.starts_with('/')) return Refusal{400, "a target that is no path"};
  const std::string_view path = target.substr(0, target.find('?'));
  if (const auto defect = defect_of_characters(target, path)) return defect;
  if (has_dot_segment(path)) return Refusal{400, "a dot segment"};
  return {};
}

bool is_own_host(std::string_view host, std::uint16_t port) {
  const std::string behind = ":" + std::to_string(port);
  if (!host.ends_with(behind)) return false;
  host.remove_suffix(behind.size());
  return host == "127.0.0.1" || host == "localhost" || host == "[::1]";
}

bool is_own_page(std::string_view origin, std::uint16_t port) {
  constexpr std::string_view kScheme = "http://";
  return origin.starts_with(kScheme) && is_own_host(origin.substr(kScheme.size()), port);
}

std::optional<Refusal> defect_of_form(const ReceivedRequest& request, std::uint16_t port) {
  if (std::ranges::find(kMethods, request.method) == kMethods.end()) return Refusal{405, "a method that is not served"};
  for (const std::string_view name : kOnce) {
    if (count_fields(request.fields, name) > 1) return Refusal{400, "a field that may stand once"};
  }
  const std::optional<std::string> host = field(request.fields, "Host");
  if (!host) return Refusal{400, "no Host"};
  if (!is_own_host(*host, port)) return Refusal{421, "the Host of somebody else"};
  return defect_of_target(request.target);
}

std::optional<Refusal> defect_of_page(const ReceivedRequest& request, const AccessRules& rules) {
  const std::optional<std::string> origin = field(request.fields, "Origin");
  if (request.method != "POST") {
    if (!origin || is_own_page(*origin, rules.port)) return {};
    if (std::ranges::find(rules.page_origins, *origin) != rules.page_origins.end()) return {};
    return Refusal{403, "a page that is not listed"};
  }
  if (origin != "http://" + field(request.fields, "Host").value_or("")) return Refusal{403, "a POST of another page"};
  const std::string site = field(request.fields, "Sec-Fetch-Site").value_or("same-origin");
  if (site != "same-origin" && site != "none") return Refusal{403, "a POST from another site"};
  return {};
}

}  // namespace

std::variant<Admission, Refusal> admit(const ReceivedRequest& request, const AccessRules& rules) {
  if (const auto defect = defect_of_form(request, rules.port)) return *defect;
  const std::string_view path = std::string_view{request.target}.substr(0, request.target.find('?'));
  const std::size_t end = path.find('/', 1);
  const std::string_view token = path.substr(1, end == std::string_view::npos ? end : end - 1);
  if (!is_same_token(rules.token, token) || end == std::string_view::npos) return Refusal{404, "not the token"};
  if (const auto defect = defect_of_page(request, rules)) return *defect;
  return Admission{.target = request.target.substr(end), .page = field(request.fields, "Origin")};
}

}  // namespace tributary::proxy
