// The contract, kept by the real transport with a real nginx, by HTTP/1.1 and HTTP/2: one that keeps connections, and ones
// that do not.
#include <fmt/format.h>

#include <random>

#include "link_world.hh"
#include "nginx_server.hh"
#include "test_certificates.hh"
#include "transport_contract.hh"

namespace tributary::transport {
namespace {

std::string random_bytes(std::size_t size) {
  std::mt19937 random{4711};
  std::string bytes(size, '\0');
  for (char& byte : bytes) byte = static_cast<char>(random());
  return bytes;
}

/// A server with one file in it. Shared by all tests with the same directives: starting one takes a while.
class FilledServer {
 public:
  FilledServer(HttpVersion http, const std::string& directives)
      : http_{http}, nginx_{options(http, directives)} {
    nginx_.put("film.mp4", file);
  }

  std::string url() const {
    return http_ == HttpVersion::kHttp2 ? fmt::format("https://localhost:{}/film.mp4", nginx_.port())
                                        : fmt::format("http://127.0.0.1:{}/film.mp4", nginx_.port());
  }
  LinkRules rules() const {
    return {.link = "lo", .ca_file = certificates_ ? certificates_->authority() : "", .http = http_};
  }

  const std::string file = random_bytes(2'000'000);

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

class NginxWorld final : public ContractWorld {
 public:
  explicit NginxWorld(const FilledServer& server)
      : server_{server}, link_{server.url(), {"127.0.0.1"}, server.rules()} {}

  HttpTransport& transport() override { return link_.transport(); }
  TimePoint now() override { return link_.now(); }
  void step() override { link_.step(); }
  std::string target() const override { return "/film.mp4"; }
  DataSize file_size() const override { return DataSize{static_cast<std::int64_t>(server_.file.size())}; }
  std::optional<std::string> content(ByteRange range) const override {
    return server_.file.substr(static_cast<std::size_t>(range.begin.bytes()),
                               static_cast<std::size_t>(range.size().bytes()));
  }
  std::optional<std::string> missing_target() const override { return "/no-such-film.mp4"; }

 private:
  const FilledServer& server_;
  LinkWorld link_;
};

/// The server is started by the first test that needs it.
ContractCase nginx_case(HttpVersion http, const std::string& name, const std::string& directives) {
  auto server = std::make_shared<std::unique_ptr<FilledServer>>();
  return {name, [server, http, directives] {
            if (!*server) *server = std::make_unique<FilledServer>(http, directives);
            return std::make_unique<NginxWorld>(**server);
          }};
}

auto nginx_cases(HttpVersion http) {
  return testing::Values(nginx_case(http, "Nginx", "keepalive_requests 1000;"),
                         nginx_case(http, "NginxThatClosesOften", "keepalive_requests 7;"),
                         nginx_case(http, "NginxThatResets", "keepalive_requests 7; lingering_close off;"),
                         nginx_case(http, "NginxWithoutKeepAlive", "keepalive_timeout 0;"));
}

INSTANTIATE_TEST_SUITE_P(Http1, TransportContract, nginx_cases(HttpVersion::kHttp1), contract_case_name);
INSTANTIATE_TEST_SUITE_P(Http2, TransportContract, nginx_cases(HttpVersion::kHttp2), contract_case_name);

}  // namespace
}  // namespace tributary::transport
