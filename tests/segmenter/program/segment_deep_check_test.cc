#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

#include "child_process.hh"
#include "file_content.hh"
#include "presentation/json/json_index.hh"
#include "temporary_directory.hh"

namespace tributary::segmenter {
namespace {

namespace fs = std::filesystem;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;

using Words = std::vector<std::string>;

/// `check --deep` of a presentation that is encoded anew for each test.
class SegmentDeepCheck : public ::testing::Test {
 protected:
  /// A film of 3 s, of which picture and sound are sources of libavfilter.
  std::string make(const std::string& name, const std::string& picture = "testsrc2=s=160x90",
                   const std::string& sound = "aevalsrc='0.3*sin(6283*t)|0.2*sin(3141*t)':s=48000") {
    const std::string path = (scratch_.path() / name).string();
    must_run({FFMPEG, "-v",      "error",   "-y",        "-f",   "lavfi",     "-t", "3",
              "-i",   picture,   "-f",      "lavfi",     "-t",   "3",         "-i", sound,
              "-c:v", "libx264", "-preset", "ultrafast", "-c:a", "pcm_s16le", path});
    return path;
  }
  void encode(const std::string& film, Words options = {}) {
    options.insert(options.begin(), {TRIBUTARY_SEGMENT, film, "-o", out_.string(), "--ladder",
                                     "low=60k@80x44,high=300k", "--segment", "1s", "--force", "-q"});
    must_run(options);
  }
  Outcome check(Words options = {}) {
    options.insert(options.begin(), {TRIBUTARY_SEGMENT, "check", "--deep", out_.string()});
    return run(options);
  }

  TemporaryDirectory scratch_;
  fs::path out_ = scratch_.path() / "out";
};

TEST_F(SegmentDeepCheck, WhatWasEncodedIsLikeItsSource) {
  const std::string film = make("film.mkv");
  for (const Words& options :
       {Words{}, Words{"--audio-codec", "opus", "--audio", "24k"}, Words{"--single-file", "--chunk", "200ms"}}) {
    SCOPED_TRACE(::testing::PrintToString(options));
    encode(film, options);
    for (const Words& how : {Words{}, Words{"--source", film}}) {
      const Outcome outcome = check(how);
      EXPECT_EQ(outcome.exit_code, 0) << outcome.out << outcome.error;
      EXPECT_THAT(outcome.out, HasSubstr("all as they should be"));
    }
  }
}

TEST_F(SegmentDeepCheck, DamageIsFoundInItsSegment) {
  encode(make("film.mkv"));
  const auto damage = [&](const std::string& name, std::size_t at) {
    std::string bytes = content_of(out_ / name);
    ASSERT_GT(bytes.size(), at + 40);
    for (std::size_t i = at; i < at + 40; ++i) bytes[i] = static_cast<char>(~bytes[i]);
    std::ofstream{out_ / name, std::ios::binary} << bytes;
  };
  damage("high/00002.m4s", content_of(out_ / "high/00002.m4s").size() / 2);
  damage("audio/00003.m4s", content_of(out_ / "audio/00003.m4s").size() / 2);
  EXPECT_EQ(run({TRIBUTARY_SEGMENT, "check", out_.string()}).exit_code, 0);
  const Outcome outcome = check();
  EXPECT_EQ(outcome.exit_code, 5);
  EXPECT_THAT(outcome.out, ContainsRegex("(^|\n)high/00002.m4s: a frame (is damaged|cannot be decoded)\n"));
  EXPECT_THAT(outcome.out, ContainsRegex("(^|\n)audio/00003.m4s: a frame (is damaged|cannot be decoded)\n"));
  EXPECT_EQ(std::count(outcome.out.begin(), outcome.out.end(), '\n'), 2) << outcome.out;
}

TEST_F(SegmentDeepCheck, AnotherSourceIsToldByLevelSpectrumAndPictures) {
  encode(make("film.mkv"));
  const std::string picture = "testsrc2=s=160x90";
  const auto compared = [&](const std::string& source) {
    const Outcome outcome = check({"--source", source});
    EXPECT_EQ(outcome.exit_code, 5) << source;
    return outcome.out;
  };
  EXPECT_THAT(compared(make("silent.mkv", picture, "anullsrc=r=48000:cl=stereo")),
              ContainsRegex("audio/00001.m4s: channel 1 is at -1[0-9] dB, but the source at -120 dB"));
  EXPECT_THAT(compared(make("octave.mkv", picture, "aevalsrc='0.3*sin(12566*t)|0.2*sin(6283*t)':s=48000")),
              ContainsRegex("audio/00002.m4s: channel 1 is at -1[0-9] dB up to 1000 Hz, but the source at "));
  EXPECT_THAT(compared(make("right.mkv", picture, "aevalsrc='0.3*sin(6283*t)|0.01*sin(3141*t)':s=48000")),
              ContainsRegex("audio/00003.m4s: channel 2 is at -1[0-9] dB, but the source at -[34][0-9] dB"));
  for (const char* const other :
       {"testsrc2=s=160x90,hflip,vflip", "color=black:s=160x90", "testsrc2=s=160x90,hue=h=120"}) {
    SCOPED_TRACE(other);
    const std::string found = compared(make("other.mkv", other));
    EXPECT_THAT(found,
                ContainsRegex("low/00001.m4s: its pictures are not those of the source: they differ by [0-9]+ of 255"));
    EXPECT_THAT(found, HasSubstr("high/00003.m4s: its pictures"));
    EXPECT_THAT(found, ::testing::Not(HasSubstr("audio/")));
  }
}

TEST_F(SegmentDeepCheck, ASourceGoesWithDeepAndWithWhatIsNotLive) {
  encode(make("film.mkv"));
  EXPECT_EQ(run({TRIBUTARY_SEGMENT, "check", "--source", "film.mkv", out_.string()}).exit_code, 2);
  EXPECT_THAT(check({"--source", "none.mkv"}).error, HasSubstr("cannot open none.mkv"));
}

}  // namespace
}  // namespace tributary::segmenter
