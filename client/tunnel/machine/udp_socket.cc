#include "tunnel/machine/udp_socket.hh"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/udp.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <system_error>
#include <vector>

#include "system/event_loop.hh"
#include "tunnel/machine/relay_address.hh"
#include "tunnel/machine/socket_address.hh"

namespace tributary {
namespace {

using bonding::PeerAddress;

constexpr std::size_t kAtOnce = 64, kTurns = 4;  // datagrams of one system call, and calls of one turn
constexpr std::size_t kLargest = 9216;           // of a network with jumbo frames
constexpr std::size_t kRun = 48,
                      kLargestMessage = 65'000;  // datagrams and bytes that the system divides (Linux: 64 and 65,507)
constexpr int kKernelBuffer = 4'000'000;         // a burst of a fast link
// Nothing waits longer in a socket that is read. A difference above it, or below zero, is that of a clock which was set.
constexpr Duration kLongestWait = std::chrono::seconds{1};

void check_call(int result, const std::string& what) {
  if (result < 0) throw std::system_error(errno, std::generic_category(), what);
}

void set(int fd, int level, int name, int value) { ::setsockopt(fd, level, name, &value, sizeof value); }

/// Both, because only root may have more than the system's limit.
void set_buffers(int fd) {
  set(fd, SOL_SOCKET, SO_RCVBUF, kKernelBuffer);
  set(fd, SOL_SOCKET, SO_RCVBUFFORCE, kKernelBuffer);
  set(fd, SOL_SOCKET, SO_SNDBUF, kKernelBuffer);
  set(fd, SOL_SOCKET, SO_SNDBUFFORCE, kKernelBuffer);
}

/// This system does not, or not over this device.
bool cannot_divide(int error) { return error == EIO || error == EINVAL || error == EOPNOTSUPP || error == ENOPROTOOPT; }

/// Adds what the system is to know of a message beside its bytes.
template <typename Value>
void add_control(msghdr& header, std::span<std::byte> room, int level, int type, const Value& value) {
  header.msg_control = room.data();
  auto* const message = reinterpret_cast<cmsghdr*>(room.data() + header.msg_controllen);
  message->cmsg_level = level;
  message->cmsg_type = type;
  message->cmsg_len = CMSG_LEN(sizeof value);
  std::memcpy(CMSG_DATA(message), &value, sizeof value);
  header.msg_controllen += CMSG_SPACE(sizeof value);
}

/// Of this machine, to which the datagram came.
std::array<std::byte, 16> own_address(msghdr& header) {
  std::array<std::byte, 16> own{};
  for (cmsghdr* message = CMSG_FIRSTHDR(&header); message != nullptr; message = CMSG_NXTHDR(&header, message)) {
    if (message->cmsg_level == IPPROTO_IPV6 && message->cmsg_type == IPV6_PKTINFO) {
      in6_pktinfo info{};
      std::memcpy(&info, CMSG_DATA(message), sizeof info);
      std::memcpy(own.data(), &info.ipi6_addr, own.size());
    } else if (message->cmsg_level == IPPROTO_IP && message->cmsg_type == IP_PKTINFO) {
      in_pktinfo info{};
      std::memcpy(&info, CMSG_DATA(message), sizeof info);
      own[10] = own[11] = std::byte{0xff};
      std::memcpy(own.data() + 12, &info.ipi_addr, sizeof info.ipi_addr);
    }
  }
  return own;
}

/// The time of day at which the system got the datagram (SO_TIMESTAMPNS).
std::optional<Duration> time_of_day_of(msghdr& header) {
  for (cmsghdr* message = CMSG_FIRSTHDR(&header); message != nullptr; message = CMSG_NXTHDR(&header, message)) {
    if (message->cmsg_level != SOL_SOCKET || message->cmsg_type != SCM_TIMESTAMPNS) continue;
    timespec time{};
    std::memcpy(&time, CMSG_DATA(message), sizeof time);
    return std::chrono::seconds{time.tv_sec} + std::chrono::nanoseconds{time.tv_nsec};
  }
  return std::nullopt;
}

/// One moment by both clocks.
struct Clocks {
  TimePoint loop;
  Duration time_of_day;
};

/// Reads them again where something came between.
Clocks read_clocks() {
  Clocks clocks{};
  for (int attempt = 0; attempt < 5; ++attempt) {
    clocks.loop = EventLoop::now();
    clocks.time_of_day = std::chrono::system_clock::now().time_since_epoch();
    if (EventLoop::now() - clocks.loop < std::chrono::microseconds{20}) break;
  }
  return clocks;
}

std::optional<TimePoint> came_at(msghdr& header, const Clocks& read_at) {
  const auto stamp = time_of_day_of(header);
  if (!stamp) return std::nullopt;
  const Duration waited = read_at.time_of_day - *stamp;
  if (waited < Duration::zero() || waited > kLongestWait) return std::nullopt;
  return read_at.loop - waited;
}

void add_own_address(msghdr& header, std::span<std::byte> room, const std::array<std::byte, 16>& own, int family) {
  if (family == AF_INET6) {
    in6_pktinfo info{};
    std::memcpy(&info.ipi6_addr, own.data(), own.size());
    add_control(header, room, IPPROTO_IPV6, IPV6_PKTINFO, info);
  } else if (is_ipv4({.address = own})) {
    in_pktinfo info{};
    std::memcpy(&info.ipi_spec_dst, own.data() + 12, sizeof info.ipi_spec_dst);
    add_control(header, room, IPPROTO_IP, IP_PKTINFO, info);
  }
}

}  // namespace

struct UdpSocket::Buffers {
  struct alignas(cmsghdr) Control {
    std::array<std::byte, CMSG_SPACE(sizeof(timespec)) + CMSG_SPACE(sizeof(in6_pktinfo))> bytes;
  };

