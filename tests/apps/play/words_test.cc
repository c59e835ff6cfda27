#include "apps/play/words.hh"

#include <gtest/gtest.h>

#include "apps/play/play_options.hh"
#include "apps/play/track_names.hh"
#include "made_up_title.hh"

namespace tributary::play {
namespace {

using namespace literals;
using std::chrono::milliseconds;
using std::chrono::seconds;

TEST(Words, Times) {
  EXPECT_EQ(clock_text(seconds{0}), "0:00");
  EXPECT_EQ(clock_text(milliseconds{59'999}), "0:59");
  EXPECT_EQ(clock_text(seconds{754}), "12:34");
  EXPECT_EQ(clock_text(seconds{3723}), "1:02:03");
  EXPECT_EQ(clock_text(seconds{-4}), "0:00");
  EXPECT_EQ(span_text(milliseconds{2340}), "2.3 s");
  EXPECT_EQ(span_text(seconds{48}), "48 s");
  EXPECT_EQ(span_text(seconds{180}), "3 min");
}

TEST(Words, Rates) {
  EXPECT_EQ(rate_text(640_kbps), "640 kbit/s");
  EXPECT_EQ(rate_text(3940_kbps), "3.9 Mbit/s");
  EXPECT_EQ(rate_text(120_Mbps), "120 Mbit/s");
  EXPECT_EQ(speed_text(1.0), "1.0×");
  EXPECT_EQ(speed_text(1.1), "1.1×");
  EXPECT_EQ(speed_text(1.25), "1.25×");
}

TEST(Words, HowManyLinksCarryIt) {
  EXPECT_EQ(summary_text({}), "No link leads to the server");
  const auto summary = [](const char* title) {
    return summary_text(
        testing::MadeUpTitle{std::string{"http://made.up/"} + title + "/index.json"}.status(seconds{1}, {}));
  };
  EXPECT_EQ(summary("two-links"), "2 links carry this video together");
  EXPECT_EQ(summary("dead-link"), "Mobile network carries this video alone");
  EXPECT_EQ(summary("stalled"), "No link works at the moment");
  StreamStatus alike = testing::MadeUpTitle{"http://made.up/dead-link/index.json"}.status(seconds{1}, {});
  alike.links[0].kind = alike.links[1].kind;
  EXPECT_EQ(summary_text(alike), "wwan0 carries this video alone");
}

TEST(Words, AStallThatLasts) {
  const TimePoint now{seconds{100}};
  EXPECT_EQ(
      stall_time_text({.at = TimePoint{seconds{90}}, .length = seconds{4}, .over = true, .why = ""}, now),
      "6.0 s ago, for 4.0 s");
  EXPECT_EQ(
      stall_time_text({.at = TimePoint{seconds{97}}, .length = seconds{3}, .over = false, .why = ""}, now),
      "now, for 3.0 s so far");
}

TEST(TrackNames, NoTwoOfAKindAreCalledTheSame) {
  StreamInfo info = testing::MadeUpTitle{"http://made.up/two-links/index.json"}.info();
  EXPECT_EQ(track_names(info).qualities, (std::vector<std::string>{"240p", "480p", "720p", "1080p"}));
  EXPECT_EQ(track_names(info).sounds[1].name, "German");
  info.presentation.tracks[5].language = "en-GB";
  info.presentation.tracks[1].height = 720;
  EXPECT_EQ(track_names(info).sounds[1].name, "English · audio-2");
  EXPECT_EQ(track_names(info).qualities[1], "720p · medium");
  info.presentation.tracks[5].language = "";
  EXPECT_EQ(track_names(info).sounds[1].name, "audio-2");
}

TEST(PlayOptions, Positions) {
  EXPECT_EQ(parse_position("90"), seconds{90});
  EXPECT_EQ(parse_position("12:34"), seconds{754});
  EXPECT_EQ(parse_position("1:02:03.5"), milliseconds{3'723'500});
  for (const char* wrong : {"", ":", "1:", "1:60", "1:2:3:4", "-1", "1.5:00", "a", "1e9", "99999999"}) {
    EXPECT_THROW(parse_position(wrong), std::invalid_argument) << wrong;
  }
}

}  // namespace
}  // namespace tributary::play
