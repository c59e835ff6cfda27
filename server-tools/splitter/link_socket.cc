#include "splitter/link_socket.hh"

#include <net/if.h>
#include <netinet/in.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#include <cerrno>
#include <cstring>
#include <system_error>

#include "bonding/inner/inner_packet.hh"

namespace tributary {
namespace {

[[noreturn]] void fail(const std::string& what) {
  const int error = errno;
  const char* advice = error == EPERM ? " (needs the capability CAP_NET_RAW, as root has it)" : "";
  throw std::system_error(error, std::generic_category(), what + advice);
}

/// It sends packets with their headers, and receives nothing. Closed: the family is not there.
FileDescriptor raw_socket(int family, const std::string& link) {
  FileDescriptor socket{::socket(family, SOCK_RAW | SOCK_NONBLOCK | SOCK_CLOEXEC, IPPROTO_RAW)};
  if (!socket.is_open()) {
    if (errno == EAFNOSUPPORT) return {};
    fail("open a socket for packets");
  }
  if (::setsockopt(socket.get(), SOL_SOCKET, SO_BINDTODEVICE, link.c_str(), static_cast<socklen_t>(link.size())) < 0)
    fail("send over " + link);
  return socket;
}

}  // namespace

LinkSocket::LinkSocket(const std::string& link)
    : link_{link}, ipv4_{raw_socket(AF_INET, link)}, ipv6_{raw_socket(AF_INET6, link)} {}

void LinkSocket::send(bonding::ByteSpan packet) {
  const auto addresses = bonding::inner_addresses(packet);
  if (!addresses) return;
  sockaddr_in to4{};
  sockaddr_in6 to6{};
  to4.sin_family = AF_INET;
  to6.sin6_family = AF_INET6;
  const bool is_6 = addresses->destination.size() == sizeof to6.sin6_addr;
  void* const address = is_6 ? static_cast<void*>(&to6.sin6_addr) : &to4.sin_addr;
  std::memcpy(address, addresses->destination.data(), addresses->destination.size());
  const auto* to = is_6 ? reinterpret_cast<const sockaddr*>(&to6) : reinterpret_cast<const sockaddr*>(&to4);
  [[maybe_unused]] const ssize_t taken =
      ::sendto((is_6 ? ipv6_ : ipv4_).get(), packet.data(), packet.size(), 0, to, is_6 ? sizeof to6 : sizeof to4);
}

DataSize LinkSocket::mtu() const {
  ifreq request{};
  std::strncpy(request.ifr_name, link_.c_str(), IFNAMSIZ - 1);
  if (::ioctl(ipv4_.get(), SIOCGIFMTU, &request) < 0) fail("ask for the largest packet of " + link_);
  return DataSize{request.ifr_mtu};
}

}  // namespace tributary
