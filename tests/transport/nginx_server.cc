#include "nginx_server.hh"

#include <fmt/format.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <stdexcept>
#include <thread>

#include "loopback_socket.hh"

namespace tributary {
namespace {

using namespace std::chrono_literals;

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

pid_t run_nginx(const std::string& configuration, const std::string& error_log) {
  const pid_t process = fork();
  if (process != 0) return process;
  prctl(PR_SET_PDEATHSIG, SIGKILL);  // a test that is killed leaves no server behind
  execlp("nginx", "nginx", "-c", configuration.c_str(), "-e", error_log.c_str(), nullptr);
  execl("/usr/sbin/nginx", "nginx", "-c", configuration.c_str(), "-e", error_log.c_str(), nullptr);
  _exit(127);
}

}  // namespace

NginxServer::NginxServer(const Options& options) : address_{options.address} {
  create_directory(directory_.path() / "root");
  constexpr int kAttempts = 3;  // another process may take the free port first
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    start(options);
    if (answers()) return;
    waitpid(process_, nullptr, 0);
  }
  throw std::runtime_error{"nginx does not start; is it installed?"};
}

NginxServer::~NginxServer() {
  kill(process_, SIGTERM);
  waitpid(process_, nullptr, 0);
}

void NginxServer::put(const std::string& name, const std::string& bytes) const {
  const std::string fresh = directory_.write("root/" + name + ".new", bytes);
  std::filesystem::rename(fresh, directory_.path() / "root" / name);
}

void NginxServer::start(const Options& options) {
  port_ = free_port(address_);
  const std::string listen = fmt::format("{}:{}{}{}", address_, port_, options.tls ? " ssl" : "", options.http2 ? " http2" : "");
  const std::string configuration = directory_.write(
      "nginx.conf", fmt::format(kConfiguration, directory_.path().string(), listen, options.directives));
  process_ = run_nginx(configuration, directory_.path() / "error.log");
}

bool NginxServer::answers() const {
  const auto give_up = std::chrono::steady_clock::now() + 10s;
  while (std::chrono::steady_clock::now() < give_up) {
    if (can_connect(address_, port_)) return true;
    int status = 0;
    if (waitpid(process_, &status, WNOHANG) != 0) return false;
    std::this_thread::sleep_for(10ms);
  }
  kill(process_, SIGKILL);
  return false;
}

}  // namespace tributary
