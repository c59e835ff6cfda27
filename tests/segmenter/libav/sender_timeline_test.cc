#include "segmenter/libav/sender_timeline.hh"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <random>

namespace tributary::segmenter {
namespace {

constexpr std::int64_t kSenderSecond = 1'000'000, kPictureTime = kSenderSecond / 25, kSoundTime = kSenderSecond / 50;
constexpr int kPictures = 0, kSounds = 1;

/// A sender of pictures and sound, and how far the timeline is from the truth.
class Sender {
 public:
  /// What its clock does from now on.
  std::int64_t clock_ahead = 0;        // jumps
  std::int64_t parts_per_million = 0;  // drift
  std::int64_t sound_clock_ahead;      // as of RTP
  std::int64_t on_its_way = 20'000;    // least delay
  std::int64_t jitter = 15'000;
  std::int64_t reader_late = 0;  // few packets are waited for then
  std::int64_t sound_later;      // how much later sound is sent

  explicit Sender(bool clocks_of_their_own = false, std::int64_t sound_later = 0, std::int64_t sound_ahead = 0)
      : sound_clock_ahead{sound_ahead}, sound_later{sound_later} {
    for (int i = 0; i < 8; ++i) both();
    timeline_.settle(clocks_of_their_own);
    settled_ = true;
  }

  void send(std::int64_t duration) {
    for (const std::int64_t end = now_ + duration; now_ < end;) both();
  }
  /// Nothing is made meanwhile.
  void pause(std::int64_t duration, bool clock_stops) {
    now_ += duration;
    if (clock_stops) clock_ahead -= duration;
  }
  /// Packets arrive together at the end of it.
  void stall(std::int64_t duration) {
    held_until_ = now_ + duration;
    send(duration);
  }

  /// How much later than captured the last picture and sound stand on the timeline, beside what they were on their way.
  std::int64_t picture_off() const { return picture_off_; }
  std::int64_t sound_off() const { return sound_off_; }
  std::int64_t last_shown() const { return last_shown_; }
  int went_back() const { return went_back_; }
  std::int64_t largest_hole() const { return largest_hole_; }

 private:
  std::int64_t stated(std::int64_t captured) const {
    return captured + clock_ahead + captured * parts_per_million / 1'000'000;
  }
  std::int64_t arrival() {
    return std::max(now_ + on_its_way + std::uniform_int_distribution<std::int64_t>{0, jitter}(random_), held_until_);
  }
  /// When it is read, if that is when it comes.
  std::optional<std::int64_t> read() {
    if (reader_late == 0) return arrival();
    return ++read_ % 10 == 0 ? std::optional{arrival() + reader_late} : std::nullopt;
  }
  void both() {
    picture_off_ = pass(kPictures, now_, stated(now_), kPictureTime);
    for (const std::int64_t at : {now_, now_ + kSoundTime})
      sound_off_ = pass(kSounds, at - sound_later, stated(at - sound_later) + sound_clock_ahead, kSoundTime);
    now_ += kPictureTime;
  }
  std::int64_t pass(int stream, std::int64_t captured, std::int64_t time, std::int64_t duration) {
    const std::int64_t shown = time + timeline_.shift(stream, {time, time, duration}, read());
    if (stream == kPictures) {
      if (shown < last_shown_) ++went_back_;
      largest_hole_ = std::max(largest_hole_, shown - last_shown_);
      last_shown_ = shown;
    }
    if (!settled_) return 0;
    return shown + timeline_.origin() - captured - on_its_way;
  }

