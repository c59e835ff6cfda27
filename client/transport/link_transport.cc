#include "transport/link_transport.hh"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "transport/connections/cookie_jar.hh"
#include "transport/connections/curl_connection.hh"
#include "transport/connections/own_fields.hh"
#include "transport/connections/preconnections.hh"
#include "transport/redirected_transport.hh"
#include "transport/sockets/rate_limit.hh"

namespace tributary::transport {

namespace {

struct Version {
  std::string_view name;
  bool needs_https = false;  // the TLS handshake agrees on it (ALPN)
  std::unique_ptr<HttpTransport> (*make)(PipelinedTransport::Connect, std::string authority,
                                         PipelinedTransport::Options) = nullptr;
};

std::unique_ptr<HttpTransport> pipelined(PipelinedTransport::Connect connect, std::string authority,
                                         PipelinedTransport::Options options) {
  return std::make_unique<PipelinedTransport>(std::move(connect), std::move(authority), std::move(options));
}

/// The enumerators come first, in their order.
constexpr std::array<Version, 3> kVersions{
    {{"auto", false, pipelined}, {"1.1", false, pipelined}, {"2", true, pipelined}}};

/// `from`: the name of the link, and of the server if redirected, under which FileVersions compares the answers.
std::unique_ptr<HttpTransport> transport_to(CurlLoop& loop, const Origin& origin, std::vector<std::string> addresses,
                                            LinkRules rules, PipelinedTransport::Options options, std::string from) {
  const Version& version = kVersions.at(static_cast<std::size_t>(rules.http));
  if (version.needs_https && origin.scheme != "https")
    throw UrlError{fmt::format("{}: HTTP/{} needs https", origin.url(), version.name)};
  options.versions = options.versions.over(std::move(from));
  options.cookies = [origin, jar = CookieJar::of(rules)](const std::string& path) {
    return jar->cookies_for({origin, path});
  };
  if (rules.own_fields) options.fields = rules.own_fields->for_origin(origin);
  auto connect = [&loop, origin, addresses = std::move(addresses),
                  rules = std::move(rules)]() -> std::unique_ptr<ByteStream> {
    std::unique_ptr<ByteStream> connection;
    if (const auto& made = rules.preconnections; made && made->origin() == origin) connection = made->take(rules.link);
    if (!connection) connection = std::make_unique<CurlConnection>(loop, origin, addresses, rules);
    if (!rules.rate_limit) return connection;
    return std::make_unique<LimitedStream>(std::move(connection), rules.rate_limit);
  };
  return version.make(std::move(connect), origin.authority(), std::move(options));
}

}  // namespace

std::span<const std::string_view> names_of(HttpVersion /*any*/) {
  static const auto names = [] {
    std::array<std::string_view, kVersions.size()> all;
    std::ranges::transform(kVersions, all.begin(), &Version::name);
    return all;
  }();
  return names;
}

std::unique_ptr<HttpTransport> make_link_transport(CurlLoop& loop, Origin origin, std::vector<std::string> addresses,
                                                   LinkRules rules, PipelinedTransport::Options options) {
  const std::string link = rules.link;
  return transport_to(loop, origin, std::move(addresses), std::move(rules), std::move(options), link);
}

std::unique_ptr<HttpTransport> make_following_transport(CurlLoop& loop, Origin origin,
                                                        std::vector<std::string> addresses, LinkRules rules,
                                                        PipelinedTransport::Options options,
                                                        AlternativeAddresses alternatives,
                                                        const std::optional<KnownPlace>& known) {
  auto transport = std::make_unique<RedirectedTransport>(
      origin,
      [&loop, origin, addresses = std::move(addresses), rules, options = std::move(options), known](const Origin& to) {
        if (to == origin) return transport_to(loop, to, addresses, rules, options, rules.link);
        const std::string from = rules.link + " from " + to.url();
        if (known && to == known->location.origin)
          return transport_to(loop, to, known->addresses, rules, options, from);
        PipelinedTransport::Options there = options;
        there.pace = OriginPace{};
        return transport_to(loop, to, to.host == origin.host ? addresses : std::vector<std::string>{}, rules, there,
                            from);
      },
      std::move(alternatives));
  if (known) transport->knows(known->target, known->location);
  return transport;
}

}  // namespace tributary::transport
