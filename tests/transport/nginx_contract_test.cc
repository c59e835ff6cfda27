// The contract, kept by the real transport with a real nginx: one that keeps connections, and ones that do
// not.
#include <fmt/format.h>

#include <random>

#include "link_world.hh"
#include "nginx_server.hh"
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
struct FilledServer {
  explicit FilledServer(const std::string& directives) : nginx{{.directives = directives}} {
    nginx.put("film.mp4", file);
  }

  std::string file = random_bytes(2'000'000);
  NginxServer nginx;
};

class NginxWorld final : public ContractWorld {
 public:
  explicit NginxWorld(const FilledServer& server)
      : server_{server},
        link_{fmt::format("http://127.0.0.1:{}/film.mp4", server.nginx.port()),
              {.link = "lo", .ca_file = {}}} {}

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
ContractCase nginx_case(const std::string& name, const std::string& directives) {
  auto server = std::make_shared<std::unique_ptr<FilledServer>>();
  return {name, [server, directives] {
            if (!*server) *server = std::make_unique<FilledServer>(directives);
            return std::make_unique<NginxWorld>(**server);
          }};
}

INSTANTIATE_TEST_SUITE_P(Nginx, TransportContract,
                         testing::Values(nginx_case("Nginx", "keepalive_requests 1000;"),
                                         nginx_case("NginxThatClosesOften", "keepalive_requests 7;"),
                                         nginx_case("NginxThatResets",
                                                    "keepalive_requests 7; lingering_close off;"),
                                         nginx_case("NginxWithoutKeepAlive", "keepalive_timeout 0;")),
                         contract_case_name);

}  // namespace
}  // namespace tributary::transport
