// The contract with the other servers of Debian that are installed, set up as they come: each has its own way to keep
// connections, and to serve many streams at a time.
#include <fmt/format.h>

#include "film_server.hh"
#include "server_process.hh"
#include "temporary_directory.hh"
#include "test_certificates.hh"
#include "transport_contract.hh"

namespace tributary::transport {
namespace {

/// How a server is configured and started. In the text: {0} its directory, {1} the port, {2} certificate, {3} its key.
struct Program {
  const char* configuration;
  std::vector<std::string> command;  // and the path of the configuration
};

const Program kApache{R"(
ServerRoot {0}
PidFile {0}/pid
ErrorLog {0}/error.log
LoadModule mpm_event_module /usr/lib/apache2/modules/mod_mpm_event.so
LoadModule authz_core_module /usr/lib/apache2/modules/mod_authz_core.so
LoadModule ssl_module /usr/lib/apache2/modules/mod_ssl.so
LoadModule http2_module /usr/lib/apache2/modules/mod_http2.so
User nobody
Group nogroup
ServerName localhost
Listen 127.0.0.1:{1}
Protocols h2 http/1.1
SSLEngine on
SSLSessionCache none
SSLCertificateFile {2}
SSLCertificateKeyFile {3}
DocumentRoot {0}/root
)",
                      {"apache2", "-D", "FOREGROUND", "-f"}};

const Program kH2o{R"(
num-threads: 1
listen: {{ host: 127.0.0.1, port: {1}, ssl: {{ certificate-file: {2}, key-file: {3}, ocsp-update-interval: 0 }} }}
hosts: {{ default: {{ paths: {{ /: {{ file.dir: {0}/root }} }} }} }}
)",
                   {"h2o", "-m", "worker", "-c"}};

const Program kCaddy{R"({{
  admin off
  log {{
    output discard
  }}
  auto_https disable_redirects
  storage file_system {0}/storage
}}
https://localhost:{1} {{
  bind 127.0.0.1
  tls {2} {3}
  root * {0}/root
  file_server
}}
)",
                     {"caddy", "run", "--adapter", "caddyfile", "--config"}};

const Program kLighttpd{R"(
server.modules = ("mod_openssl")
server.document-root = "{0}/root"
server.errorlog = "{0}/error.log"
server.bind = "127.0.0.1"
server.port = {1}
ssl.engine = "enable"
ssl.pemfile = "{2}"
ssl.privkey = "{3}"
mimetype.assign = (".mp4" => "video/mp4")
)",
                        {"lighttpd", "-D", "-f"}};

class OtherFilmServer final : public FilmServer {
 public:
  OtherFilmServer(HttpVersion http, const Program& program)
      : http_{http}, process_{"127.0.0.1", [&](std::uint16_t port) { return command(program, port); }} {}

  std::string url() const override { return fmt::format("https://localhost:{}/film.mp4", process_.port()); }
  LinkRules rules() const override { return {.link = "lo", .ca_file = certificates_.authority(), .http = http_}; }

 private:
  std::vector<std::string> command(const Program& program, std::uint16_t port) const {
    // Started by root, a server serves as another user.
    permissions(directory_.path(), std::filesystem::perms{0755});
    create_directories(directory_.path() / "root");
    directory_.write("root/film.mp4", film());
    std::vector<std::string> command = program.command;
    command.push_back(
        directory_.write("configuration", fmt::format(fmt::runtime(program.configuration), directory_.path().string(),
                                                      port, certificates_.server(), certificates_.server_key())));
    return command;
  }

  HttpVersion http_;
  TestCertificates certificates_;
  TemporaryDirectory directory_;
  ServerProcess process_;
};

std::vector<ContractCase> installed(HttpVersion http) {
  std::vector<ContractCase> cases;
  for (const auto& [name, program] :
       {std::pair{"Apache", &kApache}, {"H2o", &kH2o}, {"Caddy", &kCaddy}, {"Lighttpd", &kLighttpd}}) {
    if (!is_installed(program->command[0])) continue;
    cases.push_back(film_case(name, [http, program] { return std::make_unique<OtherFilmServer>(http, *program); }));
  }
  return cases;
}

/// Made once: GoogleTest asks for them for each test.
template <HttpVersion kHttp>
const std::vector<ContractCase>& cases() {
  static const std::vector<ContractCase> made = installed(kHttp);
  return made;
}

GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(TransportContract);
INSTANTIATE_TEST_SUITE_P(Http1, TransportContract, testing::ValuesIn(cases<HttpVersion::kHttp1>()), contract_case_name);
INSTANTIATE_TEST_SUITE_P(Http2, TransportContract, testing::ValuesIn(cases<HttpVersion::kHttp2>()), contract_case_name);

}  // namespace
}  // namespace tributary::transport
