#include "loopback_socket.hh"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <utility>

namespace tributary {
namespace {

struct SocketAddress {
  sockaddr_storage storage{};
  socklen_t length = 0;

  int family() const { return storage.ss_family; }
  sockaddr* get() { return reinterpret_cast<sockaddr*>(&storage); }
};

SocketAddress loopback(const std::string& address, std::uint16_t port) {
  SocketAddress result;
  if (address == "[::1]") {
    auto& ipv6 = reinterpret_cast<sockaddr_in6&>(result.storage);
    ipv6.sin6_family = AF_INET6;
    ipv6.sin6_port = htons(port);
    ipv6.sin6_addr = in6addr_loopback;
    result.length = sizeof ipv6;
  } else {
    auto& ipv4 = reinterpret_cast<sockaddr_in&>(result.storage);
    ipv4.sin_family = AF_INET;
    ipv4.sin_port = htons(port);
    ipv4.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    result.length = sizeof ipv4;
  }
  return result;
}

int checked(int result, const char* what) {
  if (result < 0) throw std::system_error{errno, std::generic_category(), what};
  return result;
}

}  // namespace

FileDescriptor listen_on_loopback(const std::string& address) {
  SocketAddress any_port = loopback(address, 0);
  FileDescriptor socket{checked(::socket(any_port.family(), SOCK_STREAM | SOCK_CLOEXEC, 0), "socket")};
  checked(bind(socket.get(), any_port.get(), any_port.length), "bind");
  checked(listen(socket.get(), 16), "listen");
  return socket;
}

std::uint16_t port_of(const FileDescriptor& socket) {
  SocketAddress address;
  address.length = sizeof address.storage;
  checked(getsockname(socket.get(), address.get(), &address.length), "getsockname");
  return ntohs(reinterpret_cast<sockaddr_in&>(address.storage).sin_port);  // the same place in both families
}

std::uint16_t free_port(const std::string& address) { return port_of(listen_on_loopback(address)); }

bool can_connect(const std::string& address, std::uint16_t port) {
  SocketAddress peer = loopback(address, port);
  const FileDescriptor socket{checked(::socket(peer.family(), SOCK_STREAM | SOCK_CLOEXEC, 0), "socket")};
  return connect(socket.get(), peer.get(), peer.length) == 0;
}

}  // namespace tributary
