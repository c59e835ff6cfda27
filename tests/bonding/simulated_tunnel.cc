#include "simulated_tunnel.hh"

#include <gtest/gtest.h>

#include <algorithm>

namespace tributary::bonding::testing {
namespace {

using namespace std::chrono_literals;

constexpr std::array<std::byte, 4> kOrigin{std::byte{192}, std::byte{0}, std::byte{2}, std::byte{1}};
constexpr std::size_t kNumberPlace = 28;

}  // namespace

SimulatedTunnel::SimulatedTunnel(std::vector<LinkScenario> links, const BondingOptions& client_options,
                                 const BondingOptions& relay_options, std::uint64_t seed)

    : client{client_identity, client_options},
      relay{
          {.identity = identity, .clients = {{client_identity.own.public_key(), "client"}}, .bonding = relay_options}},
      scenario_{std::move(links)} {
  for (const LinkScenario& link : scenario_) {
    links_.push_back({Bottleneck{link, seed}, Bottleneck{link, seed + 1}});
    seed += 2;
  }
  ports_.assign(links_.size(), 40'000);
}

void SimulatedTunnel::connect() {
  for (std::size_t path = 0; path < links_.size(); ++path) client.link_up(static_cast<PathId>(path), now);
  run_until(now + 2s);
  ASSERT_TRUE(client.assignment());
}

PeerAddress SimulatedTunnel::address_of(std::size_t path) const {
  return {{static_cast<std::byte>(path + 1)}, ports_[path]};
}

std::optional<std::size_t> SimulatedTunnel::path_at(const PeerAddress& address) const {
  for (std::size_t path = 0; path < links_.size(); ++path) {
    if (address_of(path) == address) return path;
  }
  return std::nullopt;
}

TimePoint SimulatedTunnel::taken_in(TimePoint came_at) const {
  if (wakes_every == Duration::zero()) return came_at;
  const Duration since = came_at - TimePoint{};
  return TimePoint{(since + wakes_every - Duration{1}) / wakes_every * wakes_every};
}

void SimulatedTunnel::carry() {
  for (OutgoingDatagram& datagram : client.take_datagrams()) {
    if (!to_relay(datagram)) continue;
    const auto path = to_index(datagram.path);
    const auto arrives = links_[path].to_relay.send(size_of(datagram.bytes) + kHeaders, now);
    if (!arrives) continue;
    at(taken_in(*arrives), [this, from = address_of(path), bytes = std::move(datagram.bytes), came_at = *arrives] {
      relay.datagram(from, bytes, now, came_at);
    });
  }
  for (OutgoingDatagram& datagram : relay.take_datagrams()) {
    const auto path = path_at(datagram.to);
    if (!to_client(datagram) || !path) continue;
    const auto arrives = links_[*path].to_client.send(size_of(datagram.bytes) + kHeaders, now);
    if (!arrives) continue;
    at(taken_in(*arrives), [this, id = static_cast<PathId>(*path), bytes = std::move(datagram.bytes),
                            came_at = *arrives] { client.datagram(id, bytes, now, came_at); });
  }
  for (Bytes& packet : client.take_packets()) client_got(std::move(packet));
  for (Bytes& packet : relay.take_packets()) relay_got(std::move(packet));
}

void SimulatedTunnel::run_until(TimePoint end) {
  carry();
  while (true) {
    const TimePoint event = events_.empty() ? TimePoint::max() : events_.begin()->first;
    const TimePoint next = std::min({event, client.next_deadline(), relay.next_deadline()});
    if (next > end) break;
    now = std::max(now, next);
    if (event <= now) {
      const auto what = std::move(events_.begin()->second);
      events_.erase(events_.begin());
      what();
    } else {
      client.wake(now);
      relay.wake(now);
    }
    carry();
  }
  now = end;
}

Bytes numbered_packet(std::uint32_t number, const std::array<std::byte, 4>& from, const std::array<std::byte, 4>& to,
                      std::size_t size) {
  Bytes packet(size);
  packet[0] = std::byte{0x45};
  packet[9] = std::byte{17};
  std::ranges::copy(from, packet.begin() + 12);
  std::ranges::copy(to, packet.begin() + 16);
  for (std::size_t i = 0; i < 4; ++i) packet[kNumberPlace + i] = static_cast<std::byte>(number >> (8 * (3 - i)));
  return packet;
}

std::uint32_t number_of(const Bytes& packet) {
  return static_cast<std::uint32_t>(ByteReader{ByteSpan{packet}.subspan(kNumberPlace)}.number(4));
}

NumberedStream::NumberedStream(SimulatedTunnel& tunnel, DataRate rate, DataSize packet)
    : tunnel_{tunnel}, between_{packet / rate}, packet_{packet} {
  tunnel_.client_got = [this](const Bytes& bytes) {
    const std::uint32_t number = number_of(bytes);
    seen_.resize(std::max(seen_.size(), static_cast<std::size_t>(number) + 1));
    twice_ = twice_ || seen_[number];
    seen_[number] = true;
    arrivals_.push_back({tunnel_.now, number, size_of(bytes)});
  };
}

void NumberedStream::send() {
  if (tunnel_.now >= end_) return;
  const auto number = static_cast<std::uint32_t>(sent_at_.size());
  sent_at_.push_back(tunnel_.now);
  const auto size = static_cast<std::size_t>(packet_.bytes());
  tunnel_.relay.packet(numbered_packet(number, kOrigin, tunnel_.client.assignment()->ipv4, size), tunnel_.now);
  tunnel_.at(tunnel_.now + between_, [this] { send(); });
}

void NumberedStream::run_until(TimePoint end) {
  end_ = end;
  tunnel_.at(tunnel_.now, [this] { send(); });
  tunnel_.run_until(end + 2s);
}

DataRate NumberedStream::rate(TimePoint from, TimePoint to) const {
  DataSize size;
  for (const Arrival& arrival : arrivals_) {
    if (from <= arrival.at && arrival.at < to) size += arrival.size;
  }
  return size / (to - from);
}

double NumberedStream::in_order_share() const {
  std::size_t in_order = 0;
  std::optional<std::uint32_t> highest;
  for (const Arrival& arrival : arrivals_) {
    if (highest && arrival.number < *highest) continue;
    highest = arrival.number;
    ++in_order;
  }
  return static_cast<double>(in_order) / static_cast<double>(arrivals_.size());
}

Duration NumberedStream::longest_gap(TimePoint from, TimePoint to) const {
  TimePoint last = from;
  Duration longest{};
  for (const Arrival& arrival : arrivals_) {
    if (arrival.at < from || arrival.at >= to) continue;
    longest = std::max(longest, arrival.at - last);
    last = arrival.at;
  }
  return std::max(longest, to - last);
}

Duration NumberedStream::longest_delay() const {
  Duration longest{};
  for (const Arrival& arrival : arrivals_) longest = std::max(longest, arrival.at - sent_at_[arrival.number]);
  return longest;
}

std::size_t NumberedStream::missing(TimePoint from, TimePoint to) const {
  std::size_t missing = 0;
  for (std::size_t number = 0; number < sent_at_.size(); ++number) {
    if (sent_at_[number] < from || sent_at_[number] >= to) continue;
    if (number >= seen_.size() || !seen_[number]) ++missing;
  }
  return missing;
}

}  // namespace tributary::bonding::testing
