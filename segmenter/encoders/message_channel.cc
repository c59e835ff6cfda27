#include "segmenter/encoders/message_channel.hh"

#include <fmt/format.h>
#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <cstring>

#include "segmenter/failure.hh"

namespace tributary::segmenter {

std::pair<MessageChannel, MessageChannel> MessageChannel::connected() {
  std::array<int, 2> ends{};
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0)
    throw Failure{ExitCode::kCodec, fmt::format("cannot connect two processes: {}", std::strerror(errno))};
  return {MessageChannel{ends[0]}, MessageChannel{ends[1]}};
}

bool MessageChannel::send(std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t sent = ::send(socket_.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) return false;
    bytes = bytes.subspan(static_cast<std::size_t>(sent));
  }
  return true;
}

bool MessageChannel::receive(std::span<std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t received = ::recv(socket_.get(), bytes.data(), bytes.size(), MSG_WAITALL);
    if (received < 0 && errno == EINTR) continue;
    if (received <= 0) return false;
    bytes = bytes.subspan(static_cast<std::size_t>(received));
  }
  return true;
}

}  // namespace tributary::segmenter