  std::mt19937 random_{7};
  SenderTimeline timeline_{kPictures};
  std::int64_t now_ = 3600 * kSenderSecond, held_until_ = 0, last_shown_ = now_;
  std::int64_t picture_off_ = 0, sound_off_ = 0, largest_hole_ = 0;
  int went_back_ = 0, read_ = 0;
  bool settled_ = false;
};

/// As exact as a network is.
void expect_true(const Sender& sender, std::int64_t within = 40'000) {
  EXPECT_LE(std::abs(sender.picture_off()), within);
  EXPECT_LE(std::abs(sender.sound_off()), within);
  EXPECT_EQ(sender.went_back(), 0);
}

TEST(SenderTimeline, PacketsOfASteadySenderKeepTheirTimes) {
  Sender sender;
  sender.send(60 * kSenderSecond);
  expect_true(sender);
}

class SenderTimelineJump : public ::testing::TestWithParam<std::int64_t> {};

TEST_P(SenderTimelineJump, TheStreamGoesOnWhereTheClockIs) {
  Sender sender;
  sender.send(10 * kSenderSecond);
  const std::int64_t before = sender.last_shown();
  sender.clock_ahead += GetParam();
  sender.send(kPictureTime);
  EXPECT_NEAR(static_cast<double>(sender.last_shown()), static_cast<double>(before + kPictureTime), 600e3);
  sender.send(200 * kSenderSecond);
  expect_true(sender);
}

INSTANTIATE_TEST_SUITE_P(Forward, SenderTimelineJump,
                         ::testing::Values(300'000, 2 * kSenderSecond, 8 * kSenderSecond, 4000 * kSenderSecond));
INSTANTIATE_TEST_SUITE_P(Backward, SenderTimelineJump,
                         ::testing::Values(-300'000, -2 * kSenderSecond, -3000 * kSenderSecond,
                                           -95'443 * kSenderSecond));  // 33 bits at 90 kHz

TEST(SenderTimeline, AClockThatDriftsIsFollowed) {
  for (const std::int64_t parts_per_million : {-3000, -100, 100, 3000}) {
    SCOPED_TRACE(parts_per_million);
    Sender sender;
    // Its hour of existence before does not count.
    sender.clock_ahead -= 3600 * parts_per_million;
    sender.parts_per_million = parts_per_million;
    sender.send(1200 * kSenderSecond);
    expect_true(sender, 60'000);
    EXPECT_LT(sender.largest_hole(), 2 * kPictureTime);
  }
}

TEST(SenderTimeline, AHoleStaysWhereTheSenderStatesIt) {
  Sender sender;
  sender.send(10 * kSenderSecond);
  sender.pause(3 * kSenderSecond, false);
  sender.send(kPictureTime);
  EXPECT_EQ(sender.largest_hole(), 3 * kSenderSecond + kPictureTime);
  expect_true(sender);
}

TEST(SenderTimeline, APauseThatTheSenderDoesNotCountIsMadeUpFor) {
  Sender sender;
  sender.send(10 * kSenderSecond);
  sender.pause(3 * kSenderSecond, true);
  sender.send(6 * kSenderSecond);
  expect_true(sender);
}

TEST(SenderTimeline, ASenderThatBeginsAnewAfterAPauseIsInTime) {
  Sender sender;
  sender.send(10 * kSenderSecond);
  sender.pause(3 * kSenderSecond, false);
  sender.clock_ahead = -3600 * kSenderSecond - 13 * kSenderSecond;
  sender.send(kPictureTime);
  expect_true(sender);
}

TEST(SenderTimeline, ANetworkThatStallsMovesNothing) {
  Sender sender;
  sender.send(10 * kSenderSecond);
  sender.stall(2 * kSenderSecond);
  sender.send(10 * kSenderSecond);
  expect_true(sender);
  EXPECT_LT(sender.largest_hole(), kPictureTime + kPictureTime / 2);
}

TEST(SenderTimeline, AReaderThatIsSlowMovesNothing) {
  Sender sender;
  sender.send(10 * kSenderSecond);
  const std::int64_t before = sender.picture_off();
  sender.reader_late = 4 * kSenderSecond;
  sender.send(20 * kSenderSecond);
  EXPECT_NEAR(static_cast<double>(sender.picture_off()), static_cast<double>(before), 40e3);
  EXPECT_LT(sender.largest_hole(), 2 * kPictureTime);
  sender.reader_late = 0;
  sender.send(10 * kSenderSecond);
  expect_true(sender);
}

TEST(SenderTimeline, SoundThatIsSentLaterStaysBesideItsPicture) {
  Sender sender{false, 700'000};
  sender.send(30 * kSenderSecond);
  sender.clock_ahead = 500 * kSenderSecond;
  sender.send(30 * kSenderSecond);
  EXPECT_NEAR(static_cast<double>(sender.sound_off()), static_cast<double>(sender.picture_off()), 1);
}

TEST(SenderTimeline, StreamsWithClocksOfTheirOwnArePutInStepByTheirArrival) {
  Sender sender{true, 0, -850'000};  // until the report that says so
  sender.send(10 * kSenderSecond);
  expect_true(sender, 60'000);
  sender.sound_clock_ahead = 0;
  sender.send(10 * kSenderSecond);
  expect_true(sender);
}

TEST(SenderTimeline, OneDamagedTimestampMovesNothingElse) {
  SenderTimeline timeline{kPictures};
  std::int64_t now = 0;
  const auto pass = [&](std::int64_t time) {
    now += kPictureTime;
    return time + timeline.shift(kPictures, {time, time, kPictureTime}, now);
  };
  for (int i = 0; i < 5; ++i) pass(i * kPictureTime);
  timeline.settle(false);
  EXPECT_EQ(pass(std::int64_t{1} << 56), 5 * kPictureTime);
  EXPECT_EQ(pass(6 * kPictureTime), 6 * kPictureTime);
}

TEST(SenderTimeline, AnyTimesComeOutInOrderAndNearTheClock) {
  const unsigned seed = std::random_device{}();
  SCOPED_TRACE(seed);
  std::mt19937_64 random{seed};
  SenderTimeline timeline{kPictures};
  timeline.settle(false);
  std::int64_t now = 0, last = 0;
  for (int i = 0; i < 20000; ++i) {
    now += static_cast<std::int64_t>(random() % 80'000);
    const std::int64_t time = static_cast<std::int64_t>(random() >> 7) - (std::int64_t{1} << 56);
    const std::int64_t shown = time + timeline.shift(kPictures, {time, time, 0}, now);
    EXPECT_GE(shown, last - kSenderSecond);
    EXPECT_LE(std::abs(shown - now), 5 * kSenderSecond);
    last = shown;
  }
}

}  // namespace
}  // namespace tributary::segmenter
