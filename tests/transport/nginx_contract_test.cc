// The contract, kept by the real transport with a real nginx, by HTTP/1.1 and HTTP/2: one that keeps connections, and ones
// that do not.
#include <fmt/format.h>

#include "film_server.hh"
#include "nginx_server.hh"
#include "test_certificates.hh"
#include "transport_contract.hh"

namespace tributary::transport {
namespace {

class NginxFilmServer final : public FilmServer {
 public:
  NginxFilmServer(HttpVersion http, const std::string& directives) : http_{http}, nginx_{options(http, directives)} {
    nginx_.put("film.mp4", film());
  }

  std::string url() const override {
    return http_ == HttpVersion::kHttp2 ? fmt::format("https://localhost:{}/film.mp4", nginx_.port())
                                        : fmt::format("http://127.0.0.1:{}/film.mp4", nginx_.port());
  }
  LinkRules rules() const override {
    return {.link = "lo", .ca_file = certificates_ ? certificates_->authority() : "", .http = http_};
  }

 private:
  NginxServer::Options options(HttpVersion http, const std::string& directives) {
    if (http != HttpVersion::kHttp2) return {.directives = directives};
    certificates_.emplace();
    return {.directives = fmt::format("ssl_certificate {}; ssl_certificate_key {}; {}", certificates_->server(),
                                      certificates_->server_key(), directives),
            .tls = true,
            .http2 = true};
  }

  HttpVersion http_;
  std::optional<TestCertificates> certificates_;
  NginxServer nginx_;
};

ContractCase nginx_case(HttpVersion http, const std::string& name, const std::string& directives) {
  return film_case(name, [http, directives] { return std::make_unique<NginxFilmServer>(http, directives); });
}

/// Made once: GoogleTest asks for them for each test.
template <HttpVersion kHttp>
const std::vector<ContractCase>& nginx_cases() {
  static const std::vector<ContractCase> cases{
      nginx_case(kHttp, "Nginx", "keepalive_requests 1000;"),
      nginx_case(kHttp, "NginxThatClosesOften", "keepalive_requests 7;"),
      nginx_case(kHttp, "NginxThatResets", "keepalive_requests 7; lingering_close off;"),
      nginx_case(kHttp, "NginxWithoutKeepAlive", "keepalive_timeout 0;")};
  return cases;
}

INSTANTIATE_TEST_SUITE_P(Http1, TransportContract, testing::ValuesIn(nginx_cases<HttpVersion::kHttp1>()),
                         contract_case_name);
INSTANTIATE_TEST_SUITE_P(Http2, TransportContract, testing::ValuesIn(nginx_cases<HttpVersion::kHttp2>()),
                         contract_case_name);

}  // namespace
}  // namespace tributary::transport
