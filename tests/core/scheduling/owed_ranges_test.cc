#include "core/scheduling/owed_ranges.hh"

#include <gtest/gtest.h>

#include <array>

namespace tributary {
namespace {

using namespace literals;

constexpr LinkId kWouldBring{0}, kOwes{1}, kOwesToo{2};
constexpr SegmentIndex kSought{4}, kBehindIt{5};

OutstandingRequest request(std::uint32_t id, LinkId link, SegmentIndex segment, ByteRange range) {
  OutstandingRequest made;
  made.id = static_cast<RequestId>(id);
  made.link = link;
  made.segment = segment;
  made.range = range;
  return made;
}

TEST(OwedRanges, AreThoseOfTheSegmentThatOtherLinksOweAlone) {
  std::array<LinkNow, 3> links;
  links[0].link = kWouldBring;
  links[1].link = kOwes;
  links[2].link = kOwesToo;
  OutstandingRequests outstanding;
  outstanding.add(request(1, kOwesToo, kSought, {50_kB, 60_kB}));
  outstanding.add(request(2, kOwes, kBehindIt, {0_kB, 30_kB}));
  outstanding.add(request(3, kOwes, kSought, {10_kB, 50_kB}));
  outstanding.add(request(4, kWouldBring, kSought, {0_kB, 10_kB}));
  outstanding.add(request(5, kOwes, kSought, {60_kB, 70_kB}));
  outstanding.add(request(6, kOwes, kSought, {70_kB, 80_kB}));
  outstanding.find(RequestId{3})->received = 5_kB;
  outstanding.find(RequestId{3})->taken_over_from = 40_kB;
  outstanding.find(RequestId{5})->taken_over_from = 60_kB;
  outstanding.find(RequestId{6})->abandoned = true;

  const OwedRanges owed{kWouldBring, links, outstanding, kSought};
  EXPECT_EQ(owed.asking(), &links[0]);
  ASSERT_EQ(std::distance(owed.begin(), owed.end()), 2);
  const OwedRange &first = owed.begin()[0], &second = owed.begin()[1];
  EXPECT_EQ(first.request->id, RequestId{3});
  EXPECT_EQ(first.range, (ByteRange{15_kB, 40_kB}));
  EXPECT_EQ(first.before, 30_kB) << "of the next segment, which was asked for first";
  EXPECT_EQ(first.up_to_end(), 65_kB);
  EXPECT_EQ(second.request->id, RequestId{1});
  EXPECT_EQ(second.link, &links[2]);
}

}  // namespace
}  // namespace tributary
