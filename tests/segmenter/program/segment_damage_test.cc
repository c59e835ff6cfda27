#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <random>

#include "child_process.hh"
#include "clip.hh"
#include "file_content.hh"
#include "temporary_directory.hh"

namespace tributary::segmenter {
namespace {

namespace fs = std::filesystem;

constexpr int kVariants = 34;  // of each container
constexpr const char* kLongestSeconds = "30";
constexpr int kTimedOut = 124;

/// Random numbers that are the same everywhere.
class Dice {
 public:
  explicit Dice(unsigned seed) : engine_{seed} {}
  std::size_t below(std::size_t limit) { return engine_() % limit; }

 private:
  std::mt19937 engine_;
};

void flip(std::string& bytes, std::size_t begin, std::size_t end, std::size_t count, Dice& dice) {
  for (std::size_t i = 0; i < count; ++i) {
    char& byte = bytes[begin + dice.below(end - begin)];
    byte = static_cast<char>(byte ^ static_cast<int>(1 + dice.below(255)));
  }
}

/// One kind of damage for each residue of the seed.
std::string damaged(std::string bytes, unsigned seed) {
  Dice dice{seed};
  const std::size_t size = bytes.size(), edge = size / 16;
  switch (seed % 6) {
    case 0:
      bytes.resize(1 + dice.below(size));
      break;
    case 1:
      flip(bytes, 0, size, 1 + dice.below(size / 50), dice);
      break;
    case 2:
      flip(bytes, 0, edge, 1 + dice.below(8), dice);
      break;  // where most containers have their tables,
    case 3:
      flip(bytes, size - edge, size, 1 + dice.below(8), dice);
      break;  // and where the others have
    case 4:
      bytes.erase(dice.below(size), 1 + dice.below(size / 4));
      break;
    default: {
      const std::size_t begin = dice.below(size);
      const std::size_t length = std::min(size - begin, 1 + dice.below(size / 4));
      bytes.replace(begin, length, length, '\0');
    }
  }
  return bytes;
}

class SegmentDamage : public ::testing::TestWithParam<std::string> {};

/// Nothing crashes, hangs, or leaves what looks complete and is not.
TEST_P(SegmentDamage, EndsWithAnErrorOrAGoodPresentation) {
  const TemporaryDirectory scratch;
  const std::string whole = content_of(make_clip(
      scratch.path(), {.pictures = 30, .sound_codec = "aac", .picture_filter = "scale=96:54", .name = GetParam()}));
  const fs::path input = scratch.path() / "damaged", output = scratch.path() / "out";
  int finished = 0, refused = 0;
  for (unsigned seed = 0; seed < kVariants; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::ofstream{input, std::ios::binary} << damaged(whole, seed);
    const Outcome outcome = run({TIMEOUT, kLongestSeconds, TRIBUTARY_SEGMENT, input.string(), "-o", output.string(),
                                 "--segment", "1s", "--ladder", "low=60k", "--preset", "ultrafast", "--quiet"});
    EXPECT_NE(outcome.exit_code, kTimedOut);
    if (outcome.exit_code == 0) {
      ++finished;
      const Outcome checked = run({TIMEOUT, kLongestSeconds, TRIBUTARY_SEGMENT, "check", output.string()});
      EXPECT_EQ(checked.exit_code, 0) << checked.out << checked.error;
    } else {
      ++refused;
      EXPECT_THAT(outcome.exit_code, ::testing::AnyOf(1, 3)) << outcome.error;
      EXPECT_THAT(outcome.error, ::testing::StartsWith("tributary-segment: "));
      for (const char* name : {"index.json", "manifest.mpd", "master.m3u8"})
        EXPECT_FALSE(fs::exists(output / name)) << name;
    }
    fs::remove_all(output);
  }
  EXPECT_GT(finished, 0);  // or the damage is too much to prove anything
  EXPECT_GT(refused, 0);
}

INSTANTIATE_TEST_SUITE_P(Containers, SegmentDamage, ::testing::Values("clip.mp4", "clip.mkv", "clip.ts"),
                         [](const auto& container) { return container.param.substr(container.param.find('.') + 1); });

}  // namespace
}  // namespace tributary::segmenter
