#include "proxy/requests/file_head.hh"

#include <gtest/gtest.h>

namespace tributary::proxy {
namespace {

using namespace literals;
using Phase = IncomingFile::Phase;
using Progress = IncomingFile::Progress;

FileQuestion range(const std::string& value) { return {.range = value}; }

Progress coming(std::optional<DataSize> size, bool begun) {
  Progress progress;
  progress.size = size;
  progress.begun = begun;
  return progress;
}
Progress complete(DataSize size) {
  Progress progress = coming(size, size > 0_B);
  progress.phase = Phase::kComplete;
  progress.there = size;
  return progress;
}
Progress failed(unsigned status) {
  Progress progress;
  progress.phase = Phase::kFailed;
  progress.status = status;
  return progress;
}

TEST(FileHead, WaitsForTheFirstByteOfAnyPlace) {
  EXPECT_FALSE(file_head(coming({}, false), {}));
  EXPECT_FALSE(file_head(coming(10_B, false), {}));
  const auto head = file_head(coming(10_B, true), {});
  ASSERT_TRUE(head);
  EXPECT_EQ(head->status, 200u);
  EXPECT_EQ(field(head->fields, "Content-Length"), "10");
  EXPECT_EQ(head->end, 10_B);
  EXPECT_TRUE(head->has_body());
}

TEST(FileHead, NeedsNoByteForHead) {
  EXPECT_EQ(field(file_head(coming(10_B, false), {.head_only = true})->fields, "Content-Length"), "10");
  EXPECT_FALSE(file_head(coming({}, false), {.head_only = true}));
  const auto unknown = file_head(coming({}, true), {.head_only = true});
  EXPECT_EQ(count_fields(unknown->fields, "Content-Length"), 0);
  EXPECT_FALSE(unknown->has_body());
}

TEST(FileHead, TellsTheEndInAnotherWayWhereNobodyKnowsTheSize) {
  EXPECT_EQ(file_head(coming({}, true), {})->framing, Framing::kChunks);
  EXPECT_EQ(file_head(coming({}, true), {})->end, std::nullopt);
  EXPECT_EQ(file_head(coming({}, true), {.http_1_0 = true})->framing, Framing::kClose);
  EXPECT_EQ(file_head(coming({}, true), range("bytes=0-"))->status, 200u);
  EXPECT_FALSE(file_head(coming({}, true), range("bytes=0-5")));
  EXPECT_FALSE(file_head(coming({}, true), range("bytes=-5")));
  EXPECT_FALSE(file_head(coming({}, true), {.part = FilePart{.begin = 5_B, .whole = {}}}));
}

TEST(FileHead, TellsWhereARangeIs) {
  const auto head = file_head(complete(10_B), range("bytes=2-4"));
  EXPECT_EQ(head->status, 206u);
  EXPECT_EQ(head->begin, 2_B);
  EXPECT_EQ(head->end, 5_B);
  EXPECT_EQ(field(head->fields, "Content-Range"), "bytes 2-4/10");
  EXPECT_EQ(field(head->fields, "Content-Length"), "3");
  const auto none = file_head(complete(10_B), range("bytes=10-"));
  EXPECT_EQ(none->status, 416u);
  EXPECT_EQ(field(none->fields, "Content-Range"), "bytes */10");
  EXPECT_FALSE(none->has_body());
}

TEST(FileHead, PlacesAPartInTheLargerFile) {
  const auto head = file_head(complete(10_B), {.range = "bytes=5-14", .part = FilePart{.begin = 5_B, .whole = {}}});
  EXPECT_EQ(head->status, 206u);
  EXPECT_EQ(head->begin, 0_B);
  EXPECT_EQ(head->end, 10_B);
  EXPECT_EQ(field(head->fields, "Content-Range"), "bytes 5-14/*");
  EXPECT_EQ(file_head(complete(0_B), {.part = FilePart{.begin = 5_B, .whole = {}}})->status, 502u);
}

TEST(FileHead, BeginsAnOpenPartThatIsStillMade) {
  const auto open =
      file_head(coming({}, true), {.range = "bytes=5-", .part = FilePart{.begin = 5_B, .whole = {}, .open = true}});
  EXPECT_EQ(open->status, 206u);
  EXPECT_EQ(open->framing, Framing::kChunks);
  EXPECT_EQ(field(open->fields, "Content-Range"), "bytes 5-9007199254740991/*");
  EXPECT_FALSE(file_head(coming({}, true), {.range = "bytes=5-14", .part = FilePart{.begin = 5_B, .whole = {}}}));
}

TEST(FileHead, TellsOfAFailureWithAStatusOfFailures) {
  EXPECT_EQ(file_head(failed(404), {})->status, 404u);
  EXPECT_EQ(file_head(failed(0), {})->status, 502u);
  EXPECT_EQ(file_head(failed(200), {})->status, 502u);
  EXPECT_FALSE(file_head(failed(404), {})->has_body());
}

TEST(FileHead, KnowsEmptyFiles) {
  const auto head = file_head(complete(0_B), {});
  EXPECT_EQ(head->status, 200u);
  EXPECT_EQ(field(head->fields, "Content-Length"), "0");
  EXPECT_FALSE(head->has_body());
}

}  // namespace
}  // namespace tributary::proxy
