#include "tunnel/machine/split/tcp_socket.hh"

#include <arpa/inet.h>
#include <linux/netfilter_ipv4.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <system_error>

#include "tunnel/machine/relay_address.hh"
#include "tunnel/machine/socket_address.hh"

namespace tributary {
namespace {

using bonding::PeerAddress;

// Of linux/netfilter_ipv6/ip6_tables.h, which C++ cannot read.
constexpr int kOriginalDestinationIpv6 = 80;

/// That of its own, since a socket for both may be refused where IPv6 is switched off.
int family_of(const PeerAddress& address) { return is_ipv4(address) ? AF_INET : AF_INET6; }

FileDescriptor make_socket(int family) {
  return FileDescriptor{::socket(family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0)};
}

}  // namespace

std::optional<TcpSocket> TcpSocket::connecting_to(const PeerAddress& to, const Way& way) {
  sockaddr_storage address;
  const socklen_t size = write_address(to, family_of(to), address);
  FileDescriptor fd = make_socket(address.ss_family);
  if (!fd.is_open()) return std::nullopt;
  if (!way.link.empty() && ::setsockopt(fd.get(), SOL_SOCKET, SO_BINDTODEVICE, way.link.c_str(),
                                        static_cast<socklen_t>(way.link.size() + 1)) != 0)
    return std::nullopt;
  if (way.mark != 0 && ::setsockopt(fd.get(), SOL_SOCKET, SO_MARK, &way.mark, sizeof way.mark) != 0)
    return std::nullopt;
  TcpConnection{fd.get()}.send_at_once();
  if (::connect(fd.get(), reinterpret_cast<const sockaddr*>(&address), size) != 0 && errno != EINPROGRESS)
    return std::nullopt;
  return TcpSocket{std::move(fd)};
}

TcpSocket TcpSocket::listening_at(const PeerAddress& at) {
  sockaddr_storage address;
  const socklen_t size = write_address(at, family_of(at), address);
  FileDescriptor fd = make_socket(address.ss_family);
  if (!fd.is_open() && address.ss_family == AF_INET6 && at.address == PeerAddress{}.address) {
    auto& any = reinterpret_cast<sockaddr_in&>(address);  // a system without IPv6
    any = {.sin_family = AF_INET, .sin_port = htons(at.port), .sin_addr = {}, .sin_zero = {}};
    fd = make_socket(AF_INET);
  }
  const int yes = 1;
  if (fd.is_open()) ::setsockopt(fd.get(), SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  if (!fd.is_open() || ::bind(fd.get(), reinterpret_cast<const sockaddr*>(&address), size) != 0 ||
      ::listen(fd.get(), SOMAXCONN) != 0)
    throw std::system_error(errno, std::generic_category(), "listen at TCP port " + std::to_string(at.port));
  return TcpSocket{std::move(fd)};
}

std::optional<TcpSocket> TcpSocket::accept() const {
  FileDescriptor fd{::accept4(fd_.get(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC)};
  if (!fd.is_open()) return std::nullopt;
  TcpConnection{fd.get()}.send_at_once();
  return TcpSocket{std::move(fd)};
}

std::optional<PeerAddress> TcpSocket::original_destination() const {
  sockaddr_storage own{}, to{};
  socklen_t size = sizeof own;
  if (::getsockname(fd_.get(), reinterpret_cast<sockaddr*>(&own), &size) != 0) return std::nullopt;
  const bool ipv6 = own.ss_family == AF_INET6;
  size = sizeof to;
  if (::getsockopt(fd_.get(), ipv6 ? IPPROTO_IPV6 : IPPROTO_IP, ipv6 ? kOriginalDestinationIpv6 : SO_ORIGINAL_DST, &to,
                   &size) != 0)
    return std::nullopt;
  const PeerAddress destination = read_address(to);
  return destination == read_address(own) ? std::nullopt : std::optional{destination};
}

TcpSocket::Read TcpSocket::read(std::span<std::byte> into) const {
  const ssize_t size = ::recv(fd_.get(), into.data(), into.size(), 0);
  if (size > 0) return {into.first(static_cast<std::size_t>(size))};
  if (size == 0) return {{}, State::kEnded};
  return {{}, errno == EAGAIN || errno == EINTR || errno == ENOTCONN ? State::kOpen : State::kBroken};
}

std::optional<std::size_t> TcpSocket::write(bonding::ByteSpan bytes) const {
  if (bytes.empty()) return 0;
  const ssize_t size = ::send(fd_.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
  if (size >= 0) return static_cast<std::size_t>(size);
  if (errno == EAGAIN || errno == EINTR) return 0;
  return std::nullopt;
}

bool TcpSocket::has_failed() const {
  int error = 0;
  socklen_t size = sizeof error;
  return ::getsockopt(fd_.get(), SOL_SOCKET, SO_ERROR, &error, &size) != 0 || error != 0;
}

void TcpSocket::end_writing() const { ::shutdown(fd_.get(), SHUT_WR); }

void TcpSocket::will_break_off() const {
  const linger at_once{.l_onoff = 1, .l_linger = 0};
  ::setsockopt(fd_.get(), SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
}

}  // namespace tributary
