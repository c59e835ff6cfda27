#include "faulty_origin.hh"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include <array>

namespace tributary {
namespace {

/// The next head, up to and with its empty line; empty when the client has closed. Requests have no bodies.
std::string read_head(int socket, std::string& buffer) {
  constexpr std::string_view kEnd = "\r\n\r\n";
  while (buffer.find(kEnd) == std::string::npos) {
    std::array<char, 4096> bytes{};
    const ssize_t size = recv(socket, bytes.data(), bytes.size(), 0);
    if (size <= 0) return {};
    buffer.append(bytes.data(), static_cast<std::size_t>(size));
  }
  const std::size_t length = buffer.find(kEnd) + kEnd.size();
  const std::string head = buffer.substr(0, length);
  buffer.erase(0, length);
  return head;
}

void send_all(int socket, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t sent = send(socket, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent <= 0) return;
    bytes.remove_prefix(static_cast<std::size_t>(sent));
  }
}

void send_one_by_one(int socket, std::string_view bytes, std::chrono::microseconds each) {
  const int on = 1;
  setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    send_all(socket, bytes.substr(i, 1));
    std::this_thread::sleep_for(each);
  }
}

void reset_when_closed(int socket) {
  const linger now{.l_onoff = 1, .l_linger = 0};
  setsockopt(socket, SOL_SOCKET, SO_LINGER, &now, sizeof now);
}

}  // namespace

FaultyOrigin::FaultyOrigin(Answer answer, Serves serves)
    : answer_{std::move(answer)}, serves_{serves}, listener_{listen_on_loopback()}, acceptor_{[this] {
        accept_all();
      }} {}

FaultyOrigin::~FaultyOrigin() {
  {
    const std::lock_guard lock{mutex_};
    stopping_ = true;
    for (const int socket : open_) shutdown(socket, SHUT_RDWR);
  }
  shutdown(listener_.get(), SHUT_RDWR);
  acceptor_.join();
  for (std::thread& server : servers_) server.join();
}

void FaultyOrigin::accept_all() {
  while (true) {
    FileDescriptor socket{accept(listener_.get(), nullptr, nullptr)};
    {
      const std::lock_guard lock{mutex_};
      if (socket.get() < 0 || stopping_) return;
      ++connections_;
      open_.push_back(socket.get());
    }
    if (serves_ == Serves::kInTurn)
      serve(socket);
    else
      servers_.emplace_back([this, owned = std::move(socket)] { serve(owned); });
  }
}

void FaultyOrigin::serve(const FileDescriptor& socket) {
  std::string buffer;
  for (std::string head = read_head(socket.get(), buffer); !head.empty(); head = read_head(socket.get(), buffer)) {
    Reply reply;
    {
      const std::lock_guard lock{mutex_};
      reply = answer_(head);
    }
    if (reply.each.count() > 0)
      send_one_by_one(socket.get(), reply.bytes, reply.each);
    else
      send_all(socket.get(), reply.bytes);
    if (reply.then == Reply::Then::kReset) reset_when_closed(socket.get());
    if (reply.then == Reply::Then::kClose || reply.then == Reply::Then::kReset) break;
    if (reply.then == Reply::Then::kSilence) {
      while (!read_head(socket.get(), buffer).empty()) {
      }
      break;
    }
  }
  const std::lock_guard lock{mutex_};
  std::erase(open_, socket.get());
}

}  // namespace tributary
