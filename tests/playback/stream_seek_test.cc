#include <gtest/gtest.h>

#include <chrono>
#include <random>
#include <thread>

#include "stream_origin.hh"
#include "virtual_player.hh"

namespace tributary {
namespace {

using namespace std::chrono_literals;
using testing::Heard;
using testing::StreamOrigin;
using testing::VirtualPlayer;
using Indexes = std::vector<std::size_t>;

Indexes from_to(std::size_t first, std::size_t last) {
  Indexes result;
  for (std::size_t i = first; i <= last; ++i) result.push_back(i);
  return result;
}

const MediaSegment& find(const Heard& heard, std::uint32_t generation, unsigned index) {
  return *std::ranges::find_if(heard.segments, [&](const MediaSegment& s) {
    return s.generation == generation && s.index == SegmentIndex{index};
  });
}

class StreamSeek : public ::testing::Test {
 protected:
  void expect_right_bytes() {
    for (const MediaSegment& segment : player_.heard().segments) EXPECT_EQ(origin_.defect_of(segment), "");
  }

  const StreamOrigin origin_{{.segments = 30}};
  VirtualPlayer player_;
};

TEST_F(StreamSeek, IntoTheBufferNeedsNoNetwork) {
  player_.pause();
  player_.open(origin_.url());
  ASSERT_TRUE(player_.wait_for_segments(0, 6));
  player_.seek(650ms);
  ASSERT_TRUE(player_.wait_for_segments(1, 6));
  const Heard heard = player_.heard();
  EXPECT_EQ(heard.indexes(0), from_to(0, 5));
  EXPECT_EQ(heard.indexes(1), from_to(3, 8));
  for (unsigned i = 3; i < 6; ++i)  // the same bytes, not others that are equal
    EXPECT_EQ(find(heard, 0, i).parts.back().bytes, find(heard, 1, i).parts.back().bytes);
  EXPECT_EQ(heard.may_play, (std::vector<std::uint32_t>{0, 1}));
  expect_right_bytes();
}

TEST_F(StreamSeek, FarAwayAndBack) {
  player_.pause();
  player_.open(origin_.url());
  ASSERT_TRUE(player_.wait_for_segments(0, 1));
  EXPECT_EQ(player_.seek(4s), 1U);
  ASSERT_TRUE(player_.wait_for_segments(1, 6));
  EXPECT_EQ(player_.heard().indexes(1), from_to(20, 25));
  player_.seek(2s);
  ASSERT_TRUE(player_.wait_for_segments(2, 6));
  EXPECT_EQ(player_.heard().indexes(2), from_to(10, 15));
  expect_right_bytes();
}

TEST_F(StreamSeek, BehindTheEndAndAfterIt) {
  player_.open(origin_.url());
  player_.seek(1h);
  ASSERT_TRUE(player_.wait_until_ended(1));
  EXPECT_EQ(player_.heard().indexes(1), (Indexes{29}));
  player_.seek(5s);
  ASSERT_TRUE(player_.wait_until_ended(2));
  EXPECT_EQ(player_.heard().indexes(2), from_to(25, 29));
  EXPECT_FALSE(player_.heard().failure);
  expect_right_bytes();
}

TEST_F(StreamSeek, WithoutACache) {
  player_.pause();
  player_.open(origin_.url(), {.cache = DataSize{0}});
  ASSERT_TRUE(player_.wait_for_segments(0, 6));
  player_.seek(0s);
  ASSERT_TRUE(player_.wait_for_segments(1, 6));
  EXPECT_EQ(player_.heard().indexes(1), from_to(0, 5));
  expect_right_bytes();
}

TEST_F(StreamSeek, ASoundIsChosenFromAPositionOn) {
  player_.pause();
  player_.open(origin_.url());
  ASSERT_TRUE(player_.wait_for_segments(0, 6));
  EXPECT_EQ(player_.stream().choose_sound(3, 450ms), 1U);
  ASSERT_TRUE(player_.wait_for_segments(1, 6));
  for (const MediaSegment& segment : player_.heard().segments) {
    const bool new_sound = std::ranges::any_of(segment.parts, [](const auto& part) { return part.track == 3; });
    EXPECT_EQ(new_sound, segment.generation == 1);
  }
  EXPECT_EQ(player_.heard().indexes(1), from_to(2, 7));
  expect_right_bytes();
}

TEST_F(StreamSeek, ManyAtRandomMoments) {
  std::mt19937 random{1};
  const auto up_to = [&](int most) { return std::uniform_int_distribution{0, most}(random); };
  player_.open(origin_.url(), {.cache = DataSize{400'000}});
  std::uint32_t generation = 0;
  for (int i = 0; i < 80; ++i) {
    generation = player_.seek(std::chrono::milliseconds{up_to(5'900)});
    std::this_thread::sleep_for(std::chrono::milliseconds{up_to(i % 8 == 0 ? 400 : 40)});
  }
  player_.set_speed(8);
  ASSERT_TRUE(player_.wait_until_ended(generation));
  const Heard heard = player_.heard();
  ASSERT_FALSE(heard.failure) << heard.failure->detail;
  for (std::uint32_t g = 0; g <= generation; ++g) {
    const Indexes indexes = heard.indexes(g);
    if (indexes.empty()) continue;
    EXPECT_EQ(indexes, from_to(indexes.front(), indexes.back())) << "generation " << g;
  }
  EXPECT_EQ(heard.indexes(generation).back(), 29U);
  expect_right_bytes();
}

}  // namespace
}  // namespace tributary
