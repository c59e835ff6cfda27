#include "bonding/split/split_end.hh"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <deque>
#include <random>

namespace tributary::bonding {
namespace {

constexpr PathId kA{0}, kB{1};
const PeerAddress kOrigin{.address = {}, .port = 80};

Bytes some_bytes(std::size_t count, unsigned seed) {
  std::minstd_rand random{seed + 1};
  Bytes bytes(count);
  std::ranges::generate(bytes, [&] { return static_cast<std::byte>(random() >> 8); });
  return bytes;
}

/// Two ends, and a connection of TCP over each link. Time goes in steps of a millisecond.
class Split {
 public:
  struct Link {
    PathId id{};
    std::size_t bytes_per_step = 0;
    int delay = 0;  // steps, one way
    bool up = true;
  };
  static constexpr std::size_t kBuffer = 64'000;  // of a sender's system, not yet sent

  Split(const std::vector<Link>& links, SplitRule rule = SplitRule::kFirstWithRoom)
      : client{SplitRole::kClient, rule}, relay{SplitRole::kRelay, rule} {
    for (const Link& link : links) {
      ways_.push_back({link, {}, {}, 0, 0});
      client.link_up(link.id);
      relay.link_up(link.id);
    }
  }

  void step() {
    ++now_;
    for (Way& way : ways_) {
      if (!way.link.up) continue;
      move(way, way.to_relay, way.credit_to_relay, client, relay);
      move(way, way.to_client, way.credit_to_client, relay, client);
    }
  }
  void set_up(PathId link, bool up) {
    Way& way = *std::ranges::find(ways_, link, [](const Way& one) { return one.link.id; });
    if (std::exchange(way.link.up, up) == up) return;
    way.to_relay.clear();
    way.to_client.clear();
    for (SplitEnd* const end : {&client, &relay}) up ? end->link_up(link) : end->link_down(link);
  }
  int now() const { return now_; }
  std::size_t carried(PathId link) const {
    return std::ranges::find(ways_, link, [](const Way& one) { return one.link.id; })->carried;
  }

  SplitEnd client, relay;
  bool refused = false;

 private:
  struct Message {
    Bytes bytes;
    std::size_t left = 0;
    int arrives = -1;  // once it has been sent
  };
  struct Way {
    Link link;
    std::deque<Message> to_relay, to_client;
    std::size_t credit_to_relay = 0, credit_to_client = 0;
    std::size_t carried = 0;
  };

  void move(Way& way, std::deque<Message>& queue, std::size_t& credit, SplitEnd& from, SplitEnd& to) {
    const auto unsent = [&] {
      std::size_t bytes = 0;
      for (const Message& message : queue) bytes += message.left;
      return bytes;
    };
    while (unsent() < kBuffer && from.has_for(way.link.id)) {
      auto message = from.next(way.link.id);
      ASSERT_TRUE(message) << "it had something";
      queue.push_back({*std::move(message), 0});
      queue.back().left = queue.back().bytes.size();
    }
    credit = std::min(credit + way.link.bytes_per_step, way.link.bytes_per_step + kBuffer);
    if (unsent() == 0) credit = 0;
    for (Message& message : queue) {
      const std::size_t sent = std::min(message.left, credit);
      message.left -= sent;
      credit -= sent;
      way.carried += sent;
      if (message.left == 0 && message.arrives < 0) message.arrives = now_ + way.link.delay;
    }
    while (!queue.empty() && queue.front().arrives >= 0 && queue.front().arrives <= now_) {
      refused = refused || !to.arrived(queue.front().bytes);
      queue.pop_front();
    }
  }

  std::vector<Way> ways_;
  int now_ = 0;
};

/// A stream whose two ends send what they have, and keep what comes.
struct Talk {
  StreamId stream{};
  Bytes up, down;  // what is sent
  Bytes came_up{}, came_down{};
  std::size_t sent_up = 0, sent_down = 0;
  bool ended_up = false, ended_down = false, opened = false;

