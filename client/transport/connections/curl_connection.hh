#pragma once

#include <string>
#include <vector>

#include "transport/connections/application_protocol.hh"
#include "transport/connections/curl_handle.hh"
#include "transport/connections/curl_loop.hh"
#include "transport/connections/origin.hh"
#include "transport/sockets/byte_stream.hh"

namespace tributary::transport {

/// A TCP or TLS connection to an origin over one link, made by libcurl (CURLOPT_CONNECT_ONLY). Of the addresses of both
/// families it takes the one that answers first. It fails unless the socket is provably bound to the link.
class CurlConnection final : public ByteStream, private CurlLoop::Listener {
 public:
  /// `addresses`: those of the origin's host, as text. If there are none, libcurl looks the host up, without waiting.
  CurlConnection(CurlLoop& loop, const Origin& origin, const std::vector<std::string>& addresses,
                 const LinkRules& rules);
  ~CurlConnection() override;

  State state() const override { return state_; }
  const Failure& failure() const override { return failure_; }
  std::size_t send(std::string_view bytes) override;
  Received receive(std::span<std::byte> buffer) override;
  std::string_view application_protocol() const override { return protocol_.chosen(); }
  std::optional<RoundTrip> round_trip() const override;
  std::optional<Duration> silence() const override;
  std::optional<Duration> silence_of_peer() const override;
  /// The guard of the title admits the address of the other end: now, if the connection was made ahead of the manifest.
  bool is_admitted() { return handle_.is_admitted(); }
  /// True once the handshake has begun. libcurl's own sign (CURLINFO_CONNECT_TIME_T) comes only after the handshake.
  bool reached() const override { return handle_.certificate_check().begun(); }

 private:
  void on_completed(int code) override;
  void fail(FailureReason reason, const std::string& what);

  CurlLoop& loop_;
  std::string purpose_;  // "connect to http://origin over wlan0", for error texts
  std::string device_;
  bool must_be_http2_;
  ApplicationProtocol protocol_;
  CurlList addresses_;  // kept here, because libcurl does not copy it
  CurlHandle handle_;
  CurlLoop::Socket socket_;
  State state_ = State::kConnecting;
  Failure failure_;
  bool broken_ = false;  // sending has failed
};

}  // namespace tributary::transport
