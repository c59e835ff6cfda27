#include "core/scheduling/front_first.hh"

#include <gtest/gtest.h>

namespace tributary {
namespace {

using namespace literals;
using namespace std::chrono_literals;

const LinkEstimate kFastLink{.link = LinkId{0}, .throughput = 2_Mbps, .round_trip = 20ms, .free_in = 0ms};
const LinkEstimate kSlowLink{.link = LinkId{1}, .throughput = 500_kbps, .round_trip = 80ms, .free_in = 80ms};

TEST(FrontFirst, ASlowLinkLeavesTheBytesThatAFastOneBringsMeanwhile) {
  const LinkEstimates links{kFastLink, kSlowLink};
  EXPECT_EQ(brought_by_others(LinkId{1}, 16_kB, links, {}), 84_kB) << "0.08 s and 0.256 s, at 250 kB/s";
}

TEST(FrontFirst, AFastLinkBeginsAtTheFront) {
  const LinkEstimates links{kFastLink, kSlowLink};
  EXPECT_EQ(brought_by_others(LinkId{0}, 16_kB, links, {}), 0_kB) << "the other one's first byte comes later";
}

TEST(FrontFirst, NothingIsLeftToALinkThatNeverAnswered) {
  const LinkEstimates links{kFastLink, {.link = LinkId{1}}};
  EXPECT_EQ(brought_by_others(LinkId{0}, 100_kB, links, {}), 0_kB);
  EXPECT_EQ(brought_by_others(LinkId{1}, 20_kB, links, {}), 45_kB) << "it counts as fast, and begins after 0.1 s";
}

TEST(FrontFirst, WhatAnUnmeasuredLinkOwesComesFirst) {
  const LinkEstimates links{kFastLink, {.link = LinkId{1}}};
  OutstandingRequests outstanding;
  outstanding.add({.id = RequestId{0}, .link = LinkId{1}, .range = {0_kB, 20_kB}});
  EXPECT_EQ(brought_by_others(LinkId{1}, 20_kB, links, outstanding), 65_kB);
}

}  // namespace
}  // namespace tributary
