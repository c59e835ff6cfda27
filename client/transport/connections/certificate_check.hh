#pragma once

#include <string>

// of OpenSSL, which only the source needs
using SSL_CTX = struct ssl_ctx_st;

namespace tributary::transport {

/// Knows why a certificate was refused, in more words than libcurl has: until when it was valid, what time it is here, who
/// issued it, which names it is for. Knows as well how the connection has ended. Decides nothing: libcurl and OpenSSL do.
class CertificateCheck {
 public:
  CertificateCheck() = default;
  CertificateCheck(const CertificateCheck&) = delete;
  CertificateCheck& operator=(const CertificateCheck&) = delete;

  /// Before each connection is made. Must live, and stay where it is, as long as that.
  void watch(SSL_CTX* context);

  /// A handshake has begun: the other end's system has accepted the connection.
  bool begun() const { return begun_; }
  /// The other end has said that nothing more comes (close_notify). libcurl takes the end of the TCP connection for that.
  bool closed() const { return closed_; }
  /// Empty if nothing was refused.
  const std::string& defect() const { return defect_; }
  /// What the origin's certificate is for: "a.example, *.b.example". Empty if it was not seen.
  const std::string& names() const { return names_; }

 private:
  struct Callbacks;

  bool begun_ = false, closed_ = false;
  std::string defect_, names_;
};

}  // namespace tributary::transport
