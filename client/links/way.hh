#pragma once

#include <memory>
#include <string>
#include <vector>

namespace tributary {

/// How a proxy by TLS knows its client, and is known itself: by keys alone.
struct ProxyKeys {
  std::string certificate, private_key;  // PEM
  std::string pinned_key;                // of the proxy: "sha256//" and base64 (RFC 7469)
};

/// A proxy that connects its clients to others (HTTP CONNECT, RFC 9110 section 9.3.6; SOCKS, RFC 1928). What goes through it
/// is encrypted from end to end if the origin's address is https.
struct ConnectProxy {
  std::string url;                     // "SCHEME://HOST:PORT": http, https, socks5 or, if it looks names up, socks5h
  std::vector<std::string> addresses;  // of its host, as text
  std::string user{}, password{};      // empty: it wants none
  std::shared_ptr<const ProxyKeys> keys = {};  // null: an https proxy has a certificate that others have signed
  bool https_only = false;                     // it is not trusted with bytes that it could read or change
};

/// How connections over a link are made.
struct Way {
  std::string device{};                            // the interface to bind to; empty: the routing table chooses
  std::shared_ptr<const ConnectProxy> proxy = {};  // reached over the device; null: the origin itself is

  /// A proxy carries connections of TCP only.
  bool carries_datagrams() const { return proxy == nullptr; }
};

}  // namespace tributary
