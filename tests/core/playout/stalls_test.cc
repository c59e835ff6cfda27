#include "core/playout/stalls.hh"

#include <gtest/gtest.h>

#include "core/session_state.hh"
#include "support/drained.hh"
#include "support/link_ids.hh"
#include "support/session_driver.hh"
#include "support/tables.hh"

namespace tributary {
namespace {

using namespace literals;
using namespace std::chrono_literals;
using testing::constant_table;
using testing::drained;
using testing::kWifi;
using testing::segment;

/// Segment 0, of two seconds, began to play at the start.
class StallsTest : public ::testing::Test {
 protected:
  StallsTest() {
    s.links.up(kWifi, "wifi", LinkUse::kUse, std::nullopt);
    s.timeline.start_next();
    s.playout.add(segment(0), 2s, s.now, s.actions);
    s.playout.start_if_ready(1, false, s.now, s.actions);
  }
  std::vector<action::Stall> told_at(TimePoint now) {
    s.now = now;
    tell_new_stall(s);
    return drained<action::Stall>(s.actions);
  }

  SessionState s{constant_table(2, {100_kB}), {}};
};

TEST_F(StallsTest, AreToldOnceWithWhatIsLate) {
  s.book.add(s.book.begin(segment(1), QualityIndex{0}, s.timeline.table()));
  EXPECT_TRUE(told_at(TimePoint{1s}).empty());
  const auto told = told_at(TimePoint{3s});
  ASSERT_EQ(told.size(), 1U);
  EXPECT_EQ(told[0].reason, "late: segment 1 misses 100000 bytes");
  EXPECT_TRUE(told_at(TimePoint{4s}).empty());
}

TEST_F(StallsTest, MayWaitForTheOrigin) {
  const auto told = told_at(TimePoint{3s});
  ASSERT_EQ(told.size(), 1U);
  EXPECT_EQ(told[0].reason, "the next segment is not published yet");
}

TEST_F(StallsTest, AnEndIsNone) {
  s.timeline.start_next();
  EXPECT_TRUE(told_at(TimePoint{3s}).empty());
}

}  // namespace
}  // namespace tributary
