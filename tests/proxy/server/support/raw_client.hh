#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "proxy/requests/fields.hh"
#include "system/file_descriptor.hh"

namespace tributary::proxy {

/// An answer as it came.
struct Reply {
  unsigned status = 0;
  Fields fields = {};
  std::string body = {};
  bool is_whole = true;  // the body ended as its framing says

  std::string field(std::string_view name) const { return proxy::field(fields, name).value_or("-"); }
};

/// A player that says exactly what it is told to, over a socket of its own. Waits for nothing longer than 20 s.
class RawClient {
 public:
  explicit RawClient(std::uint16_t port, const std::string& address = "127.0.0.1");

  /// False if the connection has gone.
  bool send(std::string_view bytes);
  /// Reads one answer; one to HEAD has no body. A status of 0: the connection ended before its head.
  Reply reply(bool to_head = false);
  /// Reads the head, and leaves the body, which body() adds.
  Reply head();
  Reply body(Reply head);
  /// Bytes that have come and are not read, after the next ones have come; nothing at the end of the connection.
  std::optional<std::string> some();
  /// All up to the end of the connection.
  std::string rest();
  /// The other side closes within this time, whatever it sends before.
  bool is_closed_within(std::chrono::milliseconds time);
  /// The other side has sent a reset and not an end.
  bool was_reset() const { return was_reset_; }
  void close() { socket_ = {}; }
  int fd() const { return socket_.get(); }

 private:
  bool more();
  std::string line();
  std::string exactly(std::size_t size, bool& is_whole);

  FileDescriptor socket_;
  std::string buffer_;
  bool was_reset_ = false;
};

}  // namespace tributary::proxy
