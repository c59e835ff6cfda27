#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "proxy/requests/fields.hh"

namespace tributary::proxy {

/// A request as it was sent. Nobody has checked yet whether its sender may ask (access.hh).
struct ReceivedRequest {
  std::string method = {};
  std::string target = {};
  Fields fields = {};
  std::string body = {};
  bool http_1_0 = false;
  bool keep_alive = true;
};

/// A request that is not answered. The reason is for us: a player is told the status, and strangers learn nothing.
struct Refusal {
  unsigned status = 400;
  std::string_view reason;  // a literal
};

/// The largest request that is read, in bytes.
struct RequestLimits {
  static constexpr std::size_t kLine = 8'192;
  static constexpr std::size_t kHead = 16'384;
  static constexpr std::size_t kBody = 16'384;
};

/// Reads the requests of one connection out of its bytes, in whatever pieces they come. Boost.Beast parses; the reader
/// refuses beforehand whatever two parsers could understand in two ways (RFC 9112 section 11.2): bare CR and LF, folded
/// lines, control characters, more than one length, any transfer coding, a body where none belongs.
class RequestReader {
 public:
  void put(std::string_view bytes);
  /// The next request, or why there is none; nothing if more bytes are needed. After a refusal the rest of the
  /// connection means nothing, and is not to be read.
  std::optional<std::variant<ReceivedRequest, Refusal>> next();

  /// Bytes of a request are here.
  bool has_begun() const { return !bytes_.empty(); }
  /// More than one request of the largest size is here; a sender that does not wait for answers has to.
  bool is_full() const { return bytes_.size() > RequestLimits::kHead + RequestLimits::kBody; }

 private:
  std::optional<Refusal> look_for_head();
  std::variant<ReceivedRequest, Refusal> read_head(std::string_view head);

  std::string bytes_;
  std::size_t examined_ = 0;  // bytes in which no fault is, nor the end of the head
  std::size_t head_size_ = 0;
  std::size_t body_size_ = 0;
  std::optional<ReceivedRequest> head_;  // read; its body is not here
};

}  // namespace tributary::proxy
