#include "proxy/rewriting/address.hh"

#include <fmt/format.h>

#include <algorithm>

#include "proxy/rewriting/ascii.hh"
#include "proxy/rewriting/rewriting_limits.hh"
#include "transport/connections/origin.hh"

namespace tributary::proxy {
namespace {

bool is_hex(char c) { return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }

/// RFC 3986 section 3.3 and 3.4. Brackets are left as they are by browsers and by libcurl.
bool may_stand(char c) {
  return is_letter(c) || is_digit(c) || std::string_view{"-._~!$&'()*+,;=:@/?[]"}.find(c) != std::string_view::npos;
}

bool is_escape(std::string_view text) {
  return text.size() >= 3 && text[0] == '%' && is_hex(text[1]) && is_hex(text[2]);
}

std::string encoded(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (may_stand(text[i]) || is_escape(text.substr(i)))
      result += text[i];
    else
      result += fmt::format("%{:02x}", static_cast<unsigned char>(text[i]));
  }
  return result;
}

/// 1 for ".", 2 for "..", 0 for any other segment. Browsers read "%2e" as a dot, too (WHATWG URL).
int dots_of(std::string_view segment) {
  int dots = 0;
  while (!segment.empty()) {
    const bool escaped = segment.size() >= 3 && segment.starts_with("%2") && lower_case(segment[2]) == 'e';
    if ((!escaped && segment.front() != '.') || ++dots > 2) return 0;
    segment.remove_prefix(escaped ? 3 : 1);
  }
  return dots;
}

/// RFC 3986 section 5.2.4.
std::string without_dots(std::string_view path) {
  std::string result;
  result.reserve(path.size());
  for (std::size_t at = 0; at < path.size();) {
    const std::size_t end = std::min(path.find('/', at + 1), path.size());
    const int dots = dots_of(path.substr(at + 1, end - at - 1));
    if (dots == 0) result += path.substr(at, end - at);
    if (dots == 2) result.erase(std::min(result.rfind('/'), result.size()));
    if (dots > 0 && end == path.size()) result += '/';
    at = end;
  }
  return result.empty() ? "/" : result;
}

std::string_view taken_until(std::string_view& text, std::string_view one_of) {
  const std::string_view taken = text.substr(0, text.find_first_of(one_of));
  text.remove_prefix(taken.size());
  return taken;
}

/// "https" of "https://a"; empty if there is none.
std::string_view scheme_of(std::string_view name) {
  const std::string_view before = name.substr(0, name.find_first_of(":/?#\\"));
  if (before.empty() || before.size() == name.size() || name[before.size()] != ':') return {};
  const auto in_scheme = [](char c) { return is_letter(c) || is_digit(c) || c == '+' || c == '-' || c == '.'; };
  return is_letter(before.front()) && std::ranges::all_of(before, in_scheme) ? before : std::string_view{};
}

bool is_http(std::string_view scheme) {
  std::string text{scheme};
  std::ranges::transform(text, text.begin(), lower_case);
  return text == "http" || text == "https";
}

std::string_view without_fragment(std::string_view name) { return name.substr(0, name.find('#')); }

bool is_short(const Address& address) {
  return address.origin.size() + address.path.size() + address.query.size() < kLongestAddress;
}

std::optional<Address> if_short(Address address) {
  return is_short(address) ? std::optional{std::move(address)} : std::nullopt;
}

/// The path and the query of `rest`, which begins with either or is empty.
Address at(std::string origin, std::string_view folder, std::string_view rest) {
  const std::string_view path = taken_until(rest, "?");
  rest.remove_prefix(std::min<std::size_t>(1, rest.size()));
  return {std::move(origin), without_dots(std::string{folder} + encoded(path)), encoded(rest)};
}

}  // namespace

std::string Address::url() const { return query.empty() ? origin + path : origin + path + '?' + query; }

bool is_of_another_scheme(std::string_view name) {
  const std::string_view scheme = scheme_of(name);
  return !scheme.empty() && !is_http(scheme);
}

std::optional<Address> address_from(std::string_view url) {
  std::string_view rest = without_fragment(url);
  const std::string_view scheme = scheme_of(rest);
  if (!is_http(scheme) || url.size() > kLongestAddress) return std::nullopt;
  rest.remove_prefix(scheme.size());
  if (!rest.starts_with("://")) return std::nullopt;
  rest.remove_prefix(3);
  const std::string_view authority = taken_until(rest, "/?\\");
  try {
    // The origin as transports know it: in lower case, in ASCII, without a default port.
    std::string origin = transport::parse_url(fmt::format("{}://{}/", scheme, authority)).origin.url();
    return if_short(at(std::move(origin), rest.starts_with('/') ? "" : "/", rest));
  } catch (const transport::UrlError&) {
    return std::nullopt;
  }
}

std::optional<Address> resolved(const Address& document, std::string_view name) {
  name = without_fragment(name);
  if (const std::string_view scheme = scheme_of(name); !scheme.empty()) return address_from(name);
  if (name.size() > kLongestAddress) return std::nullopt;
  if (name.starts_with("//")) return address_from(fmt::format("{}:{}", scheme_of(document.origin), name));
  if (name.empty()) return document;
  if (name.starts_with('?')) return if_short({document.origin, document.path, encoded(name.substr(1))});
  return if_short(at(document.origin, name.starts_with('/') ? std::string_view{} : document.folder(), name));
}

std::string plain_path(std::string_view path) { return without_dots(encoded(path)); }

bool is_plain_text(std::string_view text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (!may_stand(text[i]) && !is_escape(text.substr(i))) return false;
  }
  return true;
}

}  // namespace tributary::proxy
