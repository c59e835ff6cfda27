#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>

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
    bool http2 = false;                     // as well, with tls
  };
  explicit NginxServer(const Options& options);
  ~NginxServer();
  NginxServer(const NginxServer&) = delete;
  NginxServer& operator=(const NginxServer&) = delete;

  std::uint16_t port() const { return port_; }
  /// Puts a file into the document root, whole at once.
  void put(const std::string& name, const std::string& bytes) const;
  pid_t process() const { return process_; }

 private:
  void start(const Options& options);
  bool answers() const;

  TemporaryDirectory directory_;
  std::string address_;
  std::uint16_t port_ = 0;
  pid_t process_ = -1;
};

}  // namespace tributary
