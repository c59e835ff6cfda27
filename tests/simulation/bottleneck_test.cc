#include "simulation/bottleneck.hh"

#include <gtest/gtest.h>

namespace tributary {
namespace {

using namespace literals;
using namespace std::chrono_literals;

constexpr DataSize kPacket{1500};

TimePoint at(Duration since_start) { return TimePoint{since_start}; }
LinkScenario link(const char* text) { return parse_scenario(text).front(); }

TEST(Bottleneck, APacketTakesItsSerialisationAndHalfARoundTrip) {
  const LinkScenario scenario = link("a 12Mbps 20ms");  // 1500 bytes: 1 ms
  Bottleneck bottleneck{scenario, 1};
  EXPECT_EQ(bottleneck.send(kPacket, at(0ms)), at(11ms));
}

TEST(Bottleneck, PacketsWaitForThoseBeforeThem) {
  const LinkScenario scenario = link("a 12Mbps 20ms");
  Bottleneck bottleneck{scenario, 1};
  bottleneck.send(kPacket, at(0ms));
  EXPECT_EQ(bottleneck.send(kPacket, at(0ms)), at(12ms));
  EXPECT_EQ(bottleneck.send(kPacket, at(500us)), at(13ms));
  EXPECT_EQ(bottleneck.send(kPacket, at(10ms)), at(21ms));  // the queue is empty again
}

TEST(Bottleneck, AFullQueueDropsWhatComesLast) {
  const LinkScenario scenario = link("a 12Mbps 20ms, queue 2");
  Bottleneck bottleneck{scenario, 1};
  EXPECT_TRUE(bottleneck.send(kPacket, at(0ms)));  // leaves at once
  EXPECT_TRUE(bottleneck.send(kPacket, at(0ms)));
  EXPECT_TRUE(bottleneck.send(kPacket, at(0ms)));
  EXPECT_FALSE(bottleneck.send(kPacket, at(0ms)));
  EXPECT_TRUE(bottleneck.send(kPacket, at(1ms)));  // one has left
}

TEST(Bottleneck, ARateThatChangesMeanwhileCountsFromThen) {
  const LinkScenario scenario = link("a 12Mbps 0ms, at 500us 6Mbps");
  Bottleneck bottleneck{scenario, 1};
  // Half of the packet leaves in the first half millisecond, the other half takes 1 ms.
  EXPECT_EQ(bottleneck.send(kPacket, at(0ms)), at(1500us));
}

TEST(Bottleneck, NothingPassesALinkThatIsDown) {
  const LinkScenario scenario = link("a 12Mbps 20ms, down 1s..2s");
  Bottleneck bottleneck{scenario, 1};
  EXPECT_FALSE(bottleneck.send(kPacket, at(999500us)));  // would leave when it is down already
  EXPECT_FALSE(bottleneck.send(kPacket, at(1500ms)));
  EXPECT_TRUE(bottleneck.send(kPacket, at(2s)));
}

TEST(Bottleneck, LosesTheFractionItIsToldTo) {
  const LinkScenario scenario = link("a 12Mbps 0ms, loss 10%");
  Bottleneck bottleneck{scenario, 7};
  int lost = 0;
  for (int i = 0; i < 10000; ++i) lost += bottleneck.send(kPacket, at(i * 2ms)) ? 0 : 1;
  EXPECT_NEAR(lost, 1000, 100);  // more than three standard deviations
}

}  // namespace
}  // namespace tributary
