#include "download/film/segment_queue.hh"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <future>
#include <string>
#include <string_view>

namespace tributary {
namespace {

using namespace literals;
using namespace std::chrono_literals;

MediaBytes bytes_of(std::string_view text) {
  const auto bytes = std::as_bytes(std::span{text});
  return {bytes.begin(), bytes.end()};
}

/// At most `size` bytes; "-" after stop().
std::string read(SegmentQueue& queue, std::size_t track, std::size_t size = 100) {
  std::string text(size, ' ');
  const auto count = queue.read(track, std::as_writable_bytes(std::span{text}));
  return count ? text.substr(0, *count) : "-";
}

TEST(SegmentQueue, ATrackIsReadInOrderUpToTheEndOfItsStretch) {
  SegmentQueue queue{2, 1_MB};
  queue.push(0, bytes_of("init"), true);
  queue.push(1, bytes_of("sound"), true);
  queue.push(0, bytes_of("one"), false);
  queue.push(0, bytes_of("again"), true);
  queue.end();
  EXPECT_EQ(queue.begin_stretch(0, 2), bytes_of("in"));
  EXPECT_EQ(read(queue, 0, 3), "ini");
  EXPECT_EQ(read(queue, 0), "t");
  EXPECT_EQ(read(queue, 0), "one");
  EXPECT_EQ(read(queue, 0), "");
  EXPECT_EQ(queue.begin_stretch(0, 9), bytes_of("again"));
  EXPECT_EQ(read(queue, 0), "again");
  EXPECT_EQ(read(queue, 0), "");
  EXPECT_EQ(queue.begin_stretch(0, 9), std::nullopt);
  EXPECT_EQ(queue.begin_stretch(1, 9), bytes_of("sound"));
}

TEST(SegmentQueue, TheRestOfAStretchIsPassedOver) {
  SegmentQueue queue{1, 1_MB};
  queue.push(0, bytes_of("one"), true);
  queue.push(0, bytes_of("rest"), false);
  queue.push(0, bytes_of("two"), true);
  EXPECT_EQ(queue.begin_stretch(0, 9), bytes_of("one"));
  EXPECT_EQ(read(queue, 0, 1), "o");
  EXPECT_EQ(queue.begin_stretch(0, 9), bytes_of("two"));
  EXPECT_EQ(read(queue, 0), "two");
}

TEST(SegmentQueue, TheNetworkWaitsForAReaderThatHasEnough) {
  SegmentQueue queue{2, 3_B};
  queue.push(0, bytes_of("more than three"), true);
  auto room = std::async(std::launch::async, [&] { queue.wait_for_room(); });
  EXPECT_EQ(room.wait_for(20ms), std::future_status::timeout);
  queue.begin_stretch(0, 1);
  read(queue, 0);
  EXPECT_EQ(room.wait_for(10s), std::future_status::ready);
}

TEST(SegmentQueue, TheNetworkGoesOnWhereTheReaderWantsAnotherTrack) {
  SegmentQueue queue{2, 3_B};
  queue.push(0, bytes_of("more than three"), true);
  auto sound = std::async(std::launch::async, [&] { return queue.begin_stretch(1, 9); });
  queue.wait_for_room();  // for ever, if that waited for the picture to be read
  queue.push(1, bytes_of("sound"), true);
  EXPECT_EQ(sound.get(), bytes_of("sound"));
}

TEST(SegmentQueue, StopWakesBothSides) {
  SegmentQueue queue{1, 3_B};
  auto reader = std::async(std::launch::async, [&] { return queue.begin_stretch(0, 9); });
  queue.stop();
  EXPECT_EQ(reader.get(), std::nullopt);
  queue.push(0, bytes_of("more than three"), true);
  queue.wait_for_room();
  EXPECT_EQ(read(queue, 0), "-");
}

}  // namespace
}  // namespace tributary
