#include "program/options/system_proxy.hh"

#include <fmt/format.h>
#include <gio/gio.h>

#include <algorithm>
#include <cstdlib>
#include <initializer_list>
#include <iterator>
#include <map>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <utility>
#include <vector>

#include "program/options/proxy_address.hh"

namespace tributary {
namespace {

struct Unref {
  void operator()(GProxyResolver* resolver) const { g_object_unref(resolver); }
};
using Resolver = std::unique_ptr<GProxyResolver, Unref>;

struct FreeTexts {
  void operator()(gchar** texts) const { g_strfreev(texts); }
};

struct Variable {
  std::string name, value;
};

/// The first that is set. In upper case http_proxy may be a field of a request to a CGI program, so curl does not read that.
Variable variable(std::initializer_list<const char*> names) {
  for (const char* name : names) {
    if (const char* value = std::getenv(name); value != nullptr && *value != '\0') return {name, value};
  }
  return {};
}

std::vector<std::string> exceptions() {
  std::string text = variable({"no_proxy", "NO_PROXY"}).value;
  std::ranges::replace(text, ',', ' ');
  std::istringstream words{text};
  return {std::istream_iterator<std::string>{words}, {}};
}

/// For each scheme of origins the URL of a proxy that is said here. GIO knows which origins have none.
class EnvironmentProxies {
 public:
  EnvironmentProxies() {
    const Variable all = variable({"all_proxy", "ALL_PROXY"});
    const std::pair<const char*, Variable> by_scheme[] = {{"http", variable({"http_proxy"})},
                                                          {"https", variable({"https_proxy", "HTTPS_PROXY"})}};
    std::vector<std::string> hosts = exceptions();
    std::vector<char*> ignored;
    for (std::string& host : hosts) {
      if (host == "*") return;
      ignored.push_back(host.data());
    }
    ignored.push_back(nullptr);
    resolver_.reset(g_simple_proxy_resolver_new(nullptr, ignored.data()));
    for (const auto& [scheme, own] : by_scheme) {
      const Variable& named = own.value.empty() ? all : own;
      if (named.value.empty()) continue;
      const auto proxy = std::make_shared<const ConnectProxy>(read(named));
      const std::string name = proxy->url + "/" + scheme;  // logins differ
      g_simple_proxy_resolver_set_uri_proxy(G_SIMPLE_PROXY_RESOLVER(resolver_.get()), scheme, name.c_str());
      proxies_.emplace(name, proxy);
    }
    if (proxies_.empty())
      throw std::invalid_argument{"the environment names no proxy (http_proxy, https_proxy, all_proxy)"};
  }

  std::shared_ptr<const ConnectProxy> of(const std::string& origin_url) const {
    if (!resolver_) return nullptr;
    const std::unique_ptr<gchar*, FreeTexts> found{
        g_proxy_resolver_lookup(resolver_.get(), origin_url.c_str(), nullptr, nullptr)};
    const auto proxy = found ? proxies_.find(found.get()[0]) : proxies_.end();
    return proxy == proxies_.end() ? nullptr : proxy->second;
  }

 private:
  static ConnectProxy read(const Variable& named) {
    try {
      return read_proxy_address(named.value);
    } catch (const std::invalid_argument& error) {
      throw std::invalid_argument{fmt::format("{}: {}", named.name, error.what())};
    }
  }

  Resolver resolver_;                                                   // null: nobody has a proxy
  std::map<std::string, std::shared_ptr<const ConnectProxy>> proxies_;  // by their URLs and whom they are for
};

}  // namespace

LinkCatalogue::ProxyOfOrigin system_proxy() {
  return [proxies = std::make_shared<const EnvironmentProxies>()](const std::string& origin_url) {
    return proxies->of(origin_url);
  };
}

}  // namespace tributary
