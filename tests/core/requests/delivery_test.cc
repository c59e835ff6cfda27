#include "core/requests/delivery.hh"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/session_state.hh"
#include "presentation/segment_limits.hh"
#include "support/drained.hh"
#include "support/session_driver.hh"
#include "support/tables.hh"

namespace tributary {
namespace {

using namespace literals;
using testing::constant_table;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::segment;

class DeliveryTest : public ::testing::Test {
 protected:
  void receive(SessionState& s, std::size_t segments, std::initializer_list<std::size_t> complete) {
    for (std::size_t i = 0; i < segments; ++i)
      s.book.add(s.book.begin(static_cast<SegmentIndex>(i), QualityIndex{0}, s.timeline.table()));
    for (const std::size_t i : complete) s.book.segments()[i].receive(0, {0_B, 100_kB});
  }
  std::vector<SegmentIndex> delivered(SessionState& s) {
    deliver_complete_segments(s);
    std::vector<SegmentIndex> result;
    for (const auto& a : testing::drained<action::DeliverSegment>(s.actions)) result.push_back(a.segment);
    return result;
  }
};

TEST_F(DeliveryTest, AStreamDeliversInOrder) {
  SessionState s{constant_table(4, {100_kB}), {}};
  receive(s, 4, {1, 2});
  EXPECT_THAT(delivered(s), IsEmpty());
  s.book.segments()[0].receive(0, {0_B, 100_kB});
  EXPECT_THAT(delivered(s), ElementsAre(segment(0), segment(1), segment(2)));
  EXPECT_EQ(s.playout.buffer().buffered_segments(), 3U);
}

TEST_F(DeliveryTest, ADownloadDeliversWhatIsComplete) {
  SessionOptions options;
  options.mode = StreamingMode::kDownload;
  SessionState s{constant_table(4, {100_kB}), options};
  receive(s, 4, {1, 3});
  EXPECT_THAT(delivered(s), ElementsAre(segment(1), segment(3)));
  EXPECT_EQ(s.playout.buffer().buffered_segments(), 0U);  // nothing plays
}

TEST_F(DeliveryTest, ADownloadInOrderKeepsItsWindowClosedUntilTheFirstIsComplete) {
  SessionOptions options;
  options.mode = StreamingMode::kDownload;
  options.in_order = true;
  options.buffer_segments = 4;
  SessionState s{constant_table(9, {100_kB}), options};
  receive(s, 4, {1, 3});
  EXPECT_THAT(delivered(s), IsEmpty());
  EXPECT_EQ(s.may_start(), 0U);
  s.book.segments()[0].receive(0, {0_B, 100_kB});
  EXPECT_THAT(delivered(s), ElementsAre(segment(0), segment(1)));
  EXPECT_EQ(s.may_start(), 2U);
  EXPECT_EQ(s.playout.buffer().buffered_segments(), 0U);  // nothing plays
}

/// Of three segments one is buffered, and one on its way.
TEST_F(DeliveryTest, NothingIsBegunBeyondTheBytesThatMayBeKept) {
  constexpr DataSize kHalf{kMostAhead.bytes() / 2};
  for (const auto& [size, may_start] : {std::pair{kHalf, false}, {kHalf - 1_B, true}}) {
    SessionState s{constant_table(3, {size}), {}};
    receive(s, 2, {});
    s.book.segments()[0].receive(0, {0_B, size});
    EXPECT_THAT(delivered(s), ElementsAre(segment(0)));
    EXPECT_EQ(s.playout.buffer().buffered_bytes(), size);
    EXPECT_EQ(s.may_start_segment(), may_start) << size.bytes();
  }
}

}  // namespace
}  // namespace tributary
