#pragma once

#include <cstddef>
#include <span>
#include <type_traits>
#include <utility>

#include "system/file_descriptor.hh"

namespace tributary::segmenter {

/// One end of a connection between two processes of the same program. Owns the socket.
class MessageChannel {
 public:
  explicit MessageChannel(int socket) : socket_{socket} {}
  void close() { socket_ = {}; }

  /// Two connected ends. Throws Failure.
  static std::pair<MessageChannel, MessageChannel> connected();
  int descriptor() const { return socket_.get(); }

  /// False if the other end is closed.
  bool send(std::span<const std::byte> bytes);
  /// Fills all of `bytes`; false if the other end is closed before.
  bool receive(std::span<std::byte> bytes);

  template <typename T>
  bool send_value(const T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    return send(std::as_bytes(std::span{&value, 1}));
  }
  template <typename T>
  bool receive_value(T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    return receive(std::as_writable_bytes(std::span{&value, 1}));
  }

 private:
  FileDescriptor socket_;
};

}  // namespace tributary::segmenter
