#include "transport/http/response_check.hh"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <deque>
#include <string>
#include <vector>

#include "transport/http/range_answer.hh"

namespace tributary::transport {
namespace {

using namespace literals;
using ::testing::HasSubstr;

/// Of a segment whose size nobody knows, and which is kept in memory.
RangeRequest first_bytes() {
  return {.id = RequestId{1}, .target = "/1.ts", .range = {0_B, 100_B}, .open = true, .largest = 1_MB, .longest = 1_MB};
}

ResponseHead partial(const std::string& content_range, std::int64_t length) {
  return {.status = 206, .content_length = DataSize{length}, .content_range = content_range};
}

ResponseHead whole(std::optional<DataSize> length) {
  return {.status = 200, .content_length = length, .delimited = !length};
}

/// The words of the rejection; empty: the answer is good.
std::string rejected(const RangeRequest& request, const ResponseHead& head) {
  const auto checked = check_response(request, head);
  const auto* const rejection = std::get_if<Rejection>(&checked);
  if (rejection == nullptr) return "";
  EXPECT_EQ(rejection->reason, FailureReason::kProtocol);
  return rejection->detail;
}

TEST(ResponseCheck, AFileThatIsLargerThanItMayBeIsRefusedByItsHead) {
  EXPECT_EQ(rejected(first_bytes(), partial("bytes 0-99/1000000", 100)), "");
  EXPECT_THAT(rejected(first_bytes(), partial("bytes 0-99/6000000000", 100)),
              HasSubstr("a file of 6000000000 bytes, where at most 1000000"));
}

TEST(ResponseCheck, AFileWithoutASizeThatGoesOnForEverEndsWhereItMustEnd) {
  RangeRequest request = first_bytes();
  EXPECT_EQ(rejected(request, partial("bytes 0-99/*", 100)), "");
  request.range = {1_MB - 50_B, 1_MB + 50_B};
  EXPECT_THAT(rejected(request, partial("bytes 999950-1000049/*", 100)), HasSubstr("1000050 bytes"));
}

/// Of a film that is one file, only the front is brought.
TEST(ResponseCheck, TheFrontOfAFileMayBeThatOfALargeOne) {
  RangeRequest request = first_bytes();
  request.largest.reset();
  EXPECT_EQ(rejected(request, partial("bytes 0-99/6000000000", 100)), "");
  request.stands_alone = true;
  EXPECT_THAT(rejected(request, whole(6'000_MB)), HasSubstr("a body of 6000000000 bytes"));
}

TEST(ResponseCheck, AKnownRangeOfALargeFileIsAsked) {
  RangeRequest request = first_bytes();
  request.open = false;
  EXPECT_EQ(rejected(request, partial("bytes 0-99/6000000000", 100)), "");
}

TEST(ResponseCheck, ABodyWithoutALengthIsGivenOutUpToWhatMayBeKept) {
  RangeRequest request = first_bytes();
  request.stands_alone = true;
  std::deque<Event> events;
  RangeAnswer answer{request, events};
  FileVersions versions;
  ASSERT_FALSE(answer.on_head(whole(std::nullopt), versions));
  const std::vector<std::byte> half(500'000);
  EXPECT_TRUE(answer.on_body(half));
  EXPECT_TRUE(answer.on_body(half));
  EXPECT_FALSE(answer.on_body(std::span{half}.first(1)));
  EXPECT_TRUE(answer.rejected());
  const auto* const failed = std::get_if<RequestFailed>(&events.back());
  ASSERT_NE(failed, nullptr);
  EXPECT_EQ(failed->reason, FailureReason::kProtocol);
  EXPECT_THAT(failed->detail, HasSubstr("more than the 1000000 bytes"));
}

}  // namespace
}  // namespace tributary::transport