  std::array<std::array<iovec, kRun>, kAtOnce> runs;  // to send
  std::array<Control, kAtOnce> controls;
  std::array<std::array<std::byte, kLargest>, kAtOnce> bytes;
  std::array<sockaddr_storage, kAtOnce> addresses;
  std::array<iovec, kAtOnce> places;
  std::array<mmsghdr, kAtOnce> messages;
};

void UdpSocket::Delete::operator()(Buffers* buffers) const { delete buffers; }

UdpSocket::UdpSocket() : fd_{::socket(AF_INET6, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0)}, buffers_{new Buffers} {
  if (!fd_.is_open()) {
    ipv6_ = false;
    fd_ = FileDescriptor{::socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0)};
  }
  check_call(fd_.get(), "make a socket");
  set_buffers(fd_.get());
  set(fd_.get(), SOL_SOCKET, SO_TIMESTAMPNS, 1);
  if (ipv6_) {
    set(fd_.get(), IPPROTO_IPV6, IPV6_V6ONLY, 0);
    set(fd_.get(), IPPROTO_IPV6, IPV6_MTU_DISCOVER, IPV6_PMTUDISC_PROBE);
  }
  set(fd_.get(), IPPROTO_IP, IP_MTU_DISCOVER, IP_PMTUDISC_PROBE);
}

UdpSocket UdpSocket::over(const std::string& link) {
  UdpSocket socket;
  check_call(::setsockopt(socket.fd_.get(), SOL_SOCKET, SO_BINDTODEVICE, link.c_str(),
                          static_cast<socklen_t>(link.size() + 1)),
             "use " + link);
  return socket;
}

UdpSocket UdpSocket::listening_at(const PeerAddress& address) {
  UdpSocket socket;
  if (socket.ipv6_)
    set(socket.fd_.get(), IPPROTO_IPV6, IPV6_RECVPKTINFO, 1);
  else
    set(socket.fd_.get(), IPPROTO_IP, IP_PKTINFO, 1);
  sockaddr_storage at;
  const socklen_t size = write_address(address, socket.family(), at);
  check_call(::bind(socket.fd_.get(), reinterpret_cast<const sockaddr*>(&at), size),
             "listen at UDP port " + std::to_string(address.port));
  return socket;
}

int UdpSocket::family() const { return ipv6_ ? AF_INET6 : AF_INET; }

std::uint16_t UdpSocket::port() const {
  sockaddr_storage at{};
  socklen_t size = sizeof at;
  check_call(::getsockname(fd_.get(), reinterpret_cast<sockaddr*>(&at), &size), "ask for the port of a socket");
  return read_address(at).port;
}

