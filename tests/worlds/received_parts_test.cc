#include "worlds/received_parts.hh"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <unistd.h>

#include <cstring>
#include <fstream>
#include <string>

#include "media/aes_decryption.hh"
#include "support/link_ids.hh"
#include "support/session_driver.hh"
#include "support/tables.hh"

namespace tributary {
namespace {

using namespace literals;
using testing::constant_table;
using testing::kLte;
using testing::kWifi;
using testing::segment;

/// Segment 0 of 10 bytes, of which wifi was asked for the first 6, and lte for the others.
class ReceivedPartsTest : public ::testing::Test {
 protected:
  ReceivedPartsTest() {
    parts.start({.segment = segment(0), .quality = {}, .size = 10_B, .throughput = {}, .reason = ""});
    requests.add({.id = RequestId{1}, .link = kWifi, .segment = segment(0), .range = {0_B, 6_B}, .sent = {}});
    requests.add({.id = RequestId{2}, .link = kLte, .segment = segment(0), .range = {6_B, 10_B}, .sent = {}});
  }
  std::optional<ReceivedParts::Place> comes(unsigned request, int offset, const std::string& text) {
    return parts.store({RequestId{request}, DataSize{offset}, std::as_bytes(std::span{text})});
  }
  std::string taken() {
    const auto media = parts.take(segment(0));
    return {reinterpret_cast<const char*>(media.at(0).bytes.data()), media[0].bytes.size()};
  }

  SegmentTable table = constant_table(2, {10_B});
  OutstandingRequests requests;
  ReceivedParts parts{table, requests};
};

TEST_F(ReceivedPartsTest, PutsBytesWhereTheRequestBookSaysThatTheyBelong) {
  const auto place = comes(2, 6, "ghij");
  ASSERT_TRUE(place);
  EXPECT_EQ(place->segment, segment(0));
  EXPECT_EQ(place->offset, 6_B);
  comes(1, 0, "abc");
  requests.remove(RequestId{2});  // it is done
  comes(1, 3, "def");
  EXPECT_EQ(parts.size(), 10_B);
  EXPECT_EQ(taken(), "abcdefghij");
  EXPECT_EQ(parts.size(), 0_B);
}

/// An answer in chunks does not tell its length before it ends.
TEST_F(ReceivedPartsTest, AnAnswerUpToTheEndOfItsPartTellsItsSizeWhenItIsDone) {
  requests.add(
      {.id = RequestId{3}, .link = kWifi, .segment = segment(0), .range = {0_B, 10_B}, .sent = {}, .to_the_end = true});
  requests.add(
      {.id = RequestId{4}, .link = kLte, .segment = segment(0), .range = {0_B, 10_B}, .sent = {}, .to_the_end = true});
  comes(3, 0, "another version");  // which breaks off
  comes(4, 0, "abcd");
  comes(4, 4, "ef");
  parts.finish(RequestId{1});  // of which the other requests bring the rest
  EXPECT_EQ(parts.size(), 15_B);
  parts.finish(RequestId{4});
  EXPECT_EQ(taken(), "abcdef");
  parts.finish(RequestId{3});  // nobody wants it any more
}

/// An origin without an end: each segment that failed would keep what came.
TEST_F(ReceivedPartsTest, AFailedAnswerForAllOfAPartLeavesNothing) {
  for (unsigned id : {3U, 4U})
    requests.add({.id = RequestId{id},
                  .link = kWifi,
                  .segment = segment(0),
                  .range = {0_B, 10_B},
                  .sent = {},
                  .to_the_end = true});
  requests.remove(RequestId{1});
  requests.remove(RequestId{2});
  comes(3, 0, "abcd");
  parts.fail(RequestId{4});
  EXPECT_EQ(parts.size(), 4_B);  // the other one goes on
  requests.remove(RequestId{4});
  parts.fail(RequestId{3});
  EXPECT_EQ(parts.size(), 0_B);
}

TEST(ReceivedParts, AnEncryptedSegmentThatCannotBeDecryptedIsNamed) {
  Presentation presentation = constant_table(2, {16_B}).presentation();
  presentation.tracks[0].places = {{"a", std::nullopt, Cipher{}}, {"b", std::nullopt, Cipher{}}};
  const SegmentTable table{presentation};
  const OutstandingRequests requests;
  ReceivedParts parts{table, requests};
  parts.start({.segment = segment(1), .quality = {}, .size = 16_B, .throughput = {}, .reason = ""});
  EXPECT_THAT([&] { parts.take(segment(1)); },
              ::testing::ThrowsMessage<DecryptionError>(::testing::HasSubstr("segment 2 of")));
}

TEST_F(ReceivedPartsTest, FramesAreTakenWhileFurtherBytesCome) {
  const auto place = comes(1, 0, "abc");
  ASSERT_TRUE(place);
  EXPECT_TRUE(parts.is_picture(*place));
  EXPECT_TRUE(parts.others(segment(0)).empty());
  EXPECT_EQ(parts.picture(segment(0)).size(), 3U);
  const auto piece = parts.as_picture(segment(0), MediaBytes(2, std::byte{'x'}));
  EXPECT_EQ(piece.size, 2_B);
  EXPECT_EQ(piece.segment, segment(0));
  comes(1, 3, "def");
  comes(2, 6, "ghij");
  EXPECT_EQ(taken(), "abcdefghij");
}

TEST_F(ReceivedPartsTest, LeavesOutWhatNobodyWants) {
  requests.abandon(RequestId{1});
  EXPECT_FALSE(comes(1, 0, "xxxxxx"));
  EXPECT_FALSE(comes(7, 0, "xxxxxx"));
  EXPECT_EQ(taken(), "");
}

TEST_F(ReceivedPartsTest, WhatIsNotKeptStillHasASize) {
  ReceivedParts counted{table, requests, false};
  counted.start({.segment = segment(0), .quality = {}, .size = 10_B, .throughput = {}, .reason = ""});
  const std::string text = "ghij";
  counted.store({RequestId{2}, 6_B, std::as_bytes(std::span{text})});
  const auto media = counted.take(segment(0));
  EXPECT_EQ(media.at(0).size, 10_B);
  EXPECT_TRUE(media[0].bytes.empty());
}

std::int64_t resident_bytes() {
  std::ifstream statm{"/proc/self/statm"};
  std::int64_t all = 0, resident = 0;
  statm >> all >> resident;
  return resident * sysconf(_SC_PAGESIZE);
}

/// Of two links, one is asked for the beginning, the other one for the end.
TEST(ReceivedParts, AStatedSizeIsNoMemoryWhateverComesFirst) {
  constexpr DataSize kStated = 200_MB;
  const SegmentTable table = constant_table(1, {kStated});
  OutstandingRequests requests;
  requests.add(
      {.id = RequestId{1}, .link = kWifi, .segment = segment(0), .range = {kStated - 10_kB, kStated}, .sent = {}});
  ReceivedParts parts{table, requests};
  const std::int64_t before = resident_bytes();
  parts.start({.segment = segment(0), .quality = {}, .size = kStated, .throughput = {}, .reason = ""});
  parts.learn_size(RequestId{1}, kStated);
  const std::string text(10'000, 'x');
  EXPECT_TRUE(parts.store({RequestId{1}, kStated - 10_kB, std::as_bytes(std::span{text})}));
  EXPECT_LT(resident_bytes() - before, 100'000'000);  // the sanitizers count an eighth
}

TEST_F(ReceivedPartsTest, LeavesOutWhatComesForASegmentThatIsDelivered) {
  taken();
  EXPECT_FALSE(comes(2, 6, "ghij"));
}

}  // namespace
}  // namespace tributary
