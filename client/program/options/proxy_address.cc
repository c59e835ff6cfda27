#include "program/options/proxy_address.hh"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <stdexcept>
#include <string_view>

#include "transport/connections/curl_handle.hh"
#include "transport/connections/origin_addresses.hh"

namespace tributary {
namespace {

constexpr std::array<std::string_view, 4> kSchemes{"http", "https", "socks5", "socks5h"};

}  // namespace

ConnectProxy read_proxy_address(const std::string& text) {
  const auto refuse = [&](const std::string& why) {
    return std::invalid_argument{fmt::format("\"{}\": {}", text.substr(text.rfind('@') + 1), why)};  // without a login
  };
  transport::ensure_curl();
  const transport::CurlUrl url{curl_url()};
  const std::string whole = text.find("://") == std::string::npos ? "http://" + text : text;
  if (curl_url_set(url.get(), CURLUPART_URL, whole.c_str(), CURLU_NON_SUPPORT_SCHEME) != CURLUE_OK)
    throw refuse("expected http://HOST:PORT");
  const std::string scheme = transport::url_part(url, CURLUPART_SCHEME),
                    host = transport::url_part(url, CURLUPART_HOST), path = transport::url_part(url, CURLUPART_PATH);
  if (std::ranges::find(kSchemes, scheme) == kSchemes.end())
    throw refuse("a proxy is spoken to by http, https, socks5 or socks5h");
  if ((!path.empty() && path != "/") || !transport::url_part(url, CURLUPART_QUERY).empty())
    throw refuse("a proxy has no path");
  std::string port = transport::url_part(url, CURLUPART_PORT);
  if (port.empty()) port = scheme == "https" ? "443" : "1080";
  ConnectProxy proxy{.url = fmt::format("{}://{}:{}", scheme, host, port),
                     .addresses = {},
                     .user = transport::url_part(url, CURLUPART_USER, CURLU_URLDECODE),
                     .password = transport::url_part(url, CURLUPART_PASSWORD, CURLU_URLDECODE)};
  try {
    proxy.addresses = transport::resolve({.scheme = scheme, .host = host});
  } catch (const transport::LookupError& error) {
    throw refuse(error.what());
  }
  return proxy;
}

}  // namespace tributary
