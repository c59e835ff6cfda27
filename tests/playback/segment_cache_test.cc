#include "playback/segment_cache.hh"

#include <gtest/gtest.h>

namespace tributary {
namespace {

MediaSegment segment(unsigned index, std::size_t bytes, std::size_t sound = 1) {
  MediaSegment result;
  result.index = SegmentIndex{index};
  const auto part = std::make_shared<const MediaBytes>(bytes);
  result.parts = {{0, TrackKind::kVideo, false, part}, {sound, TrackKind::kAudio, false, part}};
  return result;
}

std::vector<std::size_t> run(SegmentCache& cache, unsigned first, std::size_t sound = 1) {
  std::vector<std::size_t> indexes;
  for (const MediaSegment& s : cache.run_from(SegmentIndex{first}, sound)) indexes.push_back(to_index(s.index));
  return indexes;
}

using Indexes = std::vector<std::size_t>;

TEST(SegmentCache, ARunEndsAtAGapOrAnotherSound) {
  SegmentCache cache{DataSize{10'000}};
  for (const unsigned i : {2U, 3U, 4U, 6U}) cache.add(segment(i, 100));
  cache.add(segment(7, 100, 5));
  EXPECT_EQ(run(cache, 3), (Indexes{3, 4}));
  EXPECT_EQ(run(cache, 5), Indexes{});
  EXPECT_EQ(run(cache, 6), (Indexes{6}));
  EXPECT_EQ(run(cache, 6, 5), Indexes{});
  EXPECT_EQ(run(cache, 7, 5), (Indexes{7}));
}

TEST(SegmentCache, ForgetsWhatWasUsedLongestAgo) {
  SegmentCache cache{DataSize{1'000}};
  for (unsigned i = 0; i < 5; ++i) cache.add(segment(i, 100));  // 200 bytes each: full
  EXPECT_EQ(run(cache, 0), (Indexes{0, 1, 2, 3, 4}));
  run(cache, 4);
  cache.add(segment(5, 100));
  EXPECT_EQ(run(cache, 0), Indexes{});
  EXPECT_EQ(run(cache, 1), (Indexes{1, 2, 3, 4, 5}));
  EXPECT_EQ(cache.size(), DataSize{1'000});
  cache.add(segment(5, 50));  // in another quality
  EXPECT_EQ(cache.size(), DataSize{900});
}

TEST(SegmentCache, WhatIsLargerThanTheCacheIsNotKept) {
  SegmentCache cache{DataSize{100}};
  cache.add(segment(0, 100));
  EXPECT_EQ(run(cache, 0), Indexes{});
  EXPECT_EQ(cache.size(), DataSize{});
}

}  // namespace
}  // namespace tributary
