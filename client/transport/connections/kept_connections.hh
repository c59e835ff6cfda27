#pragma once

#include <memory>

namespace tributary::transport {

/// Connections that documents have come over, and the next ones may: of the same origin, over the same link, by the same
/// rules. With them addresses of names, and TLS sessions. All are closed with the object. In one thread at a time.
class KeptConnections {
 public:
  KeptConnections();
  ~KeptConnections();
  /// For CurlHandle: a CURLSH.
  void* share() const;

 private:
  class Share;
  std::unique_ptr<Share> share_;
};

}  // namespace tributary::transport
