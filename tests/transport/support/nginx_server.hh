#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "server_process.hh"
#include "temporary_directory.hh"

namespace tributary {

/// A real nginx on a free port of the loopback interface, with a document root of its own, for as long as
/// this lives.
class NginxServer {
 public:
  struct Options {
    std::string address = "127.0.0.1";  // or "[::1]"
    std::string directives;             // further ones of the server block, each with its semicolon
    bool tls = false;                   // needs ssl_certificate and ssl_certificate_key among the directives
    bool http2 = false;                 // as well, with tls
  };
  explicit NginxServer(const Options& options);

  std::uint16_t port() const { return process_.port(); }
  /// Puts a file into the document root, whole at once.
  void put(const std::string& name, const std::string& bytes) const;
  pid_t process() const { return process_.process(); }

 private:
  std::vector<std::string> command(const Options& options, std::uint16_t port) const;

  TemporaryDirectory directory_;
  ServerProcess process_;
};

}  // namespace tributary
