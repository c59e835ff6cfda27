#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "transport/http/response_parser.hh"
#include "units/data_size.hh"

namespace tributary::transport {

/// The frames of one HTTP/2 connection (RFC 9113), as a client without server push: nghttp2 and nothing more. No stream gets a
/// byte of body before it is granted some; the connection's own window is large and renewed by itself.
class Http2Framing {
 public:
  enum class Error : std::uint32_t {
    kNone = 0,
    kRefusedStream = 7,
    kCancel = 8,
    kEnhanceYourCalm = 11,
    kHttp11Required = 13
  };

  /// Called from within on_bytes() and output().
  class Listener {
   public:
    virtual ~Listener() = default;
    /// The request is about to be sent: the stream may be granted bytes from here on.
    virtual void on_opened(std::int32_t stream) = 0;
    /// Of a final response.
    virtual void on_head(std::int32_t stream, const ResponseHead& head) = 0;
    /// A part of the input.
    virtual void on_body(std::int32_t stream, std::span<const std::byte> bytes) = 0;
    /// Bytes of the stream that count as its body's, and are not.
    virtual void on_padding(std::int32_t stream, DataSize size) = 0;
    /// The last of the stream. `by_origin`: it was the origin that reset it. Without an error the response is complete.
    virtual void on_closed(std::int32_t stream, Error error, bool by_origin) = 0;
    /// No further stream will be served; those that will not be are closed as refused afterwards.
    virtual void on_going_away() = 0;
    virtual void on_pong() = 0;
    /// Bytes of a body came, whether or not anybody still wants them.
    virtual void on_body_bytes() = 0;
  };

  struct Limits {
    DataSize head = kLongestHead;
    DataSize connection_window{16 * 1024 * 1024};
  };
  /// The listener must outlive it.
  Http2Framing(Listener& listener, Limits limits);
  ~Http2Framing();

  struct Request {
    std::string_view authority, target, range;
    std::string_view if_range;  // may be empty
    std::int32_t after;         // the origin should serve this stream first, if it is not 0
  };
  /// Nothing if the connection has no further stream.
  std::optional<std::int32_t> open(const Request& request);
  void grant(std::int32_t stream, DataSize size);
  void cancel(std::int32_t stream);
  void ping();

  /// As in HttpSession.
  std::string_view output();
  void output_sent(std::size_t size);
  void on_bytes(std::span<const std::byte> bytes);

  /// What the origin allows at a time.
  std::uint32_t most_streams() const;
  /// Nothing more can be read, because the bytes were no HTTP/2 or broke its rules.
  bool broken() const;
  const std::string& error() const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace tributary::transport
