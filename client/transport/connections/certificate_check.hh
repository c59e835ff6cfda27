#pragma once

#include <string>

// declared here, so that only the source includes OpenSSL
using SSL_CTX = struct ssl_ctx_st;

namespace tributary::transport {

/// Knows why a certificate was refused, with details that libcurl does not give: its validity, the time of this
/// machine, its issuer, its names. Also knows how the connection ended. Decides nothing; libcurl and OpenSSL do.
class CertificateCheck {
 public:
  CertificateCheck() = default;
  CertificateCheck(const CertificateCheck&) = delete;
  CertificateCheck& operator=(const CertificateCheck&) = delete;

  /// To be called before each connection is made; where one leads through a proxy by TLS, before that to the proxy and
  /// before that to the origin, which is what the object is asked about. It must outlive the connection.
  void watch(SSL_CTX* context);

  /// A handshake has begun: the other end's system has accepted the connection.
  bool begun() const { return begun_; }
  /// The other end has announced the end of its data (close_notify). libcurl takes the end of the TCP connection for
  /// it, too.
  bool closed() const { return closed_; }
  /// Empty if no certificate was refused.
  const std::string& defect() const { return defect_; }
  /// The names in the origin's certificate: "a.example, *.b.example". Empty if no certificate was seen.
  const std::string& names() const { return names_; }

 private:
  struct Callbacks;

  const SSL_CTX* newest_ = nullptr;
  bool begun_ = false, closed_ = false;
  std::string defect_, names_;
};

}  // namespace tributary::transport
