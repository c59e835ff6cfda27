#include "reno_connection.hh"

#include <algorithm>

namespace tributary::bonding::testing {
namespace {

using namespace std::chrono_literals;

constexpr std::array<std::byte, 4> kServer{std::byte{192}, std::byte{0}, std::byte{2}, std::byte{2}};
constexpr std::size_t kAcknowledgement = 52;
constexpr int kDuplicates = 3;
constexpr Duration kTimeOut = 1s;

}  // namespace

RenoConnection::RenoConnection(SimulatedTunnel& tunnel, DataSize packet)
    : tunnel_{tunnel}, packet_size_{static_cast<std::size_t>(packet.bytes())}, progress_at_{tunnel.now} {
  tunnel_.client_got = [this](const Bytes& bytes) { client_got(number_of(bytes)); };
  tunnel_.relay_got = [this](const Bytes& bytes) { acknowledged(number_of(bytes)); };
  tunnel_.at(tunnel_.now, [this] {
    send_window();
    look_for_time_out();
  });
}

DataRate RenoConnection::run_until(TimePoint end) {
  const TimePoint begin = tunnel_.now;
  const std::uint32_t before = next_expected_;
  tunnel_.run_until(end);
  return DataSize{static_cast<std::int64_t>((next_expected_ - before) * packet_size_)} / (end - begin);
}

void RenoConnection::send(std::uint32_t number) {
  const auto to = tunnel_.client.assignment()->ipv4;
  tunnel_.relay.packet(numbered_packet(number, kServer, to, packet_size_), tunnel_.now);
}

/// Each of the packets that came twice is one that has left the network.
void RenoConnection::send_window() {
  while (next_ - acknowledged_ < static_cast<std::uint32_t>(window_) + static_cast<std::uint32_t>(duplicates_)) {
    send(next_++);
  }
}

/// What came twice does not count as a sign of loss (RFC 6675 with RFC 2883), and is not acknowledged here.
void RenoConnection::client_got(std::uint32_t number) {
  if (number < next_expected_ || !out_of_order_.insert(number).second) return;
  while (out_of_order_.erase(next_expected_) == 1) ++next_expected_;
  const auto from = tunnel_.client.assignment()->ipv4;
  tunnel_.client.packet(numbered_packet(next_expected_, from, kServer, kAcknowledgement), tunnel_.now);
}

void RenoConnection::acknowledged(std::uint32_t next_expected) {
  if (next_expected < acknowledged_) return;
  if (next_expected == acknowledged_) {
    if (++duplicates_ == kDuplicates && acknowledged_ > recovered_at_) lost();
  } else {
    const std::uint32_t newly = next_expected - acknowledged_;
    acknowledged_ = next_expected;
    progress_at_ = tunnel_.now;
    duplicates_ = 0;
    if (acknowledged_ < recovered_at_) {
      send(acknowledged_);  // the next hole
    } else {
      window_ += window_ < threshold_ ? newly : newly / window_;
    }
  }
  send_window();
}

void RenoConnection::lost() {
  threshold_ = window_ = std::max(window_ / 2, 2.0);
  recovered_at_ = next_;
  send(acknowledged_);
}

void RenoConnection::look_for_time_out() {
  if (tunnel_.now - progress_at_ >= kTimeOut) {
    lost();
    window_ = 1;
    next_ = acknowledged_ + 1;
    recovered_at_ = duplicates_ = 0;
    progress_at_ = tunnel_.now;
  }
  tunnel_.at(tunnel_.now + kTimeOut / 4, [this] { look_for_time_out(); });
}

}  // namespace tributary::bonding::testing
