#include "system/tcp_connection.hh"

#include <linux/tcp.h>  // not netinet/tcp.h, whose tcp_info is an old and short one
#include <net/if.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>

namespace tributary {
namespace {

void set_option(int socket, int level, int option, int value) {
  setsockopt(socket, level, option, &value, sizeof value);
}

std::optional<tcp_info> info_of(int socket) {
  tcp_info info{};
  socklen_t length = sizeof info;
  if (getsockopt(socket, IPPROTO_TCP, TCP_INFO, &info, &length) != 0) return std::nullopt;
  return info;
}

std::string with_errno(const std::string& text) { return text + ": " + std::strerror(errno); }

}  // namespace

void TcpConnection::enable_liveness_checks() const {
  set_option(socket_, SOL_SOCKET, SO_KEEPALIVE, 1);
  set_option(socket_, IPPROTO_TCP, TCP_KEEPIDLE, 1);   // s
  set_option(socket_, IPPROTO_TCP, TCP_KEEPINTVL, 1);  // s
  set_option(socket_, IPPROTO_TCP, TCP_KEEPCNT, 3);
  // No TCP_USER_TIMEOUT: on a slow link, the acknowledgement of a request waits behind all data under way.
  // ProgressTimer watches owed bytes.
}

void TcpConnection::give_up_after(Duration time) const {
  const auto ms = std::chrono::duration_cast<std::chrono::milliseconds>(time).count();
  set_option(socket_, IPPROTO_TCP, TCP_USER_TIMEOUT, static_cast<int>(ms));
}

std::optional<std::string> TcpConnection::binding_defect(const std::string& link) const {
  int protocol = 0;
  socklen_t length = sizeof protocol;
  if (getsockopt(socket_, SOL_SOCKET, SO_PROTOCOL, &protocol, &length) != 0) return with_errno("SO_PROTOCOL");
  if (protocol != IPPROTO_TCP) {
    return "the socket is not plain TCP (Multipath TCP would use other links too; do not run under mptcpize)";
  }
  if (link.empty()) return std::nullopt;

  std::array<char, IFNAMSIZ> device{};
  length = device.size();
  if (getsockopt(socket_, SOL_SOCKET, SO_BINDTODEVICE, device.data(), &length) != 0) {
    return with_errno("SO_BINDTODEVICE");
  }
  if (device.data() != link) return "the socket is bound to \"" + std::string{device.data()} + "\", not to " + link;
  return std::nullopt;
}

std::uint16_t TcpConnection::local_port() const {
  sockaddr_storage address{};
  socklen_t length = sizeof address;
  if (getsockname(socket_, reinterpret_cast<sockaddr*>(&address), &length) != 0) return 0;
  if (address.ss_family == AF_INET) return ntohs(reinterpret_cast<const sockaddr_in&>(address).sin_port);
  return address.ss_family == AF_INET6 ? ntohs(reinterpret_cast<const sockaddr_in6&>(address).sin6_port) : 0;
}

std::optional<RoundTrip> TcpConnection::round_trip() const {
  const auto info = info_of(socket_);
  if (!info || info->tcpi_rtt == 0) return std::nullopt;
  const std::chrono::microseconds smoothed{info->tcpi_rtt}, least{info->tcpi_min_rtt};
  return RoundTrip{smoothed, std::min<Duration>(smoothed, least), info->tcpi_delivered};
}

void TcpConnection::send_at_once() const { set_option(socket_, IPPROTO_TCP, TCP_NODELAY, 1); }

void TcpConnection::keep_little_unsent() const {
  constexpr int kUnsent = 64'000;
  set_option(socket_, IPPROTO_TCP, TCP_NOTSENT_LOWAT, kUnsent);
}

void TcpConnection::accept_at_most(DataSize size) const {
  constexpr std::int64_t kAny = 1 << 30;  // no window is larger (RFC 7323)
  set_option(socket_, IPPROTO_TCP, TCP_WINDOW_CLAMP, static_cast<int>(std::clamp<std::int64_t>(size.bytes(), 1, kAny)));
}

std::optional<Duration> TcpConnection::round_trip_of_receiver() const {
  const auto info = info_of(socket_);
  if (!info) return std::nullopt;
  return std::chrono::microseconds{std::max(info->tcpi_rtt, info->tcpi_rcv_rtt)};
}

bool TcpConnection::out_of_order() const {
  const auto info = info_of(socket_);
  return info && info->tcpi_rcv_ooopack > 0;
}

std::optional<Duration> TcpConnection::silence() const {
  const auto info = info_of(socket_);
  if (!info) return std::nullopt;
  return std::chrono::milliseconds{info->tcpi_last_data_recv};
}

std::optional<Duration> TcpConnection::silence_of_peer() const {
  const auto info = info_of(socket_);
  if (!info) return std::nullopt;
  return std::chrono::milliseconds{std::min(info->tcpi_last_ack_recv, info->tcpi_last_data_recv)};
}

TcpConnection::Progress TcpConnection::progress() const {
  const auto info = info_of(socket_);
  Progress progress;
  if (!info) return progress;
  if (info->tcpi_delivery_rate > 0)
    progress.rate = DataRate::bits_per_second(8.0 * static_cast<double>(info->tcpi_delivery_rate));
  progress.round_trip = std::chrono::microseconds{info->tcpi_rtt};
  // Whichever was last: bytes that have just left after a pause are not late.
  constexpr std::uint8_t kEstablished = 1;
  if (info->tcpi_state == kEstablished && info->tcpi_unacked > 0)
    progress.silent_for = std::chrono::milliseconds{
        info->tcpi_retransmits > 0 ? info->tcpi_last_ack_recv
                                   : std::min(info->tcpi_last_ack_recv, info->tcpi_last_data_sent)};
  return progress;
}

}  // namespace tributary
