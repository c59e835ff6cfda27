#include "download/files/chunk_plan.hh"

#include <gtest/gtest.h>

#include <algorithm>

#include "presentation/json/json_index.hh"
#include "presentation/segments/segment_table.hh"

namespace tributary {
namespace {

using namespace literals;

/// All bytes are in the chunks or were there before, and none twice.
void expect_partition(DataSize file, const ByteSet& complete) {
  const std::vector<ByteRange> chunks = chunks_to_fetch(file, complete);
  std::vector<ByteRange> all = chunks;
  all.insert(all.end(), complete.ranges().begin(), complete.ranges().end());
  std::sort(all.begin(), all.end());
  DataSize at;
  for (const ByteRange& range : all) {
    EXPECT_EQ(range.begin, at);
    EXPECT_FALSE(range.empty());
    at = range.end;
  }
  EXPECT_EQ(at, file);
  for (const ByteRange& chunk : chunks) EXPECT_LE(chunk.size(), chunk_size_for(file));
}

TEST(ChunkPlan, CoversTheFileOnce) {
  for (const DataSize file : {1_B, 255_kB, 256_kB, 257_kB, 10_MB, 10'000'001_B}) expect_partition(file, {});
}

TEST(ChunkPlan, NoChunkIsMuchSmallerThanTheOthers) {
  for (const DataSize file : {257_kB, 1'000'001_B, 23'910'171_B}) {
    const auto [least, most] = std::ranges::minmax(chunks_to_fetch(file, {}), {}, &ByteRange::size);
    EXPECT_LE(most.size() - least.size(), 1_B) << file.bytes();
  }
}

TEST(ChunkPlan, LeavesOutWhatIsThere) {
  expect_partition(10_MB, {{0_B, 4_MB}});
  expect_partition(10_MB, {{1_B, 4_MB}, {5_MB, 5'000'001_B}, {9_MB, 10_MB}});
  EXPECT_TRUE(chunks_to_fetch(10_MB, {{0_B, 10_MB}}).empty());
  EXPECT_TRUE(chunks_to_fetch(0_B, {}).empty());
}

TEST(ChunkPlan, ChunksGrowWithTheFileUpToFourMegabytes) {
  EXPECT_EQ(chunk_size_for(1_MB), 256_kB);
  EXPECT_EQ(chunk_size_for(16_MB), 1_MB);
  EXPECT_EQ(chunk_size_for(5000_MB), 4_MB);
  EXPECT_EQ(subsegment_size_for(1_MB), 50_kB);
  EXPECT_EQ(subsegment_size_for(5000_MB), 400_kB);
}

TEST(ChunkPlan, ChunksFromBothEndsAreSmaller) {
  EXPECT_EQ(chunk_size_from_both_ends(60_kB), 64_kB);
  EXPECT_EQ(chunk_size_from_both_ends(6'400_kB), 200_kB);
  EXPECT_EQ(chunk_size_from_both_ends(5000_MB), 2_MB);
}

class PlannedChunks : public ::testing::TestWithParam<bool> {};
INSTANTIATE_TEST_SUITE_P(ChunkPlan, PlannedChunks, ::testing::Bool());

TEST_P(PlannedChunks, AreAPresentationThatCanBeWrittenAndReadBack) {
  std::vector<ByteRange> chunks = chunks_to_fetch(10_MB, {{1_MB, 4_MB}});
  if (GetParam()) std::ranges::reverse(chunks);  // as they are fetched from the end
  const Presentation presentation = presentation_of(chunks);
  EXPECT_EQ(read_index(write_index(presentation, "", "")).tracks[0].file_offsets, presentation.tracks[0].file_offsets);
  const SegmentTable table{presentation};
  ASSERT_EQ(table.segment_count(), chunks.size());
  for (std::size_t i = 0; i < chunks.size(); ++i) {
    const auto parts = table.parts(static_cast<SegmentIndex>(i), QualityIndex{0});
    ASSERT_EQ(parts.size(), 1U);
    EXPECT_EQ(parts[0].resource.range, chunks[i]);
  }
}

}  // namespace
}  // namespace tributary
