#include "transport/documents/end_search.hh"

#include <gtest/gtest.h>

#include <algorithm>

namespace tributary::transport {
namespace {

using namespace literals;

/// Asks a server that answers each question with at most `most` bytes of an object.
struct Searched {
  std::optional<DataSize> found;
  int questions = 0;
};
Searched search(DataSize object, DataSize most) {
  const auto answer = [&](DataSize from) { return ByteRange{from, std::min(from + most, object)}; };
  EndSearch end{answer(0_B)};
  Searched searched;
  while (const auto from = end.next()) {
    ++searched.questions;
    *from < object ? end.brought(answer(*from)) : end.nothing_is_there();
  }
  searched.found = end.size();
  return searched;
}

TEST(EndSearch, OneQuestionDoesWhereAnAnswerHasAll) {
  const Searched searched = search(8_MB, 1'000_MB);
  EXPECT_EQ(searched.found, 8_MB);
  EXPECT_EQ(searched.questions, 1);
}

TEST(EndSearch, FindsTheEndOfWhateverAServerAnswersInPieces) {
  for (const std::int64_t size : {1, 2, 99, 100, 101, 200, 201, 12'345, 99'999'999}) {
    for (const std::int64_t most : {1, 7, 100, 4096, 1'000'000}) {
      const Searched searched = search(DataSize{size}, DataSize{most});
      EXPECT_EQ(searched.found, DataSize{size}) << size << " in pieces of " << most;
      EXPECT_LE(searched.questions, 56) << size << " in pieces of " << most;
    }
  }
  EXPECT_LE(search(8_MB, 100_kB).questions, 16);
}

TEST(EndSearch, AnObjectThatGrowsHasNoEnd) {
  EndSearch end{{0_B, 100_B}};
  int questions = 0;
  for (; const auto from = end.next(); ++questions)
    questions % 2 == 0 ? end.nothing_is_there() : end.brought({*from, *from + 100_B});
  EXPECT_LE(questions, 60);
}

}  // namespace
}  // namespace tributary::transport
