#include <gtest/gtest.h>

#include "bonding/probing/packet_train.hh"
#include "bonding/probing/path_liveness.hh"
#include "bonding/probing/path_mtu.hh"
#include "bonding/probing/reinjection_budget.hh"

namespace tributary::bonding {
namespace {

using namespace literals;
using namespace std::chrono_literals;

/// The report of a train whose cars come so far apart; those that `lost` names do not come.
std::optional<TrainReport> after_train(Duration apart, const std::vector<int>& lost = {}) {
  TrainSender sender;
  TrainReceiver receiver;
  TimePoint now{3s};
  std::optional<TrainReport> report;
  for (const TrainCar& car : sender.train(900_B, now)) {
    if (std::find(lost.begin(), lost.end(), car.index) == lost.end()) {
      report = receiver.arrived(PathId{2}, car, 1000_B, now);
    }
    now += apart;
  }
  return report;
}

TEST(PacketTrain, ItsRateIsThatFromTheFirstToTheLast) {
  const auto report = after_train(2ms);
  ASSERT_TRUE(report);
  EXPECT_NEAR(report->rate / 4_Mbps, 1, 1e-9);  // 9 * 1000 bytes in 18 ms
  EXPECT_EQ(report->path, PathId{2});
}

TEST(PacketTrain, LostCarsAreNotCounted) {
  EXPECT_NEAR(after_train(2ms, {3, 4, 5})->rate / 4_Mbps, 6.0 / 9, 1e-6);
  EXPECT_FALSE(after_train(2ms, {9}));
  EXPECT_FALSE(after_train(2ms, {1, 2, 3, 4, 5, 6}));
}

TEST(PacketTrain, CarsInOneBurstTellNothing) {
  EXPECT_FALSE(after_train(0ms));
  EXPECT_FALSE(after_train(10us));
}

/// As by a device that hands over five cars at once, which is 5000 bytes each 10 ms.
TEST(PacketTrain, CarsInOneBurstWithTheFirstAreNotCounted) {
  TrainSender sender;
  TrainReceiver receiver;
  std::optional<TrainReport> report;
  for (const TrainCar& car : sender.train(900_B, TimePoint{3s}))
    report = receiver.arrived(PathId{2}, car, 1000_B, TimePoint{3s} + 10ms * (car.index / 5) + 3us * (car.index % 5));
  ASSERT_TRUE(report);
  EXPECT_NEAR(report->rate / 4_Mbps, 1, 1e-3);
}

TEST(PacketTrain, LeavesEverySecond) {
  TrainSender sender;
  EXPECT_EQ(sender.train(900_B, TimePoint{3s}).size(), TrainSender::kCars);
  EXPECT_EQ(sender.next_train(), TimePoint{4s});
  EXPECT_EQ(sender.train(900_B, TimePoint{4s}).front().train, 1);
}

class PathLivenessTest : public ::testing::Test {
 protected:
  /// What it does at its next deadline: "?" for a question, "silent?" when it gives the path up.
  std::string wakes() {
    now = liveness.next_deadline();
    const auto due = liveness.wake(now);
    return std::string{due.fell_silent ? "silent" : ""} + (due.question ? "?" : "");
  }

  PathLiveness liveness{15s};
  TimePoint now{10s};
};

TEST_F(PathLivenessTest, IsProvenByAnAnswer) {
  EXPECT_EQ(liveness.state(), PathLiveness::State::kUnproven);
  EXPECT_TRUE(liveness.wake(now).question);
  EXPECT_TRUE(liveness.heard(now));
  EXPECT_FALSE(liveness.heard(now));
  EXPECT_EQ(liveness.state(), PathLiveness::State::kAlive);
}

TEST_F(PathLivenessTest, IsSilentAfterTwoTimeOuts) {
  liveness.heard(now);
  liveness.asked(100ms, now);
  EXPECT_EQ(wakes(), "?");
  EXPECT_EQ(now, TimePoint{10100ms});
  EXPECT_EQ(wakes(), "silent?");
  EXPECT_EQ(now, TimePoint{10200ms});
  EXPECT_EQ(liveness.state(), PathLiveness::State::kSilent);
}

TEST_F(PathLivenessTest, AnAnswerInBetweenIsEnough) {
  liveness.heard(now);
  liveness.asked(100ms, now);
  EXPECT_EQ(wakes(), "?");
  EXPECT_FALSE(liveness.heard(now));
  EXPECT_EQ(liveness.next_deadline(), now + 15s);
}

TEST_F(PathLivenessTest, ASilentPathIsAskedLessAndLessOften) {
  liveness.heard(now);
  liveness.asked(100ms, now);
  wakes();
  wakes();
  std::vector<Duration> gaps;
  for (int i = 0; i < 5; ++i) {
    const TimePoint before = now;
    EXPECT_EQ(wakes(), "?");
    gaps.push_back(now - before);
  }
  EXPECT_EQ(gaps, (std::vector<Duration>{250ms, 500ms, 1s, 2s, 2s}));
  EXPECT_TRUE(liveness.heard(now));
}

TEST_F(PathLivenessTest, AnIdlePathIsAskedEvery15Seconds) {
  liveness.heard(now);
  EXPECT_EQ(wakes(), "?");
  EXPECT_EQ(now, TimePoint{25s});
  EXPECT_EQ(wakes(), "?");
  EXPECT_EQ(now, TimePoint{40s});
}

TEST_F(PathLivenessTest, ALinkThatIsGoneIsLeftAtOnce) {
  liveness.heard(now);
  EXPECT_TRUE(liveness.link_is_down(now));
  EXPECT_FALSE(liveness.link_is_down(now));
  EXPECT_EQ(liveness.state(), PathLiveness::State::kSilent);
}

TEST(PathMtu, LargeDatagramsPassOnceAProbeHasArrived) {
  PathMtu mtu{1400_B};
  EXPECT_TRUE(mtu.passes(1232_B));
  EXPECT_FALSE(mtu.passes(1233_B));
  mtu.probed(PathSequence{4}, 100ms, TimePoint{});
  mtu.arrived(PathSequence{3});
  EXPECT_FALSE(mtu.passes(1400_B));
  mtu.arrived(PathSequence{4});
  EXPECT_TRUE(mtu.passes(1400_B));
  EXPECT_FALSE(mtu.passes(1401_B));
  EXPECT_FALSE(mtu.next_probe());
}

TEST(PathMtu, TriesThreeTimesAMinute) {
  PathMtu mtu{1400_B};
  for (int i = 0; i < 3; ++i) mtu.probed({}, 100ms, TimePoint{i * 200ms});
  EXPECT_EQ(mtu.next_probe(), TimePoint{400ms + 1min});
}

TEST(ReinjectionBudget, IsATwentiethOfWhatIsSent) {
  ReinjectionBudget budget;
  EXPECT_TRUE(budget.spend(128_kB));
  EXPECT_FALSE(budget.spend(1_B));
  budget.sent_once(100_kB);
  EXPECT_EQ(budget.left(), 5_kB);
  budget.sent_once(DataSize{1'000'000'000});
  EXPECT_EQ(budget.left(), 512_kB);
}

}  // namespace
}  // namespace tributary::bonding
