#include <gtest/gtest.h>

#include "manifests/live/clock_offset.hh"
#include "manifests/live/publication_clock.hh"

namespace tributary {
namespace {

using namespace std::chrono_literals;

TEST(ClockOffset, ManyAnswersLeaveLittleRoom) {
  ClockOffset offset;
  EXPECT_EQ(offset.estimate(), 0s);
  const Duration ahead = 37s + 250ms;  // of the origin
  for (Duration sent = 100s; sent < 120s; sent += 1130ms) {
    const Duration received = sent + 40ms;
    const Duration answered = sent + 20ms + ahead;
    offset.add(std::chrono::floor<std::chrono::seconds>(answered), sent, received);
  }
  EXPECT_NEAR(to_seconds(offset.estimate()), to_seconds(ahead), 0.1);
}

TEST(ClockOffset, AClockThatWasSetIsBelievedAgain) {
  ClockOffset offset;
  offset.add(100s, 100s, 100s);
  offset.add(200s, 101s, 101s);
  EXPECT_EQ(offset.estimate(), 99500ms);
}

TEST(PublicationClock, LooksWhenASegmentIsDueAndLearnsHowLateItComes) {
  constexpr Duration kPublishing = 300ms;
  PublicationClock clock;
  int looks = 0;
  constexpr int kSegments = 100;
  for (int i = 1; i <= kSegments; ++i) {
    const TimePoint due{i * 2s};
    clock.expect(due, 2s, due - 2s);
    TimePoint at = clock.next_look();
    for (++looks; at < due + kPublishing; at = clock.next_look(), ++looks) clock.missed(at);
    clock.found(at);
    EXPECT_LE(at - due, kPublishing + 150ms) << i;
  }
  EXPECT_LT(looks, 2 * kSegments);
}

TEST(PublicationClock, LooksLessAndLessOftenWhenNothingComes) {
  PublicationClock clock;
  clock.expect(TimePoint{10s}, 2s, TimePoint{9s});
  int looks = 0;
  for (TimePoint at = clock.next_look(); at < TimePoint{70s}; at = clock.next_look(), ++looks) clock.missed(at);
  EXPECT_GT(looks, 55);
  EXPECT_LT(looks, 85);
}

TEST(PublicationClock, AWrongClockDoesNotKeepItWaiting) {
  PublicationClock clock;
  clock.expect(TimePoint{1000h}, 2s, TimePoint{9s});
  EXPECT_EQ(clock.next_look(), TimePoint{10750ms});
}

TEST(PublicationClock, WithAWrongClockItIsLateForAWhileOnly) {
  PublicationClock clock;
  TimePoint at{9s};  // the first look finds what was published 1.9 s before
  Duration late{};
  for (int i = 0; i < 30; ++i) {
    const TimePoint published{7100ms + (i + 1) * 2s};
    clock.expect(at + 1000h, 2s, at);
    for (at = clock.next_look(); at < published; at = clock.next_look()) clock.missed(at);
    clock.found(at);
    late = at - published;
  }
  EXPECT_LE(late, 500ms);
}

}  // namespace
}  // namespace tributary
