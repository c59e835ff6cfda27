#include <gtest/gtest.h>

#include <map>

#include "simulated_tunnel.hh"

namespace tributary::bonding {
namespace {

using namespace literals;
using namespace std::chrono_literals;
using testing::numbered_packet;
using testing::SimulatedTunnel;

constexpr std::size_t kLayerPacket = 1000;
constexpr std::array kMarks{34U, 36U, 38U};  // AF41, AF42, AF43: a base layer and two more

/// Three layers of a video at a rate each, and what the client got of them.
class Layers {
 public:
  Layers(SimulatedTunnel& tunnel, DataRate each) : tunnel_{tunnel}, between_{DataSize{kLayerPacket} / each} {
    tunnel_.client_got = [this](const Bytes& packet) { ++came_[std::to_integer<unsigned>(packet[1]) >> 2]; };
  }

  /// Sends from now until then; the part of each layer that came.
  std::array<double, 3> run_until(TimePoint end) {
    came_.clear();
    int sent = 0;
    for (TimePoint at = tunnel_.now; at < end; at += between_, ++sent)
      tunnel_.at(at, [this] {
        for (const unsigned mark : kMarks) {
          Bytes packet = numbered_packet(0, {}, tunnel_.client.assignment()->ipv4, kLayerPacket);
          packet[1] = static_cast<std::byte>(mark << 2);
          tunnel_.relay.packet(std::move(packet), tunnel_.now);
        }
      });
    tunnel_.run_until(end + 1s);
    return {came_[kMarks[0]] / double(sent), came_[kMarks[1]] / double(sent), came_[kMarks[2]] / double(sent)};
  }

 private:
  SimulatedTunnel& tunnel_;
  Duration between_;
  std::map<unsigned, int> came_;
};

BondingOptions with(const char* scheduler) {
  BondingOptions options;
  options.scheduler = scheduler;
  options.resequencer = ResequencerKind::kNone;
  return options;
}

TEST(Layers, TheMostImportantHaveTheBestLinksAndWhatDoesNotFitIsNotSent) {
  SimulatedTunnel tunnel{"a 2Mbps 20ms, loss 5%; b 2Mbps 20ms", with("layer-priority-whole")};
  tunnel.connect();
  Layers layers{tunnel, 1500_kbps};
  layers.run_until(tunnel.now + 10s);  // losses and rates become known
  const auto came = layers.run_until(tunnel.now + 20s);
  EXPECT_GT(came[0], 0.99);
  EXPECT_NEAR(came[1], 0.95, 0.02);
  EXPECT_LT(came[2], 0.02);
}

/// What was on its way over a link that died comes again only if its layer is still carried, and holds up nothing.
TEST(Layers, MoveWhenALinkDies) {
  SimulatedTunnel tunnel{"a 2Mbps 20ms; b 2Mbps 20ms, loss 2%, down 14s..", with("layer-priority-whole")};
  tunnel.connect();
  Layers layers{tunnel, 1500_kbps};
  const auto before = layers.run_until(TimePoint{13s});
  EXPECT_GT(before[0], 0.9);
  EXPECT_GT(before[1], 0.9);
  const auto after = layers.run_until(TimePoint{30s});
  EXPECT_GT(after[0], 0.95);
  EXPECT_LT(after[1], 0.2);
}

}  // namespace
}  // namespace tributary::bonding
