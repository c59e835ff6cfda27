#include "segmenter/progress.hh"

#include <gtest/gtest.h>
#include <unistd.h>

#include <array>

namespace tributary::segmenter {
namespace {

using namespace std::chrono_literals;
using namespace tributary::literals;

/// What a report writes for one update after each of the given times.
std::string shown(ProgressReport::Mode mode, std::initializer_list<Duration> times) {
  std::FILE* const out = std::tmpfile();
  {
    ProgressReport report{mode, out};
    for (const Duration time : times) report.update({0, time, std::nullopt, 1, time});
  }
  std::rewind(out);
  std::array<char, 4096> text{};
  const std::size_t length = std::fread(text.data(), 1, text.size(), out);
  std::fclose(out);
  return {text.data(), length};
}

TEST(Progress, SaysHowFarAndHowFastAndHowLong) {
  EXPECT_EQ(progress_line({1500, 60s, 240s, 30, 20s}),
            "25.0 %  segment 30  00:01:00/00:04:00  75 fps  3.0x  ETA 00:01:00");
}

TEST(Progress, SaysTheRatesOfTheQualities) {
  EXPECT_EQ(progress_line({1500, 60s, std::nullopt, 30, 20s, 0, {{"low", 748_kbps}, {"high", 2140_kbps}}}),
            "segment 30  00:01:00  75 fps  3.0x  low 748k  high 2140k");
}

TEST(Progress, SaysNoMoreThanIsKnown) {
  EXPECT_EQ(progress_line({1500, 60s, std::nullopt, 30, 20s}), "segment 30  00:01:00  75 fps  3.0x");
  EXPECT_EQ(progress_line({0, 0s, 240s, 0, 0s}), "0.0 %  segment 0  00:00:00/00:04:00  0 fps  0.0x  ETA --:--:--");
}

TEST(Progress, AnInputThatIsLongerThanItSaysStaysAtAHundredPercent) {
  EXPECT_EQ(progress_line({1500, 61s, 60s, 31, 20s}),
            "100.0 %  segment 31  00:01:01/00:01:00  75 fps  3.0x  ETA 00:00:00");
}

TEST(Progress, WithoutATerminalThereIsALineEveryTenSeconds) {
  EXPECT_EQ(shown(ProgressReport::Mode::kPeople, {1s, 9s, 10s, 11s, 19s, 21s}),
            "segment 1  00:00:10  0 fps  1.0x\nsegment 1  00:00:21  0 fps  1.0x\n");
}

TEST(Progress, QuietIsQuiet) { EXPECT_EQ(shown(ProgressReport::Mode::kNone, {1s, 100s}), ""); }

}  // namespace
}  // namespace tributary::segmenter
