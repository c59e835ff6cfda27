#include "core/scheduling/front_first.hh"

#include <gtest/gtest.h>

namespace tributary {
namespace {

using namespace literals;
using namespace std::chrono_literals;

const LinkEstimate kFastLink{.link = LinkId{0}, .throughput = 2_Mbps, .round_trip = 20ms, .free_in = 0ms};
const LinkEstimate kSlowLink{.link = LinkId{1}, .throughput = 500_kbps, .round_trip = 80ms, .free_in = 80ms};

/// In front of the next range of a link, in a segment of 400 kB of which the first `asked` are asked for.
DataSize in_front(int asking, DataSize size, const LinkEstimates& links, DataSize asked = 0_kB,
                  const OutstandingRequests& outstanding = {}) {
  SegmentAssembly segment{SegmentIndex{}, QualityIndex{}, {400_kB}};
  if (asked > 0_kB) segment.take_new(asked);
  return bytes_in_front(static_cast<LinkId>(asking), size, segment, links, outstanding);
}

OutstandingRequests owed(int link, DataSize size) {
  OutstandingRequests outstanding;
  outstanding.add({.id = RequestId{0}, .link = static_cast<LinkId>(link), .range = {0_kB, size}});
  return outstanding;
}

TEST(FrontFirst, ASlowLinkLeavesTheBytesThatAFastOneBringsMeanwhile) {
  const LinkEstimates links{kFastLink, kSlowLink};
  EXPECT_EQ(in_front(1, 16_kB, links), 84_kB) << "0.08 s and 0.256 s, at 250 kB/s";
}

TEST(FrontFirst, AFastLinkBeginsAtTheFront) {
  const LinkEstimates links{kFastLink, kSlowLink};
  EXPECT_EQ(in_front(0, 16_kB, links), 0_kB) << "the other one's first byte comes later";
}

TEST(FrontFirst, NothingIsLeftToALinkThatNeverAnswered) {
  const LinkEstimates links{kFastLink, {.link = LinkId{1}}};
  EXPECT_EQ(in_front(0, 100_kB, links), 0_kB);
  EXPECT_EQ(in_front(1, 20_kB, links), 45_kB) << "it counts as fast, and begins after 0.1 s";
}

TEST(FrontFirst, TheFrontIsLeftToALinkThatHasAnswered) {
  const LinkEstimates links{{.link = LinkId{0}, .round_trip = 20ms}, {.link = LinkId{1}}};
  EXPECT_EQ(in_front(1, 20_kB, links), 20_kB);
  EXPECT_EQ(in_front(0, 20_kB, links), 0_kB);
  EXPECT_EQ(in_front(1, 20_kB, links, 20_kB), 0_kB) << "somebody brings it";
}

TEST(FrontFirst, IfNoLinkHasAnsweredTheOneThatIsAskedBringsTheFront) {
  const LinkEstimates links{{.link = LinkId{0}}, {.link = LinkId{1}}};
  EXPECT_EQ(in_front(0, 20_kB, links), 0_kB);
  EXPECT_EQ(in_front(1, 20_kB, links, 20_kB), 0_kB);
}

TEST(FrontFirst, BehindWhatAnUnmeasuredLinkOwesItBringsTheEnd) {
  const LinkEstimates links{kFastLink, {.link = LinkId{1}, .round_trip = 80ms}};
  EXPECT_EQ(in_front(1, 10_kB, links, 20_kB, owed(1, 20_kB)), 380_kB);
  EXPECT_EQ(in_front(0, 10_kB, links, 20_kB, owed(1, 20_kB)), 0_kB);
}

TEST(FrontFirst, AnUnmeasuredLinkOwesWhatMeasuresItAndALittleMore) {
  const LinkEstimates links{kFastLink, {.link = LinkId{1}}};
  EXPECT_EQ(largest_read_range(LinkId{1}, links, {}), 20_kB);
  EXPECT_EQ(largest_read_range(LinkId{1}, links, owed(1, 1_kB)), 20_kB) << "an init segment does not measure it";
  EXPECT_EQ(largest_read_range(LinkId{1}, links, owed(1, 20_kB)), 10_kB);
  OutstandingRequests both = owed(1, 20_kB);
  both.add({.id = RequestId{1}, .link = LinkId{1}, .range = {90_kB, 100_kB}});
  EXPECT_EQ(largest_read_range(LinkId{1}, links, both), 0_kB);
  EXPECT_EQ(largest_read_range(LinkId{0}, links, both), 50_kB) << "0.2 s";
}

}  // namespace
}  // namespace tributary
