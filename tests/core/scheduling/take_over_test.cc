#include "core/scheduling/take_over.hh"

#include <gtest/gtest.h>

#include <array>

namespace tributary {
namespace {

using namespace literals;
using namespace std::chrono_literals;

constexpr LinkId kSlow{0};
constexpr LinkId kFast{1};
constexpr SegmentIndex kSegment{7};
constexpr TimePoint kNow{10s};

/// What is outstanding, told in one line a request.
class Outstanding {
 public:
  Outstanding& owes(LinkId link, DataSize begin, DataSize end, SegmentIndex segment = kSegment) {
    requests_.add({id_, link, segment, 0, {begin, end}, 0, kNow, {}, {}, false, {}, {}, {}});
    id_ = next(id_);
    return *this;
  }
  OutstandingRequests& requests() { return requests_; }

 private:
  OutstandingRequests requests_;
  RequestId id_{1};
};

// 100 kB/s and 300 kB/s.
using TwoLinks = std::array<LinkNow, 2>;
constexpr TwoLinks kLinks{{{kSlow, 800_kbps, {}, {}}, {kFast, 2400_kbps, {}, {}}}};
constexpr DuplicatesLeft kAmple{1'000_kB, true};
constexpr DuplicatesLeft kScarce{1'000_kB, false};

std::optional<TakeOver> decide(Outstanding& outstanding, Duration until_due, DuplicatesLeft left = kScarce,
                               const TwoLinks& links = kLinks) {
  return take_over({kFast, links, outstanding.requests(), kSegment}, kNow + until_due, left, kNow);
}

TEST(TakeOver, WhatComesInTimeIsLeftAlone) {
  Outstanding o;
  o.owes(kSlow, 0_kB, 100_kB);
  EXPECT_FALSE(decide(o, 2s));  // takes 1 s
}

TEST(TakeOver, OfALateRangeTheLinksBringWhatTheyCanUntilTheyMeet) {
  Outstanding o;
  o.owes(kSlow, 0_kB, 400_kB);
  const auto found = decide(o, 2s);  // takes 4 s
  ASSERT_TRUE(found);
  EXPECT_EQ(found->from, RequestId{1});
  EXPECT_EQ(found->range, (ByteRange{100_kB, 400_kB}));
  EXPECT_EQ(found->late, 2s);
  EXPECT_EQ(found->sooner, 3s);
}

TEST(TakeOver, WhenNothingElseIsLeftToAskForLessGainIsEnough) {
  Outstanding o;
  o.owes(kSlow, 0_kB, 60_kB);  // takes 0.6 s; both together need a quarter of that
  EXPECT_FALSE(decide(o, 100ms)) << "late anyway, and other bytes are wanted as well";
  const auto found = take_over({kFast, kLinks, o.requests(), kSegment}, std::nullopt, kScarce, kNow);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->range, (ByteRange{15_kB, 60_kB}));
  EXPECT_EQ(found->sooner, 450ms);
}

TEST(TakeOver, ARangeBehindOthersIsTheLatest) {
  Outstanding o;
  o.owes(kSlow, 0_kB, 200_kB).owes(kSlow, 200_kB, 300_kB);
  const auto found = decide(o, 1s);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->from, RequestId{2});
  EXPECT_EQ(found->range, (ByteRange{200_kB, 300_kB}));
}

TEST(TakeOver, WhatTheLinkOwesItselfComesFirst) {
  Outstanding o;
  o.owes(kSlow, 0_kB, 400_kB).owes(kFast, 400_kB, 900_kB);
  // 500 kB and then 200 kB of the other's over the fast link, in 2.33 s; 200 kB over the slow link in 2 s.
  const auto found = decide(o, 1s);
  ASSERT_TRUE(found);
  EXPECT_NEAR(static_cast<double>(found->range.size().bytes()), 175'000, 1);
}

TEST(TakeOver, NothingIsGainedFromALinkThatWouldTakeAsLong) {
  Outstanding o;
  o.owes(kSlow, 0_kB, 100_kB).owes(kFast, 100_kB, 400_kB);
  EXPECT_FALSE(decide(o, 500ms));
}

TEST(TakeOver, WhatOthersWereAskedForAlreadyIsLeftOut) {
  Outstanding o;
  o.owes(kSlow, 0_kB, 400_kB);
  o.requests().find(RequestId{1})->taken_over_from = 200_kB;
  const auto found = decide(o, 1s);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->range, (ByteRange{50_kB, 200_kB}));
  o.requests().find(RequestId{1})->received = 200_kB;
  EXPECT_FALSE(decide(o, 1s));
}

TEST(TakeOver, ARangeThatIsAsFastAsItWasThoughtToBeIsLeftAlone) {
  Outstanding o;
  o.owes(kSlow, 0_kB, 400_kB);
  o.requests().find(RequestId{1})->expected = 4s;
  EXPECT_FALSE(decide(o, 1s)) << "late, but not because the link has changed";
}

TEST(TakeOver, ALinkIsNotAskedForWhatItOwesAlready) {
  Outstanding o;
  o.owes(kSlow, 0_kB, 400_kB).owes(kFast, 390_kB, 400_kB);
  EXPECT_FALSE(decide(o, 1s));
}

TEST(TakeOver, OtherSegmentsAreNotAskedAbout) {
  Outstanding o;
  o.owes(kSlow, 0_kB, 400_kB, SegmentIndex{8});
  EXPECT_FALSE(decide(o, 1s));
}

TEST(TakeOver, NoMoreThanMayBeDuplicated) {
  Outstanding o;
  o.owes(kSlow, 0_kB, 400_kB);
  const auto found = decide(o, 1s, {50_kB});
  ASSERT_TRUE(found);
  EXPECT_EQ(found->range, (ByteRange{350_kB, 400_kB}));
  EXPECT_FALSE(decide(o, 1s, {5_kB})) << "not worth a request";
}

TEST(TakeOver, AShortRestOnASilentLinkIsLate) {
  Outstanding o;
  o.owes(kSlow, 0_kB, 5_kB);
  EXPECT_FALSE(decide(o, 1s));
  const auto found = decide(o, 1s, kScarce, {{{kSlow, 800_kbps, 2s, {}}, {kFast, 2400_kbps, {}, {}}}});
  ASSERT_TRUE(found);
  EXPECT_EQ(found->range, (ByteRange{0_kB, 5_kB}));
}

TEST(TakeOver, AfterALossALinkIsSilentUntilARoundTripHasPassed) {
  Outstanding o;
  o.owes(kSlow, 0_kB, 5_kB);
  const auto silent_for = [](Duration silent) {
    return TwoLinks{{{kSlow, 800_kbps, silent, 1500ms}, {kFast, 2400_kbps, {}, {}}}};
  };
  EXPECT_TRUE(decide(o, 1s, kScarce, silent_for(100ms))) << "1.4 s of silence are to come";
  EXPECT_FALSE(decide(o, 1s, kScarce, silent_for(50ms))) << "the next packet may just be on its way";
  EXPECT_FALSE(decide(o, 1s, kScarce, silent_for(800ms))) << "0.8 s are to come";
}

TEST(TakeOver, WhatIsLateByPlanIsTakenOverIfThatHelpsAndDuplicatesAreAmple) {
  Outstanding o;
  o.owes(kSlow, 0_kB, 200_kB);
  o.requests().find(RequestId{1})->expected = 2s;
  EXPECT_FALSE(decide(o, 1s, kScarce));
  EXPECT_FALSE(decide(o, 400ms, kAmple)) << "it would be late from here as well";
  const auto found = decide(o, 1s, kAmple);  // both together need half a second
  ASSERT_TRUE(found);
  EXPECT_EQ(found->range, (ByteRange{50_kB, 200_kB}));
}

TEST(TakeOver, WhatALostPacketWouldMakeLateIsTakenOverIfThatCostsLittle) {
  constexpr TwoLinks links{{{kSlow, 800_kbps, {}, 400ms}, {kFast, 2400_kbps, {}, {}}}};
  Outstanding small;
  small.owes(kSlow, 0_kB, 60_kB);  // takes 0.6 s; from the fast link, 45 kB of it take 0.15 s
  EXPECT_TRUE(decide(small, 900ms, kAmple, links));
  EXPECT_FALSE(decide(small, 900ms, kScarce, links));
  EXPECT_FALSE(decide(small, 1100ms, kAmple, links)) << "there is time for a round trip";
  Outstanding large;
  large.owes(kSlow, 0_kB, 100_kB);  // takes 1 s; 75 kB of it take 0.25 s
  EXPECT_FALSE(decide(large, 1300ms, kAmple, links));
}

TEST(TakeOver, WhatIsLateFromHereAsWellMustGainHalfASecond) {
  Outstanding o;
  o.owes(kSlow, 0_kB, 60_kB);  // takes 0.6 s; both together need 0.15 s
  EXPECT_TRUE(decide(o, 200ms));
  EXPECT_FALSE(decide(o, 100ms));
}

TEST(TakeOver, ALinkThatWasNeverMeasuredPromisesNothing) {
  Outstanding o;
  o.owes(kSlow, 0_kB, 400_kB);
  EXPECT_FALSE(decide(o, 0s, kAmple, {{{kSlow, 800_kbps, {}, {}}, {kFast, {}, {}, {}}}}));
}

}  // namespace
}  // namespace tributary
