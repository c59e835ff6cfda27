#include "raw_client.hh"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <stdexcept>
#include <utility>

namespace tributary::proxy {

namespace {

constexpr int kPatience = 20'000;  // ms

FileDescriptor connect_to(const std::string& address, std::uint16_t port) {
  const bool is_v6 = address.find(':') != std::string::npos;
  FileDescriptor socket{::socket(is_v6 ? AF_INET6 : AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)};
  sockaddr_storage storage{};
  socklen_t size = 0;
  if (is_v6) {
    auto& place = reinterpret_cast<sockaddr_in6&>(storage);
    place.sin6_family = AF_INET6;
    place.sin6_port = htons(port);
    ::inet_pton(AF_INET6, address.c_str(), &place.sin6_addr);
    size = sizeof(sockaddr_in6);
  } else {
    auto& place = reinterpret_cast<sockaddr_in&>(storage);
    place.sin_family = AF_INET;
    place.sin_port = htons(port);
    ::inet_pton(AF_INET, address.c_str(), &place.sin_addr);
    size = sizeof(sockaddr_in);
  }
  if (::connect(socket.get(), reinterpret_cast<const sockaddr*>(&storage), size) != 0) {
    throw std::runtime_error{"connect to " + address};
  }
  return socket;
}

}  // namespace

RawClient::RawClient(std::uint16_t port, const std::string& address) : socket_{connect_to(address, port)} {}

bool RawClient::send(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::send(socket_.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (count <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
  return true;
}

bool RawClient::more() {
  pollfd poll{.fd = socket_.get(), .events = POLLIN, .revents = 0};
  if (::poll(&poll, 1, kPatience) <= 0) throw std::runtime_error{"nothing comes, and no end"};
  std::array<char, 65'536> bytes;
  const ssize_t count = ::recv(socket_.get(), bytes.data(), bytes.size(), 0);
  if (count < 0 && errno == ECONNRESET) was_reset_ = true;
  if (count <= 0) return false;
  buffer_.append(bytes.data(), static_cast<std::size_t>(count));
  return true;
}

std::string RawClient::line() {
  std::size_t end = 0;
  while ((end = buffer_.find("\r\n")) == std::string::npos) {
    if (!more()) return {};
  }
  std::string text = buffer_.substr(0, end);
  buffer_.erase(0, end + 2);
  return text;
}

std::string RawClient::exactly(std::size_t size, bool& is_whole) {
  while (buffer_.size() < size) {
    if (more()) continue;
    is_whole = false;
    break;
  }
  std::string text = buffer_.substr(0, size);
  buffer_.erase(0, size);
  return text;
}

Reply RawClient::head() {
  Reply reply;
  const std::string status = line();
  if (status.size() < 12) return reply;
  reply.status = static_cast<unsigned>(std::stoul(status.substr(9, 3)));
  for (std::string text = line(); !text.empty(); text = line()) {
    const std::size_t colon = text.find(": ");
    reply.fields.emplace_back(text.substr(0, colon), text.substr(colon + 2));
  }
  return reply;
}

Reply RawClient::reply(bool to_head) {
  Reply reply = head();
  if (reply.status == 0 || to_head || reply.status == 204 || reply.status == 304) return reply;
  return body(std::move(reply));
}

Reply RawClient::body(Reply reply) {
  if (reply.field("Transfer-Encoding") == "chunked") {
    while (true) {
      const std::string size = line();
      std::size_t count = 0;
      if (std::from_chars(size.data(), size.data() + size.size(), count, 16).ec != std::errc{}) reply.is_whole = false;
      if (!reply.is_whole) return reply;
      reply.body += exactly(count, reply.is_whole);
      line();
      if (count == 0) return reply;
    }
  }
  if (reply.field("Content-Length") == "-") {
    reply.body = rest();
    reply.is_whole = !was_reset_;
  } else {
    reply.body = exactly(std::stoul(reply.field("Content-Length")), reply.is_whole);
  }
  return reply;
}

std::optional<std::string> RawClient::some() {
  if (!more() && buffer_.empty()) return {};
  return std::exchange(buffer_, {});
}

std::string RawClient::rest() {
  while (more()) {
  }
  return std::exchange(buffer_, {});
}

bool RawClient::is_closed_within(std::chrono::milliseconds time) {
  const auto end = std::chrono::steady_clock::now() + time;
  while (true) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - std::chrono::steady_clock::now());
    pollfd poll{.fd = socket_.get(), .events = POLLIN, .revents = 0};
    if (left.count() < 0 || ::poll(&poll, 1, static_cast<int>(left.count())) <= 0) return false;
    if (!more()) return true;
  }
}

}  // namespace tributary::proxy
