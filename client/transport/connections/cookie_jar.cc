#include "transport/connections/cookie_jar.hh"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <ctime>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "transport/sockets/free_with.hh"
#include "units/text/host.hh"

namespace tributary::transport {
namespace {

constexpr std::size_t kMostCookies = 1000;

/// A cookie as libcurl lists it: the fields of Netscape's file, with tabs between.
struct Cookie {
  std::string_view domain;
  bool below_domain = false;  // hosts below the domain get it, too
  std::string_view path;
  bool only_encrypted = false;
  std::time_t expires = 0;  // 0: when the program ends
  std::string_view name, value;
};

std::optional<Cookie> cookie_of(std::string_view line) {
  constexpr std::string_view kHttpOnly = "#HttpOnly_";
  if (line.starts_with(kHttpOnly)) line.remove_prefix(kHttpOnly.size());
  std::array<std::string_view, 7> fields;
  for (std::size_t i = 0; i < fields.size(); ++i) {
    const std::size_t end = i + 1 < fields.size() ? line.find('\t') : line.size();
    if (end == std::string_view::npos) return std::nullopt;
    fields[i] = line.substr(0, end);
    line.remove_prefix(std::min(end + 1, line.size()));
  }
  Cookie cookie{fields[0], fields[1] == "TRUE", fields[2], fields[3] == "TRUE", 0, fields[5], fields[6]};
  std::from_chars(fields[4].data(), fields[4].data() + fields[4].size(), cookie.expires);
  if (cookie.domain.starts_with('.')) cookie.domain.remove_prefix(1);
  return cookie;
}

/// RFC 6265 section 5.1.3.
bool matches_host(const Cookie& cookie, std::string_view host) {
  host = without_brackets(host);
  if (host == cookie.domain) return true;
  return cookie.below_domain && host.size() > cookie.domain.size() && host.ends_with(cookie.domain) &&
         host[host.size() - cookie.domain.size() - 1] == '.';
}

/// RFC 6265 section 5.1.4.
bool matches_path(const Cookie& cookie, std::string_view target) {
  const std::string_view path = target.substr(0, target.find('?'));
  if (!path.starts_with(cookie.path)) return false;
  return path.size() == cookie.path.size() || cookie.path.ends_with('/') || path[cookie.path.size()] == '/';
}

/// What goes to this machine is read by nobody on the way: libcurl and browsers give it all cookies.
bool is_safe(const Origin& origin) {
  constexpr std::array<std::string_view, 3> kThisMachine{"localhost", "127.0.0.1", "::1"};
  return origin.scheme == "https" ||
         std::ranges::find(kThisMachine, without_brackets(origin.host)) != kThisMachine.end();
}

}  // namespace

std::shared_ptr<CookieJar> CookieJar::of(const LinkRules& rules) {
  static const auto of_program = std::make_shared<CookieJar>();
  return rules.cookies ? rules.cookies : of_program;
}

void CookieJar::give_to(CURL* handle) {
  curl_easy_setopt(handle, CURLOPT_COOKIEFILE, "");  // reads no file, and begins to keep cookies
  const std::lock_guard guard{mutex_};
  for (const auto& [key, line] : lines_) curl_easy_setopt(handle, CURLOPT_COOKIELIST, line.c_str());
}

void CookieJar::take_from(CURL* handle) {
  curl_slist* listed = nullptr;
  if (curl_easy_getinfo(handle, CURLINFO_COOKIELIST, &listed) != CURLE_OK) return;
  const std::unique_ptr<curl_slist, FreeWith<curl_slist_free_all>> list{listed};
  const std::lock_guard guard{mutex_};
  for (const curl_slist* line = list.get(); line != nullptr; line = line->next) {
    const auto cookie = cookie_of(line->data);
    if (!cookie) continue;
    const std::string key = fmt::format("{}\t{}\t{}", cookie->domain, cookie->path, cookie->name);
    if (lines_.size() < kMostCookies || lines_.contains(key)) lines_[key] = line->data;
  }
}

std::string CookieJar::cookies_for(const FileLocation& file) {
  const std::lock_guard guard{mutex_};
  std::vector<Cookie> cookies;
  for (const auto& [key, line] : lines_) {
    const auto cookie = cookie_of(line);
    if (cookie && matches_host(*cookie, file.origin.host) && matches_path(*cookie, file.target) &&
        (!cookie->only_encrypted || is_safe(file.origin)) &&
        (cookie->expires == 0 || cookie->expires > std::time(nullptr)))
      cookies.push_back(*cookie);
  }
  std::ranges::stable_sort(cookies, std::ranges::greater{}, [](const Cookie& cookie) { return cookie.path.size(); });
  std::string field;
  for (const Cookie& cookie : cookies) {
    if (!field.empty()) field += "; ";
    field.append(cookie.name).append("=").append(cookie.value);
  }
  return field;
}

}  // namespace tributary::transport
