#include "bonding/split/stream_message.hh"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace tributary::bonding {
namespace {

Bytes some_bytes(std::size_t count) {
  Bytes bytes(count);
  std::ranges::generate(bytes, [n = 0]() mutable { return static_cast<std::byte>(n++); });
  return bytes;
}

TEST(StreamMessage, IsReadBack) {
  const Bytes bytes = some_bytes(300);
  PeerAddress to{.port = 443};
  to.address[15] = std::byte{7};
  for (const bool last : {false, true}) {
    const Bytes written = write_stream_message(StreamData{StreamId{9}, 1'000'000'007, bytes, last});
    EXPECT_LE(written.size(), bytes.size() + kStreamOverhead);
    const auto read = read_stream_message(written);
    ASSERT_TRUE(read);
    const auto& data = std::get<StreamData>(*read);
    EXPECT_EQ(data.stream, StreamId{9});
    EXPECT_EQ(data.offset, 1'000'000'007U);
    EXPECT_TRUE(std::ranges::equal(data.bytes, bytes));
    EXPECT_EQ(data.last, last);
    EXPECT_FALSE(data.destination);
  }
  const Bytes opens = write_stream_message(StreamData{StreamId{1}, 0, {}, false, to});
  EXPECT_EQ(std::get<StreamData>(read_stream_message(opens).value()).destination, to);
  const StreamProgress progress{StreamId{3}, 5, ~std::uint64_t{}};
  EXPECT_EQ(std::get<StreamProgress>(read_stream_message(write_stream_message(progress)).value()), progress);
  EXPECT_EQ(std::get<StreamReset>(read_stream_message(write_stream_message(StreamReset{StreamId{4}})).value()).stream,
            StreamId{4});
}

TEST(StreamMessage, IsNothingElse) {
  EXPECT_FALSE(read_stream_message({}));
  EXPECT_FALSE(read_stream_message(some_bytes(5)));
  Bytes longer = write_stream_message(StreamReset{StreamId{4}});
  longer.push_back({});
  EXPECT_FALSE(read_stream_message(longer));
  Bytes cut = write_stream_message(StreamProgress{});
  cut.pop_back();
  EXPECT_FALSE(read_stream_message(cut));
  EXPECT_FALSE(read_stream_message(write_stream_message(StreamData{StreamId{1}, ~std::uint64_t{}, {}})));
  EXPECT_FALSE(read_stream_message(write_stream_message(StreamData{StreamId{1}, 5, {}, false, PeerAddress{}})))
      << "a stream opens with its first byte";
  std::minstd_rand random{1};
  for (int i = 0; i < 100'000; ++i) {
    Bytes any(random() % 60);
    for (std::byte& byte : any) byte = static_cast<std::byte>(random());
    if (!any.empty()) any[0] = static_cast<std::byte>(random() % 0x40);
    if (const auto message = read_stream_message(any)) EXPECT_EQ(write_stream_message(*message), any);
  }
}

}  // namespace
}  // namespace tributary::bonding
