#include "transport/connections/origin.hh"

#include <fmt/format.h>
#include <idn2.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <string_view>

#include "transport/connections/curl_handle.hh"
#include "transport/sockets/free_with.hh"
#include "units/text/host.hh"
#include "units/text/redacted_url.hh"

namespace tributary::transport {
namespace {

bool is_default_port(const Origin& origin) { return origin.port == (origin.scheme == "https" ? 443 : 80); }

[[noreturn]] void refuse(const std::string& url, std::string_view why) {
  throw UrlError{fmt::format("\"{}\": {}", redacted(url), why)};
}

void set_url(const CurlUrl& parsed, const std::string& url) {
  const CURLUcode code = curl_url_set(parsed.get(), CURLUPART_URL, url.c_str(), CURLU_URLENCODE);
  if (code != CURLUE_OK) refuse(url, curl_url_strerror(code));
}

std::string part(const CurlUrl& parsed, CURLUPart which) { return url_part(parsed, which, CURLU_DEFAULT_PORT); }

std::string lower(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

bool is_ascii(const std::string& text) {
  return std::ranges::all_of(text, [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

/// The host as the resolver wants it: "bücher.example" is "xn--bcher-kva.example" (RFC 5891).
std::string in_ascii(const std::string& host, const std::string& url) {
  if (is_ascii(host)) return lower(host);
  char* text = nullptr;
  const int error = idn2_to_ascii_8z(host.c_str(), &text, IDN2_NFC_INPUT | IDN2_NONTRANSITIONAL);
  const std::unique_ptr<char, FreeWith<idn2_free>> owned{text};
  if (error != IDN2_OK) refuse(url, fmt::format("not the name of a host: {}", idn2_strerror(error)));
  return lower(owned.get());
}

CurlUrl new_url() {
  CurlUrl parsed{curl_url()};
  if (!parsed) throw std::bad_alloc{};
  return parsed;
}

/// The host has only characters that a host may have (RFC 3986 section 3.2.2). Decoding may bring others: libcurl makes
/// "7%39" of "7%3%39", and IDNA makes "<" of U+FF1C.
bool is_plain_host(const std::string& host) {
  const auto may_stand = [](unsigned char c) {
    return std::isalnum(c) != 0 ||
           std::string_view{"-._~!$&'()*+,;=[]:"}.find(static_cast<char>(c)) != std::string_view::npos;
  };
  return !host.empty() && std::ranges::all_of(host, [&](char c) { return may_stand(static_cast<unsigned char>(c)); });
}

/// libcurl takes "79" for the address 0.0.0.79, but not "%37%39" or other digits that become "79" (WHATWG URL, "host
/// parser", decodes first). The origin of its own URL is always itself.
std::string as_read_again(const std::string& host, const std::string& url) {
  const CurlUrl again = new_url();
  if (curl_url_set(again.get(), CURLUPART_URL, fmt::format("http://{}/", host).c_str(), 0) != CURLUE_OK)
    refuse(url, "not the name of a host");
  return lower(part(again, CURLUPART_HOST));
}

/// "[fe80::1%eth0]": an address of the link itself, and the interface that leads to it (RFC 6874).
std::string with_zone(const std::string& host, const std::string& zone, const std::string& url) {
  if (zone.empty()) return host;
  const auto may_stand = [](unsigned char c) { return std::isalnum(c) != 0 || c == '-' || c == '.' || c == '_'; };
  if (!host.ends_with(']') || !std::ranges::all_of(zone, may_stand)) refuse(url, "not the name of an interface");
  return fmt::format("{}%{}]", host.substr(0, host.size() - 1), zone);
}

FileLocation location_of(const CurlUrl& parsed, const std::string& url) {
  const std::string written = part(parsed, CURLUPART_HOST);
  std::string host = in_ascii(written, url);
  if (!is_plain_host(host)) refuse(url, "not the name of a host");
  if (std::isdigit(static_cast<unsigned char>(host.front())) != 0 || !is_ascii(written))
    host = as_read_again(host, url);
  FileLocation location{.origin = {.scheme = lower(part(parsed, CURLUPART_SCHEME)), .host = std::move(host), .port = 0},
                        .target = part(parsed, CURLUPART_PATH)};
  if (location.origin.scheme != "http" && location.origin.scheme != "https") {
    refuse(url, "only http and https can be fetched");
  }
  if (!part(parsed, CURLUPART_USER).empty()) refuse(url, "a user name in a URL is not supported");
  location.origin.host = with_zone(location.origin.host, part(parsed, CURLUPART_ZONEID), url);
  const std::string port = part(parsed, CURLUPART_PORT);
  std::from_chars(port.data(), port.data() + port.size(), location.origin.port);
  if (location.origin.port == 0) refuse(url, "port 0");
  const std::string query = part(parsed, CURLUPART_QUERY);
  if (!query.empty()) location.target += "?" + query;
  return location;
}

/// A relative path, and perhaps a query, that stands as it is behind the directory of any document.
bool is_plain(std::string_view uri) {
  const auto plain = [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '/' || c == '-' || c == '_' || c == '.';
  };
  const std::size_t mark = uri.find('?');
  if (mark != std::string_view::npos) {
    const std::string_view query = uri.substr(mark + 1);
    const auto in_query = [&](char c) { return plain(static_cast<unsigned char>(c)) || c == '=' || c == '&'; };
    if (query.empty() || !std::ranges::all_of(query, in_query)) return false;
    uri = uri.substr(0, mark);
  }
  const bool has_dots = uri.starts_with('.') || uri.find("/.") != std::string_view::npos;
  return !uri.empty() && !uri.starts_with('/') && !has_dots &&
         std::ranges::all_of(uri, [&](char c) { return plain(static_cast<unsigned char>(c)); });
}

}  // namespace

std::string Origin::authority() const {
  // An interface of this machine is nothing to the server.
  const std::string shown = zone_of(host).empty() ? host : fmt::format("[{}]", name());
  return is_default_port(*this) ? shown : fmt::format("{}:{}", shown, port);
}

std::string Origin::url() const {
  const std::string shown =
      zone_of(host).empty() ? host : fmt::format("[{}%25{}]", name(), zone_of(without_brackets(host)));
  return is_default_port(*this) ? fmt::format("{}://{}", scheme, shown)
                                : fmt::format("{}://{}:{}", scheme, shown, port);
}

std::string Origin::address_or_name() const { return std::string{without_brackets(host)}; }

std::string Origin::name() const { return std::string{without_zone(without_brackets(host))}; }

FileLocation parse_url(const std::string& url) {
  const CurlUrl parsed = new_url();
  set_url(parsed, url);
  return location_of(parsed, url);
}

FileLocation resolve_uri(const FileLocation& document, const std::string& uri) {
  if (is_plain(uri)) {  // most are, and a title has many
    const std::string_view path = std::string_view{document.target}.substr(0, document.target.find('?'));
    return {document.origin, fmt::format("{}{}", path.substr(0, path.rfind('/') + 1), uri)};
  }
  // libcurl 7.88 makes "a?1" of "a/" and "./?1".
  const std::size_t mark = uri.find_first_of("?#");
  if (mark != std::string::npos && mark > 0 && uri[mark] == '?')
    return parse_url(resolve_uri(document, uri.substr(0, mark)).url() + uri.substr(mark));
  const CurlUrl parsed = new_url();
  set_url(parsed, document.url());
  set_url(parsed, uri);
  return location_of(parsed, uri);
}

}  // namespace tributary::transport
