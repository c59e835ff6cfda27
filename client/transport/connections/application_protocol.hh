#pragma once

#include <string>

#include "transport/connections/curl_handle.hh"

namespace tributary::transport {

/// Offers application protocols (ALPN) to the origin when a libcurl handle connects by TLS, and knows the origin's
/// choice. libcurl's own offer will not do: libcurl itself speaks the protocol that it agrees on.
class ApplicationProtocol {
 public:
  /// The object must outlive the handle's connection.
  ApplicationProtocol() = default;
  ApplicationProtocol(const ApplicationProtocol&) = delete;
  ApplicationProtocol& operator=(const ApplicationProtocol&) = delete;

  /// To be called before the handle connects. `offer`: in the form of RFC 7301, each name with its length before it.
  void offer(CurlHandle& handle, std::string offer);

  /// Empty if the origin chose none.
  const std::string& chosen() const { return chosen_; }

 private:
  struct Callbacks;

  CertificateCheck* certificate_check_ = nullptr;  // of the handle
  std::string offer_;
  std::string chosen_;
};

}  // namespace tributary::transport
