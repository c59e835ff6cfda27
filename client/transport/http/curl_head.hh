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

/// The head of the last response of a transfer, as the origin wrote it. Stricter than libcurl, which takes a cut head
/// for whole, and an overlong length for none. If lengths differ, libcurl takes the last; here the longest counts.
class CurlHead {
 public:
  /// Listens to the heads of the handle's transfer. The handle must not run after the object has ended.
  explicit CurlHead(CurlHandle& handle);
  CurlHead(const CurlHead&) = delete;
  CurlHead& operator=(const CurlHead&) = delete;

  ResponseHead fields() const { return lines_.head(); }
  /// The bytes of the head, for ResponseParser.
  std::span<const std::byte> bytes() const { return std::as_bytes(std::span{text_}); }
  /// The head of a final response has come, and it is no redirection.
  bool has_come() const { return complete_ && lines_.status() >= 200 && lines_.status() / 100 != 3; }
  /// A defect that hides where the body ends, or how it is coded; nothing if the body can be taken.
  std::optional<Rejection> defect(DifferingLengths lengths) const;
  /// Those defects that explain the failure of a transfer: a head that is too long, or an unreadable coding of the
  /// body.
  std::optional<Rejection> unreadable() const;

 private:
  static std::size_t on_line(char* bytes, std::size_t one, std::size_t size, void* self);
  void take(std::string_view line);

  ResponseLines lines_;
  std::string text_;
  bool complete_ = true;                      // the next status line begins another head
  std::int64_t left_ = kLongestHead.bytes();  // bytes that may still come, in the heads of all responses
};

}  // namespace tributary::transport
