#pragma once

#include <array>
#include <chrono>
#include <string>
#include <string_view>
#include <utility>

#include "units/session_clock.hh"

namespace tributary::transport {

/// Which HTTP a connection speaks. HTTP/2 needs https, where it is agreed on in the TLS handshake (ALPN).
enum class HttpVersion { kAuto, kHttp1, kHttp2 };

/// As users name them.
inline constexpr std::array<std::pair<std::string_view, HttpVersion>, 3> kHttpVersions{
    {{"auto", HttpVersion::kAuto}, {"1.1", HttpVersion::kHttp1}, {"2", HttpVersion::kHttp2}}};

/// How connections over one link are made, whatever they carry.
struct LinkRules {
  std::string link;                       // the interface they are bound to; empty: whatever the routes say
  std::string ca_file;                    // trusted certificates; empty: the system's
  HttpVersion http = HttpVersion::kAuto;  // of documents always HTTP/1.1
  Duration connect_timeout =
      std::chrono::seconds{45};  // with the TLS handshake; PipelinedTransport has a shorter one without
};

}  // namespace tributary::transport