  void work(SplitEnd& client, SplitEnd& relay) {
    send(client, up, sent_up, ended_up);
    receive(client, came_down);
    if (!opened) return;
    send(relay, down, sent_down, ended_down);
    receive(relay, came_up);
  }
  bool done() const { return came_up == up && came_down == down; }

 private:
  void send(SplitEnd& end, const Bytes& bytes, std::size_t& sent, bool& ended) const {
    const std::size_t size = std::min(end.room(stream), bytes.size() - sent);
    end.send(stream, ByteSpan{bytes}.subspan(sent, size));
    sent += size;
    if (sent == bytes.size() && !std::exchange(ended, true)) end.end(stream);
  }
  void receive(SplitEnd& end, Bytes& came) const {
    const Bytes bytes = end.receive(stream, 1'000'000);
    came.insert(came.end(), bytes.begin(), bytes.end());
  }
};

Talk talk_of(Split& split, std::size_t up, std::size_t down, unsigned seed = 1) {
  return {split.client.open(kOrigin).value(), some_bytes(up, seed), some_bytes(down, seed + 1)};
}

/// Until all talks are done, or it has taken this long.
void run(
    Split& split, std::span<Talk> talks, int most_steps, const std::function<void()>& each_step = [] {}) {
  const auto all_done = [&] { return std::ranges::all_of(talks, &Talk::done); };
  while (!all_done() && split.now() < most_steps) {
    for (const SplitEnd::Opened& opened : split.relay.take_opened()) {
      EXPECT_EQ(opened.to, kOrigin);
      for (Talk& talk : talks) talk.opened = talk.opened || talk.stream == opened.stream;
    }
    for (Talk& talk : talks) talk.work(split.client, split.relay);
    each_step();
    split.step();
  }
  ASSERT_TRUE(all_done()) << "after " << split.now();
  EXPECT_FALSE(split.refused);
}

TEST(SplitEnd, CarriesStreamsBothWaysAndForgetsThem) {
  Split split{{{kA, 1'000, 5}, {kB, 600, 40}}};
  std::array talks{talk_of(split, 100, 3'000'000), talk_of(split, 500'000, 0, 3), talk_of(split, 0, 10, 5)};
  run(split, talks, 20'000);
  for (int i = 0; i < 1'000; ++i) split.step();
  EXPECT_EQ(split.client.streams(), 0U);
  EXPECT_EQ(split.relay.streams(), 0U);
  EXPECT_TRUE(split.client.take_reset().empty());
}

TEST(SplitEnd, AddsTheLinksUpAtEverySplit) {
  for (const auto& [a, b] : {std::pair{625, 625}, {750, 500}, {875, 375}, {1'000, 250}}) {
    for (const int delay : {5, 50}) {
      Split split{{{kA, static_cast<std::size_t>(a), 5}, {kB, static_cast<std::size_t>(b), delay}}};
      std::array talks{talk_of(split, 100, 15'000'000)};
      run(split, talks, 60'000);
      const double of_sum = 15'000'000.0 / split.now() / (a + b);
      EXPECT_GT(of_sum, 0.95) << a << "+" << b << ", " << delay;
    }
  }
}

double share_of_a(const Split& split) {
  const auto carried = static_cast<double>(split.carried(kA));
  return carried / (carried + static_cast<double>(split.carried(kB)));
}

TEST(SplitEnd, TheSendVectorFollowsTheRates) {
  Split split{{{kA, 1'000, 5}, {kB, 250, 5}}, SplitRule::kSendVector};
  std::array talks{talk_of(split, 100, 5'000'000)};
  split.relay.rate_of(kA, DataRate::bits_per_second(8e6));
  split.relay.rate_of(kB, DataRate::bits_per_second(2e6));
  run(split, talks, 60'000);
  EXPECT_NEAR(share_of_a(split), 0.8, 0.03);
}

TEST(SplitEnd, TheSendVectorRunsThroughWhileRatesVary) {
  for (const double share : {0.7, 0.9}) {
    Split split{
        {{kA, static_cast<std::size_t>(1'250 * share), 5}, {kB, static_cast<std::size_t>(1'250 * (1 - share)), 5}},
        SplitRule::kSendVector};
    std::array talks{talk_of(split, 100, 8'000'000)};
    std::minstd_rand random{1};
    run(split, talks, 60'000, [&] {
      if (split.now() % 100 != 1) return;
      const auto about = [&](double rate) { return DataRate::bits_per_second(rate * (0.95 + random() % 100 * 0.001)); };
      split.relay.rate_of(kA, about(10e6 * share));
      split.relay.rate_of(kB, about(10e6 * (1 - share)));
    });
    EXPECT_TRUE(talks[0].done());
    EXPECT_NEAR(share_of_a(split), share, 0.03);
  }
}

TEST(SplitEnd, LosesNothingWithItsLinks) {
  for (unsigned seed = 1; seed <= 6; ++seed) {
    std::minstd_rand random{seed};
    Split split{{{kA, 300, 5}, {kB, 500, 30}}};
    std::array talks{talk_of(split, 200'000, 1'000'000, seed), talk_of(split, 10, 100'000, seed + 40)};
    run(split, talks, 60'000, [&] {
      if (random() % 100 == 0) split.set_up(random() % 2 == 0 ? kA : kB, random() % 2 == 0);
    });
    if (::testing::Test::HasFatalFailure()) FAIL() << seed;
  }
}

TEST(SplitEnd, ASlowReceiverIsWaitedFor) {
  Split split{{{kA, 10'000, 5}, {kB, 10'000, 5}}};
  Talk talk = talk_of(split, 0, 30'000'000);
  std::size_t sent = 0;
  for (int i = 0; i < 3'000; ++i) {
    split.relay.take_opened();
    const std::size_t size = std::min(split.relay.room(talk.stream), talk.down.size() - sent);
    split.relay.send(talk.stream, ByteSpan{talk.down}.subspan(sent, size));
    sent += size;
    split.step();
  }
  EXPECT_LE(sent, 2 * SplitEnd::kWindow + 2 * Split::kBuffer);
  EXPECT_GE(sent, SplitEnd::kWindow);
}

TEST(SplitEnd, AStreamThatIsBrokenOffIsSoAtBothEnds) {
  Split split{{{kA, 1'000, 5}}};
  Talk talk = talk_of(split, 100, 100'000);
  for (int i = 0; i < 20; ++i) {
    talk.opened = talk.opened || !split.relay.take_opened().empty();
    talk.work(split.client, split.relay);
    split.step();
  }
  split.relay.reset(talk.stream);
  for (int i = 0; i < 100; ++i) split.step();
  EXPECT_EQ(split.client.take_reset(), std::vector{talk.stream});
  EXPECT_EQ(split.client.streams() + split.relay.streams(), 0U);
}

TEST(SplitEnd, NonsenseIsRefused) {
  SplitEnd relay{SplitRole::kRelay};
  relay.link_up(kA);
  EXPECT_FALSE(relay.arrived(Bytes(3)));
  const Bytes far = Bytes(10);
  EXPECT_FALSE(relay.arrived(write_stream_message(StreamData{StreamId{1}, 1'000'000'000, far}))) << "more than allowed";
  SplitEnd client{SplitRole::kClient};
  client.link_up(kA);
  EXPECT_TRUE(client.arrived(write_stream_message(StreamData{StreamId{1}, 0, far, true, kOrigin})));
  EXPECT_TRUE(client.take_opened().empty()) << "a relay opens none";
  EXPECT_EQ(client.streams(), 0U);
}

TEST(SplitEnd, HasRoomForSoManyStreams) {
  SplitEnd client{SplitRole::kClient}, relay{SplitRole::kRelay};
  for (std::size_t i = 0; i < SplitEnd::kMostStreams; ++i) EXPECT_TRUE(client.open(kOrigin));
  EXPECT_FALSE(client.open(kOrigin));
  for (std::uint32_t i = 1; i <= SplitEnd::kMostStreams + 10; ++i)
    relay.arrived(write_stream_message(StreamData{StreamId{i}, 0, {}, false, kOrigin}));
  EXPECT_EQ(relay.streams(), SplitEnd::kMostStreams);
}

}  // namespace
}  // namespace tributary::bonding
