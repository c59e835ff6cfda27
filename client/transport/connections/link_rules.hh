#pragma once

#include <chrono>
#include <string>

#include "units/session_clock.hh"

namespace tributary::transport {

/// Which HTTP a connection speaks. HTTP/2 needs https, where it is agreed on in the TLS handshake (ALPN).
enum class HttpVersion { kAuto, kHttp1, kHttp2 };

/// How connections over one link are made, whatever they carry.
struct LinkRules {
  std::string link;                       // the interface they are bound to; empty: whatever the routes say
  std::string ca_file;                    // trusted certificates; empty: the system's
  HttpVersion http = HttpVersion::kAuto;  // of documents always HTTP/1.1
  Duration connect_timeout =
      std::chrono::seconds{45};  // with the TLS handshake; PipelinedTransport has a shorter one without
};

}  // namespace tributary::transport