/// Datagrams of one size to one peer, of which the last may be smaller, are one message, which the system divides.
std::size_t UdpSocket::fill(std::span<const Datagram> datagrams, std::size_t message) {
  Buffers& b = *buffers_;
  const Datagram& first = datagrams.front();
  std::size_t count = 0, bytes = 0;
  while (count < datagrams.size() && count < (divides_ ? kRun : 1)) {
    const Datagram& next = datagrams[count];
    if (next.peer != first.peer || next.bytes.size() > first.bytes.size()) break;
    if (count > 0 && bytes + next.bytes.size() > kLargestMessage) break;
    b.runs[message][count] = {.iov_base = const_cast<std::byte*>(next.bytes.data()), .iov_len = next.bytes.size()};
    bytes += next.bytes.size();
    ++count;
    if (next.bytes.size() < first.bytes.size()) break;
  }
  msghdr& header = b.messages[message].msg_hdr;
  header = {};
  header.msg_name = &b.addresses[message];
  header.msg_namelen = write_address(first.peer, family(), b.addresses[message]);
  header.msg_iov = b.runs[message].data();
  header.msg_iovlen = count;
  if (first.peer.own != PeerAddress{}.own) add_own_address(header, b.controls[message].bytes, first.peer.own, family());
  if (count > 1)
    add_control(header, b.controls[message].bytes, SOL_UDP, UDP_SEGMENT,
                static_cast<std::uint16_t>(first.bytes.size()));
  return count;
}

void UdpSocket::send(std::span<const Datagram> datagrams) {
  std::vector<Datagram> by_peer{datagrams.begin(), datagrams.end()};
  std::ranges::stable_sort(by_peer, {}, &Datagram::peer);
  std::span<const Datagram> rest{by_peer};
  while (!rest.empty()) {
    std::array<std::size_t, kAtOnce> counts{};
    std::size_t messages = 0;
    for (auto unsent = rest; !unsent.empty() && messages < kAtOnce; ++messages) {
      counts[messages] = fill(unsent, messages);
      unsent = unsent.subspan(counts[messages]);
    }
    const int sent = ::sendmmsg(fd_.get(), buffers_->messages.data(), static_cast<unsigned>(messages), 0);
    if (sent <= 0 && counts[0] > 1 && cannot_divide(errno)) {
      divides_ = false;
      continue;
    }
    // The first one was refused (too large, no route, no room): it is lost, and the others have their chance.
    for (int i = 0; i < std::max(sent, 1); ++i) rest = rest.subspan(counts[static_cast<std::size_t>(i)]);
  }
}

void UdpSocket::receive(const std::function<void(const Datagram& datagram)>& take) {
  Buffers& b = *buffers_;
  for (std::size_t turn = 0; turn < kTurns; ++turn) {
    for (std::size_t i = 0; i < kAtOnce; ++i) {
      b.places[i] = {.iov_base = b.bytes[i].data(), .iov_len = kLargest};
      b.messages[i] = {};
      b.messages[i].msg_hdr.msg_name = &b.addresses[i];
      b.messages[i].msg_hdr.msg_namelen = sizeof(sockaddr_storage);
      b.messages[i].msg_hdr.msg_iov = &b.places[i];
      b.messages[i].msg_hdr.msg_iovlen = 1;
      b.messages[i].msg_hdr.msg_control = b.controls[i].bytes.data();
      b.messages[i].msg_hdr.msg_controllen = b.controls[i].bytes.size();
    }
    // An error is that of a datagram before, as an answer of ICMP tells it; asking for it clears it.
    const int count = ::recvmmsg(fd_.get(), b.messages.data(), kAtOnce, 0, nullptr);
    const Clocks read_at = read_clocks();
    for (std::size_t i = 0; count > 0 && i < static_cast<std::size_t>(count); ++i) {
      if (b.messages[i].msg_hdr.msg_flags & MSG_TRUNC) continue;
      PeerAddress peer = read_address(b.addresses[i]);
      peer.own = own_address(b.messages[i].msg_hdr);
      take({.peer = peer,
            .bytes = bonding::ByteSpan{b.bytes[i]}.first(b.messages[i].msg_len),
            .came_at = came_at(b.messages[i].msg_hdr, read_at)});
    }
    if (count < static_cast<int>(kAtOnce)) return;
  }
}

}  // namespace tributary
