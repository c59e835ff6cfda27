#include "tunnel/machine/udp_socket.hh"

#include <gtest/gtest.h>

#include <deque>
#include <map>
#include <optional>
#include <thread>
#include <vector>

#include "system/event_loop.hh"
#include "tunnel/machine/relay_address.hh"

namespace tributary {
namespace {

using bonding::Bytes;
using namespace std::chrono_literals;

constexpr Duration kBetweenClocks = 5ms;

bonding::PeerAddress loopback(std::uint16_t port) { return addresses_of({.host = "127.0.0.1", .port = port}).at(0); }

std::vector<Bytes> received(UdpSocket& socket) {
  std::vector<Bytes> all;
  for (bool more = true; more;) {
    more = false;
    socket.receive([&](const UdpSocket::Datagram& datagram) {
      all.emplace_back(datagram.bytes.begin(), datagram.bytes.end());
      more = true;
    });
  }
  return all;
}

TEST(UdpSocket, DatagramsOfAllSizesComeToTheirPeersInOrder) {
  UdpSocket from = UdpSocket::listening_at(loopback(0));
  UdpSocket a = UdpSocket::listening_at(loopback(0)), b = UdpSocket::listening_at(loopback(0));
  std::deque<Bytes> bytes;
  std::vector<UdpSocket::Datagram> datagrams;
  std::map<std::uint16_t, std::vector<Bytes>> expected;
  for (std::size_t i = 0; i < 600; ++i) {
    // Runs of one size, smaller ones, larger ones, and single bytes.
    const std::size_t size = i < 300 ? 1000 : i % 7 == 0 ? 1 : 200 + 100 * (i % 5);
    bytes.emplace_back(size, static_cast<std::byte>(i));
    const std::uint16_t port = i % 3 == 0 ? b.port() : a.port();
    datagrams.push_back({loopback(port), bytes.back()});
    expected[port].push_back(bytes.back());
  }
  from.send(datagrams);
  EXPECT_EQ(received(a), expected[a.port()]);
  EXPECT_EQ(received(b), expected[b.port()]);
}

TEST(UdpSocket, AnswersFromTheAddressThatWasAsked) {
  for (const char* const host : {"127.0.0.7", "::1"}) {
    UdpSocket server = UdpSocket::listening_at({}), client = UdpSocket::listening_at({});
    const bonding::PeerAddress asked = addresses_of({.host = host, .port = server.port()}).at(0);
    const Bytes text(10);
    client.send(std::vector<UdpSocket::Datagram>{{asked, text}});
    std::optional<bonding::PeerAddress> from, answered;
    server.receive([&](const UdpSocket::Datagram& datagram) { from = datagram.peer; });
    ASSERT_TRUE(from) << host;
    EXPECT_EQ(from->own, asked.address);
    // As one datagram, and as a run of them.
    server.send(std::vector<UdpSocket::Datagram>{{*from, text}, {*from, text}});
    int answers = 0;
    client.receive([&](const UdpSocket::Datagram& datagram) {
      answered = datagram.peer;
      ++answers;
    });
    ASSERT_EQ(answers, 2) << host;
    EXPECT_EQ(answered->address, asked.address);
    EXPECT_EQ(answered->port, asked.port);
  }
}

TEST(UdpSocket, TellsWhenADatagramCameHoweverLateItIsTakenOut) {
  for (const char* const host : {"127.0.0.1", "::1"}) {
    UdpSocket from = UdpSocket::listening_at({}), to = UdpSocket::listening_at({});
    const bonding::PeerAddress there = addresses_of({.host = host, .port = to.port()}).at(0);
    std::vector<std::pair<TimePoint, TimePoint>> sent;  // before and after
    for (int i = 0; i < 3; ++i) {
      const TimePoint before = EventLoop::now();
      from.send(std::vector<UdpSocket::Datagram>{{there, Bytes(10)}});
      sent.emplace_back(before, EventLoop::now());
      std::this_thread::sleep_for(20ms);
    }
    std::size_t number = 0;
    to.receive([&](const UdpSocket::Datagram& datagram) {
      ASSERT_LT(number, sent.size());
      ASSERT_TRUE(datagram.came_at) << host;
      // Two clocks are read one behind the other.
      EXPECT_GE(*datagram.came_at, sent[number].first - kBetweenClocks) << host;
      EXPECT_LE(*datagram.came_at, sent[number].second + kBetweenClocks) << host;
      ++number;
    });
    EXPECT_EQ(number, sent.size()) << host;
  }
}

TEST(UdpSocket, OneThatIsTooLargeIsLostAlone) {
  UdpSocket from = UdpSocket::listening_at(loopback(0)), to = UdpSocket::listening_at(loopback(0));
  const Bytes large(70'000), small(100, std::byte{7});
  from.send(std::vector<UdpSocket::Datagram>{
      {loopback(to.port()), small}, {loopback(to.port()), large}, {loopback(to.port()), small}});
  EXPECT_EQ(received(to), (std::vector<Bytes>{small, small}));
}

}  // namespace
}  // namespace tributary
