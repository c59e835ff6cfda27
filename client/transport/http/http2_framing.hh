#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "transport/http/response_parser.hh"
#include "transport/http_transport.hh"
#include "units/data_size.hh"

namespace tributary::transport {

/// The frames of one HTTP/2 connection (RFC 9113), for a client without server push: a thin layer over nghttp2. A
/// stream receives body bytes only as far as it was granted. The connection's own window is large, and is renewed
/// automatically.
class Http2Framing {
 public:
  enum class Error : std::uint32_t {
    kNone = 0,
    kRefusedStream = 7,
    kCancel = 8,
    kEnhanceYourCalm = 11,
    kHttp11Required = 13
  };

  /// Http2Framing calls it from within on_bytes() and output().
  class Listener {
   public:
    virtual ~Listener() = default;
    /// The request is about to be sent. From here on, bytes may be granted to the stream.
    virtual void on_opened(std::int32_t stream) = 0;
    /// The head of a final response.
    virtual void on_head(std::int32_t stream, const ResponseHead& head) = 0;
    /// `bytes` borrows from the input of on_bytes().
    virtual void on_body(std::int32_t stream, std::span<const std::byte> bytes) = 0;
    /// Padding: bytes of the stream that count against its grant but do not belong to the body.
    virtual void on_padding(std::int32_t stream, DataSize size) = 0;
    /// The stream has ended. `by_origin`: the origin has reset it. Without an error the response is complete.
    virtual void on_closed(std::int32_t stream, Error error, bool by_origin) = 0;
    /// The origin will serve no further stream (GOAWAY). Streams that it does not serve are closed as refused
    /// afterwards.
    virtual void on_going_away() = 0;
    virtual void on_pong() = 0;
    /// Bytes of a body came, be it of a cancelled stream.
    virtual void on_body_bytes() = 0;
  };

  struct Limits {
    DataSize head = kLongestHead;
    DataSize connection_window{16 * 1024 * 1024};
  };
  /// The listener must outlive the framing.
  Http2Framing(Listener& listener, Limits limits);
  ~Http2Framing();

  struct Request {
    std::string_view authority, target, range;
    std::string_view if_range;  // may be empty
    std::string_view cookies;   // may be empty
    const RequestFields& more;  // further fields
    std::int32_t after;         // the stream that the origin should serve first; 0: none
  };
  /// The new stream; nothing if the connection's stream numbers are used up.
  std::optional<std::int32_t> open(const Request& request);
  void grant(std::int32_t stream, DataSize size);
  void cancel(std::int32_t stream);
  void ping();

  /// output() and output_sent(): as in HttpSession.
  std::string_view output();
  void output_sent(std::size_t size);
  void on_bytes(std::span<const std::byte> bytes);

  /// The number of simultaneous streams that the origin allows.
  std::uint32_t most_streams() const;
  /// The bytes were no HTTP/2 or broke its rules, so that no more can be read.
  bool broken() const;
  const std::string& error() const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace tributary::transport
