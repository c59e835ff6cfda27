#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "transport/connections/curl_handle.hh"
#include "transport/http/response_check.hh"
#include "transport/http/response_lines.hh"

namespace tributary::transport {

/// Of a body without a length, where the end of an encrypted connection is no word of the origin's.
Rejection cut_off();

/// The head of the last response of a transfer, as the origin wrote it. libcurl takes one that is cut off for a whole
/// one, a length that is too large for none, and of several lengths the last; here it is the longest.
class CurlHead {
 public:
  /// Listens to the heads that the handle's transfer gets.
  explicit CurlHead(CurlHandle& handle);
  CurlHead(const CurlHead&) = delete;
  CurlHead& operator=(const CurlHead&) = delete;

  ResponseHead fields() const { return lines_.head(); }
  /// As it came, for ResponseParser.
  std::span<const std::byte> bytes() const { return std::as_bytes(std::span{text_}); }
  /// The head of a final response has come, which is no redirection.
  bool has_come() const { return complete_ && lines_.status() >= 200 && lines_.status() / 100 != 3; }
  /// Why nobody can say where the body ends, or how it is to be read; nothing if it can be taken.
  std::optional<Rejection> defect(DifferingLengths lengths) const;
  /// The part of it that explains a transfer that has failed: heads that are too long, or a coding of the body.
  std::optional<Rejection> unreadable() const;

 private:
  static std::size_t on_line(char* bytes, std::size_t one, std::size_t size, void* self);
  void take(std::string_view line);

  ResponseLines lines_;
  std::string text_;
  bool complete_ = true;                      // a status line begins the next one
  std::int64_t left_ = kLongestHead.bytes();  // that may still come, of all responses
};

}  // namespace tributary::transport
