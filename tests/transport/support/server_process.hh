#pragma once

#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace tributary {

/// Whether the program can be started: it is in the search path, or where an administrator's programs are.
bool is_installed(const std::string& program);

/// A server of another program on a free port of the loopback interface, for as long as this lives.
class ServerProcess {
 public:
  /// Writes what the server needs to listen there, and says how it is started: as a program that does not go into the
  /// background.
  using Command = std::function<std::vector<std::string>(std::uint16_t port)>;

  /// `address`: "127.0.0.1" or "[::1]". Returns when it listens. Throws std::runtime_error.
  ServerProcess(const std::string& address, const Command& command);
  ~ServerProcess();
  ServerProcess(const ServerProcess&) = delete;
  ServerProcess& operator=(const ServerProcess&) = delete;

  std::uint16_t port() const { return port_; }
  pid_t process() const { return process_; }

 private:
  bool answers(const std::string& address) const;

  std::uint16_t port_ = 0;
  pid_t process_ = -1;
};

}  // namespace tributary
