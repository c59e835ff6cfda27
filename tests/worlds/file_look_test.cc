#include "worlds/file_look.hh"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <charconv>
#include <string>

#include "canned_responses.hh"
#include "faulty_origin.hh"

namespace tributary {
namespace {

using namespace literals;

constexpr std::int64_t kSize = 1'234;

/// An origin of one file, which is asked for ranges.
struct RangedOrigin {
  std::int64_t longest_question = 1 << 30, longest_answer = 1 << 30;  // bytes
  std::string refusal = "413 Content Too Large";
  bool tells_size = true, ranges = true;

  FaultyOrigin::Reply answer(const std::string& head) const {
    constexpr std::string_view kRange = "Range: bytes=";
    const std::size_t at = head.find(kRange);
    if (!ranges || at == std::string::npos) return {transport::response("200 OK", std::string(kSize, 'a'))};
    std::int64_t begin = 0, last = kSize - 1;
    const char* const end = head.data() + head.size();
    const char* const dash = std::from_chars(head.data() + at + kRange.size(), end, begin).ptr;
    std::from_chars(dash + 1, end, last);
    last = std::min(last, kSize - 1);
    if (begin >= kSize) return {transport::response("416 Range Not Satisfiable", "")};
    if (last - begin >= longest_question) return {transport::response(refusal, "")};
    last = std::min(last, begin + longest_answer - 1);
    const std::string total = tells_size ? fmt::format("{}", kSize) : "*";
    return {transport::response("206 Partial Content", std::string(static_cast<std::size_t>(last - begin + 1), 'a'),
                                fmt::format("Content-Range: bytes {}-{}/{}\r\n", begin, last, total))};
  }
  FileLook look() const {
    FaultyOrigin origin{[this](const std::string& head) { return answer(head); }};
    return look_at_file({fmt::format("http://127.0.0.1:{}/film.mp4", origin.port()), {"lo"}});
  }
};

TEST(FileLook, TheFirstAnswerTellsTheSize) {
  const FileLook look = RangedOrigin{}.look();
  EXPECT_EQ(look.size, DataSize{kSize});
  EXPECT_FALSE(look.refuses_large_ranges);
}

TEST(FileLook, FurtherQuestionsFindAnEndThatNoAnswerTells) {
  for (const std::int64_t most : {100, 1'000, 1'234, 10'000})
    EXPECT_EQ((RangedOrigin{.longest_answer = most, .tells_size = false}.look().size), DataSize{kSize}) << most;
}

TEST(FileLook, WhereALargeRangeIsRefusedOneByteTells) {
  for (const char* refusal : {"403 Forbidden", "413 Content Too Large", "503 Service Unavailable"}) {
    const FileLook look = RangedOrigin{.longest_question = 100, .refusal = refusal}.look();
    EXPECT_EQ(look.size, DataSize{kSize}) << refusal;
    EXPECT_TRUE(look.refuses_large_ranges) << refusal;
  }
}

TEST(FileLook, WithoutRangesASizeIsOfNoUse) { EXPECT_EQ(RangedOrigin{.ranges = false}.look().size, std::nullopt); }

}  // namespace
}  // namespace tributary
