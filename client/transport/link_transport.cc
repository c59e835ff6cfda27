#include "transport/link_transport.hh"

#include "transport/curl_connection.hh"

namespace tributary::transport {

std::unique_ptr<HttpTransport> make_link_transport(CurlLoop& loop, Origin origin, std::vector<std::string> addresses,
                                                   LinkRules rules, PipelinedTransport::Options options) {
  if (rules.http == HttpVersion::kHttp2 && origin.scheme != "https")
    throw UrlError{origin.url() + ": HTTP/2 needs https"};
  options.versions = options.versions.over(rules.link);
  const std::string authority = origin.authority();
  auto connect = [&loop, origin = std::move(origin), addresses = std::move(addresses), rules = std::move(rules)] {
    return std::make_unique<CurlConnection>(loop, origin, addresses, rules);
  };
  return std::make_unique<PipelinedTransport>(std::move(connect), authority, std::move(options));
}

}  // namespace tributary::transport
