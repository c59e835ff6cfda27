#include "program/options/proxy_options.hh"

#include <sys/stat.h>

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "lending/borrowing/lent_links.hh"
#include "links/link_catalogue.hh"
#include "program/options/proxy_address.hh"
#include "program/options/system_proxy.hh"

namespace tributary {
namespace {

struct Named {
  std::string name, value;
};

Named read_named(const std::string& text, const char* value) {
  const std::size_t equals = text.find('=');
  if (equals == 0 || equals >= text.size() - 1)
    throw std::invalid_argument{fmt::format("\"{}\": expected NAME={}", text, value)};
  return {text.substr(0, equals), text.substr(equals + 1)};
}

ConnectProxy read_proxy(const std::string& url) {
  ConnectProxy proxy = read_proxy_address(url);
  if (!proxy.user.empty())
    throw std::invalid_argument{
        "a login in the command line is seen by everybody: --link-via-login reads it from a file"};
  return proxy;
}

/// "USER:PASSWORD" in the first line of a file that nobody else may read.
std::pair<std::string, std::string> read_login(const std::string& path) {
  struct stat status {};
  std::ifstream file{path};
  std::string line;
  if (!file || ::stat(path.c_str(), &status) != 0) throw std::invalid_argument{path + ": cannot be read"};
  if ((status.st_mode & (S_IRWXG | S_IRWXO)) != 0)
    throw std::invalid_argument{path + ": others may read it (chmod 600 mends that)"};
  std::getline(file, line);
  const std::size_t colon = line.find(':');
  if (colon == 0 || colon == std::string::npos)
    throw std::invalid_argument{path + ": expected USER:PASSWORD in its first line"};
  return {line.substr(0, colon), line.substr(colon + 1)};
}

/// What the options say until they are complete.
struct Proxies {
  std::map<std::string, ConnectProxy> by_name;
  std::map<std::string, std::pair<std::string, std::string>> logins;
  LinkCatalogue::ProxyOfOrigin leading;
  std::shared_ptr<const lending::LentLinks> lent;  // null: none are used
};

/// Those that others lend us; null: nobody does.
std::shared_ptr<const lending::LentLinks> lent_links(const NetworkOptions& options, lending::LentLinks::For origins) {
  std::set<std::string> wanted{options.links.begin(), options.links.end()};
  for (const auto& [name, terms] : options.terms) wanted.insert(name);
  std::filesystem::path folder;
  try {
    folder = lending::lending_folder();
  } catch (const std::exception&) {
    return nullptr;  // a user without a home directory has no lenders
  }
  auto lent = std::make_shared<const lending::LentLinks>(folder, wanted, origins);
  return lent->empty() ? nullptr : lent;
}

void make_catalogue(const Proxies& proxies, NetworkOptions& options) {
  auto catalogue = std::make_shared<LinkCatalogue>();
  for (auto [name, proxy] : proxies.by_name) {
    if (const auto login = proxies.logins.find(name); login != proxies.logins.end())
      std::tie(proxy.user, proxy.password) = login->second;
    catalogue->add(name, std::move(proxy));
  }
  if (proxies.lent) catalogue->add(proxies.lent);
  if (proxies.leading) catalogue->lead_through(proxies.leading);
  // Those of --link are known by now: options are taken in in the order in which they were added.
  const auto is_added = [&](const std::string& link) { return catalogue->has_added(link); };
  std::erase_if(options.expected.usable, is_added);
  std::erase_if(options.expected.existing, is_added);
  options.rules.catalogue = std::move(catalogue);
}

}  // namespace

void add_proxy_options(CLI::App& app, NetworkOptions& options) {
  const auto proxies = std::make_shared<Proxies>();
  const auto add = [&](const std::string& name, const std::string& help, const char* form, auto take) {
    return app
        .add_option_function<std::vector<std::string>>(
            name,
            [&options, proxies, name, form, take](const std::vector<std::string>& texts) {
              read_for(name, [&] {
                for (const std::string& text : texts) take(*proxies, read_named(text, form));
                make_catalogue(*proxies, options);
              });
            },
            help)
        ->option_text(fmt::format("NAME={}", form))
        ->allow_extra_args(false);
  };
  add("--link-via",
      "Add a link of this name, by a proxy that lets connections through (HTTP CONNECT; or SOCKS as socks5h://), over "
      "whatever leads to it; repeat the option for more.",
      "http://HOST:PORT", [](Proxies& known, const Named& proxy) {
        if (!known.by_name.emplace(proxy.name, read_proxy(proxy.value)).second)
          throw std::invalid_argument{proxy.name + ": its proxy was said before"};
      });
  add("--link-via-login", "The file with USER:PASSWORD for the proxy of this link.", "FILE",
      [](Proxies& known, const Named& login) {
        if (!known.by_name.contains(login.name))
          throw std::invalid_argument{login.name + ": no --link-via adds a link of this name"};
        known.logins[login.name] = read_login(login.value);
      });
  const auto lead = [&options, proxies](const std::string& which) {
    if (which == "none") return;
    read_for("--proxy", [&] {
      proxies->leading = system_proxy();
      make_catalogue(*proxies, options);
    });
  };
  app.add_option_function<std::string>("--proxy", lead,
                                       "Reach origins over all links through the proxy that the environment names "
                                       "(http_proxy, https_proxy, all_proxy; not for no_proxy), or through none.")
      ->option_text("system|none")
      ->default_str("none")
      ->check(CLI::IsMember({"system", "none"}));
  const auto borrow = [&options, proxies](const std::string& which) {
    using For = lending::LentLinks::For;
    proxies->lent = which == "leave" ? nullptr : lent_links(options, which == "any" ? For::kAny : For::kHttps);
    if (proxies->lent || options.rules.catalogue) make_catalogue(*proxies, options);
  };
  app.add_option_function<std::string>(
         "--lent", borrow,
         "Use links that others lend you (tributary-links --borrow) for addresses that begin with https; for any, "
         "which the lender could read and change; or leave them.")
      ->option_text("use|any|leave")
      ->default_str("use")
      ->force_callback()
      ->check(CLI::IsMember({"use", "any", "leave"}));
  group(app, kProxiesGroup, {"--lent", "--link-via", "--link-via-login", "--proxy"});
}

}  // namespace tributary
