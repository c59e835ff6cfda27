#include "nginx_server.hh"

#include <fmt/format.h>

namespace tributary {
namespace {

// One process, so that no other user needs to read our directory. {0}: directory, {1}: listen, {2}:
// directives.
constexpr const char* kConfiguration = R"(
daemon off; master_process off; pid {0}/pid; error_log {0}/error.log warn;
events {{ }}
http {{
  access_log off; sendfile on;
  client_body_temp_path {0}/t1; proxy_temp_path {0}/t2; fastcgi_temp_path {0}/t3; uwsgi_temp_path {0}/t4;
  scgi_temp_path {0}/t5;
  server {{ listen {1}; root {0}/root; {2} }}
}}
)";

}  // namespace

NginxServer::NginxServer(const Options& options)
    : process_{options.address, [&](std::uint16_t port) { return command(options, port); }} {}

std::vector<std::string> NginxServer::command(const Options& options, std::uint16_t port) const {
  create_directories(directory_.path() / "root");
  const std::string listen =
      fmt::format("{}:{}{}{}", options.address, port, options.tls ? " ssl" : "", options.http2 ? " http2" : "");
  const std::string configuration = directory_.write(
      "nginx.conf", fmt::format(kConfiguration, directory_.path().string(), listen, options.directives));
  return {"nginx", "-c", configuration, "-e", directory_.path() / "error.log"};
}

void NginxServer::put(const std::string& name, const std::string& bytes) const {
  const std::string fresh = directory_.write("root/" + name + ".new", bytes);
  std::filesystem::rename(fresh, directory_.path() / "root" / name);
}

}  // namespace tributary
