#include "demux/id3_tag.hh"

#include <gtest/gtest.h>

#include "packed_audio.hh"

namespace tributary {
namespace {

TEST(Id3Tag, StatesTheTimeOfTheFirstSample) {
  const auto tag = testing::time_tag(0x1'2345'6789);
  const Id3Tag read = id3_tag(tag);
  EXPECT_EQ(read.size, tag.size());
  EXPECT_EQ(read.begins, 0x1'2345'6789);
}

TEST(Id3Tag, OfItsTimeThirtyThreeBitsCount) {
  EXPECT_EQ(id3_tag(testing::time_tag((5ull << 33) + 90'000)).begins, 90'000);
}

TEST(Id3Tag, TheTimeMayStandBehindOtherFrames) {
  auto tag = testing::tag_of(testing::id3_frame("TIT2", "a title") + testing::time_frame(7));
  EXPECT_EQ(id3_tag(tag).begins, 7);
  tag = testing::tag_of(testing::id3_frame("PRIV", "somebody else\0something") + testing::id3_frame("TIT2", "a title"));
  EXPECT_EQ(id3_tag(tag).size, tag.size());
  EXPECT_EQ(id3_tag(tag).begins, std::nullopt);
}

TEST(Id3Tag, AnotherTagMayFollow) {
  auto tags = testing::time_tag(90'000);
  const auto other = testing::tag_of(testing::id3_frame("TIT2", "a title"));
  tags.insert(tags.end(), other.begin(), other.end());
  EXPECT_EQ(id3_tag(tags).size, tags.size());
  EXPECT_EQ(id3_tag(tags).begins, 90'000);
}

TEST(Id3Tag, WhatIsCutOffStatesNoTime) {
  const auto tag = testing::time_tag(90'000);
  for (std::size_t size = 0; size < tag.size(); ++size) {
    const Id3Tag read = id3_tag(std::span{tag}.first(size));
    EXPECT_EQ(read.begins, std::nullopt) << size;
    EXPECT_EQ(read.size, size < 10 ? 0 : tag.size()) << size;
  }
}

TEST(Id3Tag, ASizeThatIsNoneIsNoTag) {
  auto tag = testing::time_tag(90'000);
  tag[8] = std::byte{0x80};
  EXPECT_EQ(id3_tag(tag).size, 0u);
}

}  // namespace
}  // namespace tributary
