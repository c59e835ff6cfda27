#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "units/data_size.hh"

namespace tributary::transport {

/// The limit of curl; no client reads longer heads.
inline constexpr DataSize kLongestHead{300 * 1024};

/// The head of a response, as far as we need it. An absent field is empty.
struct ResponseHead {
  int status = 0;
  std::string reason;
  std::optional<DataSize> content_length;
  bool delimited = false;   // the body marks its own end, as chunks do
  bool keep_alive = false;  // false: this is the last response on the connection
  /// As the origin wrote them. Values of a repeated field are joined by ", " (RFC 9110 section 5.3).
  std::string content_range, content_type, content_encoding, etag, last_modified, location, retry_after, date,
      content_disposition;
  std::string transfer_encoding;  // of HTTP/1.1, without codings that change nothing
};

/// The treatment of differing values of Content-Length.
enum class DifferingLengths {
  kRefused,  ///< as in RFC 9112 section 6.3: the bytes that follow may be another response
  kLongest,  ///< for a connection with one request: fewer bytes than the longest are not the whole body
};

/// Cuts the bytes of one connection into responses: a head, pieces of its body, its end, the next head. Knows HTTP/1.1
/// framing (RFC 9112), as loosely as curl where nothing is at stake, and nothing of the requests. An interim response
/// (1xx) is a response without body.
class ResponseParser {
 public:
  enum class Found {
    kNothing,  ///< all input was taken; an unfinished rest is kept
    kHead,     ///< head() is new
    kBody,     ///< body() is new
    kEnd,      ///< the response is complete; the next one may follow
    kError,    ///< error() has the reason; no more can be read from this connection
  };

  /// A head longer than the limit is an error.
  explicit ResponseParser(DataSize head_limit, DifferingLengths lengths = DifferingLengths::kRefused);
  ~ResponseParser();

  /// Takes bytes from the front of the input until something is found. Call until it returns kNothing.
  Found parse(std::span<const std::byte>& input);

  const ResponseHead& head() const;
  /// Borrowed from the last input.
  std::span<const std::byte> body() const;
  const std::string& error() const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace tributary::transport
