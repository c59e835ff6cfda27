#pragma once

#include <string>

#include "transport/connections/curl_handle.hh"

namespace tributary::transport {

/// Offers the origin the choice of application protocols (ALPN) when a libcurl handle connects by TLS, and knows what was
/// chosen. libcurl's own offer will not do: what it agrees on it also speaks.
class ApplicationProtocol {
 public:
  /// Must live, and stay where it is, as long as the handle's connection.
  ApplicationProtocol() = default;
  ApplicationProtocol(const ApplicationProtocol&) = delete;
  ApplicationProtocol& operator=(const ApplicationProtocol&) = delete;

  /// Before the handle connects. `offer`: as RFC 7301 has it on the wire, each name with its length before it.
  void offer(CurlHandle& handle, std::string offer);

  /// Empty if nothing was agreed on.
  const std::string& chosen() const { return chosen_; }

 private:
  struct Callbacks;

  CertificateCheck* certificate_check_ = nullptr;  // the handle's
  std::string offer_;
  std::string chosen_;
};

}  // namespace tributary::transport
