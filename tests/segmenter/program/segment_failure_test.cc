#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <fstream>
#include <thread>

#include "child_process.hh"
#include "clip.hh"
#include "file_content.hh"
#include "temporary_directory.hh"

namespace tributary::segmenter {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;
using ::testing::HasSubstr;
using ::testing::Not;

std::size_t temporary_files_in(const fs::path& directory) {
  std::size_t count = 0;
  for (const auto& entry : fs::recursive_directory_iterator(directory)) count += entry.path().extension() == ".tmp";
  return count;
}

Outcome segment(const std::vector<std::string>& arguments) {
  std::vector<std::string> command{TRIBUTARY_SEGMENT};
  command.insert(command.end(), arguments.begin(), arguments.end());
  return run(command);
}

TEST(SegmentFailure, UsageIsExit2) {
  const TemporaryDirectory scratch;
  const std::string out = (scratch.path() / "out").string();
  for (const std::vector<std::string>& arguments : std::vector<std::vector<std::string>>{
           {},
           {"clip.mp4"},
           {"-o", out},
           {"clip.mp4", "-o", out, "--synthetic", "thesis"},
           {"clip.mp4", "-o", out, "--no-such-option"},
           {"check"},
           {"live", "lavfi:testsrc"},
           {"live", "lavfi:testsrc", "-o", out, "--loop"},
           {"live", "lavfi:testsrc", "-o", out, "--window", "1"},
           {"live", "lavfi:testsrc", "-o", out, "--reconnect", "soon"},
           {"replay", out},
           {"clip.mp4", "check", out},
           {"-o", out, "check", out},
           {"clip.mp4", "-o", out, "--ladder", "low"},
           {"clip.mp4", "-o", out, "--segment", "0s"},
           {"clip.mp4", "-o", out, "--segment", "two"},
           {"clip.mp4", "-o", out, "--preset", "placid"},
           {"clip.mp4", "-o", out, "--codec", "mpeg2"},
           {"clip.mp4", "-o", out, "--audio-codec", "mp3"},
           {"clip.mp4", "-o", out, "--codec", "hevc", "--frame-index"},
           {"live", "lavfi:testsrc", "-o", out, "--codec", "av1"},
           {"clip.mp4", "-o", out, "--audio", "1k"},
           {"--synthetic", "thesis:x", "-o", out},
           {"--synthetic", "thesis", "--segments", "9", "-o", out},
           {"--synthetic", "thesis", "-o", out, "--ladder", "low=100k"},
           {"clip.mp4", "-o", out, "--segments", "20"},
           {"--join", out, "-o", out, "--single-file"},
       }) {
    const Outcome outcome = segment(arguments);
    EXPECT_EQ(outcome.exit_code, 2) << ::testing::PrintToString(arguments);
    EXPECT_NE(outcome.error, "");
    EXPECT_FALSE(fs::exists(out));
  }
}

/// A service that encodes what others have sent would publish another film of its disk.
TEST(SegmentFailure, AnUploadThatIsAPlaylistLeadsToNoOtherFile) {
  const TemporaryDirectory scratch;
  make_clip(scratch.path(), {.sound_codec = "aac", .name = "private.ts"});
  const fs::path upload = scratch.path() / "upload.mp4", out = scratch.path() / "out";
  for (const char* const text : {"#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXTINF:2,\nprivate.ts\n#EXT-X-ENDLIST\n",
                                 "ffconcat version 1.0\nfile private.ts\n"}) {
    std::ofstream{upload} << text;
    const Outcome outcome = segment({upload.string(), "-o", out.string()});
    EXPECT_EQ(outcome.exit_code, 1);
    EXPECT_THAT(outcome.error, HasSubstr("may lead to other files"));
    EXPECT_FALSE(fs::exists(out));
  }
  const fs::path named = scratch.path() / "parts.ffconcat";
  std::ofstream{named} << "ffconcat version 1.0\nfile private.ts\n";
  EXPECT_EQ(segment({named.string(), "-o", out.string(), "--ladder", "low=64k"}).exit_code, 0);
}

TEST(SegmentFailure, InputThatCannotBeUsedIsExit1AndNamed) {
  const TemporaryDirectory scratch;
  const fs::path out = scratch.path() / "out";
  const Outcome missing = segment({"no-such-file.mp4", "-o", out.string()});
  EXPECT_EQ(missing.exit_code, 1);
  EXPECT_EQ(missing.error, "tributary-segment: cannot open no-such-file.mp4: No such file or directory\n");

  const fs::path text = scratch.path() / "letter.doc";
  std::ofstream{text} << std::string(5000, 'x');
  EXPECT_EQ(segment({text.string(), "-o", out.string()}).exit_code, 1);

  const fs::path sound = scratch.path() / "sound.wav";
  ASSERT_EQ(run({FFMPEG, "-v", "error", "-f", "lavfi", "-i", "sine=d=1", sound.string()}).exit_code, 0);
  const Outcome no_picture = segment({sound.string(), "-o", out.string()});
  EXPECT_EQ(no_picture.exit_code, 1);
  EXPECT_THAT(no_picture.error, HasSubstr("sound.wav has no picture"));
  EXPECT_FALSE(fs::exists(out)) << "nothing is written for an input that cannot be used";
}

TEST(SegmentFailure, WhyALibraryRefusesIsSaid) {
  const TemporaryDirectory scratch;
  const fs::path clip = make_clip(scratch.path(), {.pictures = 30});
  const std::string out = (scratch.path() / "out").string();
  const fs::path encrypted = scratch.path() / "encrypted.mp4", begun = scratch.path() / "begun.mp4";
  const std::string key(32, '7');
  ASSERT_EQ(run({FFMPEG, "-v", "error", "-i", clip.string(), "-an", "-c:v", "libx264", "-encryption_scheme",
                 "cenc-aes-ctr", "-encryption_key", key, "-encryption_kid", key, encrypted.string()})
                .exit_code,
            0);
  const Outcome secret = segment({encrypted.string(), "-o", out});
  EXPECT_EQ(secret.exit_code, 1);
  EXPECT_THAT(secret.error, HasSubstr("encrypted.mp4 is encrypted"));

  const std::string content = content_of(encrypted);
  std::ofstream{begun, std::ios::binary} << content.substr(0, content.size() / 3);
  const Outcome cut = segment({begun.string(), "-o", out});
  EXPECT_EQ(cut.exit_code, 1);
  EXPECT_THAT(cut.error, HasSubstr("(moov atom not found)"));
}

TEST(SegmentFailure, WhatIsSecretInAnAddressIsNotSaid) {
  const TemporaryDirectory scratch;
  const Outcome outcome =
      segment({"http://me:secret@127.0.0.1:1/film.mp4?token=secret", "-o", (scratch.path() / "out").string()});
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_THAT(outcome.error, HasSubstr("cannot open http://...@127.0.0.1:1/film.mp4?...: Connection refused"));
  EXPECT_THAT(outcome.error, Not(HasSubstr("secret")));
}

TEST(SegmentFailure, OtherOptionsMayFollowWhereNoSectionIsComplete) {
  const TemporaryDirectory scratch;
  const fs::path clip = make_clip(scratch.path(), {});
  const fs::path out = scratch.path() / "out";
  ChildProcess program{
      {TRIBUTARY_SEGMENT, clip.string(), "-o", out.string(), "--ladder", "low=300k", "--audio", "none"},
      {.feed_input = false, .largest_file = 20000}};
  ASSERT_EQ(program.wait().exit_code, 4);
  ASSERT_TRUE(fs::exists(out / ".unfinished"));
  const Outcome other = segment({clip.string(), "-o", out.string(), "--ladder", "small=60k"});
  EXPECT_EQ(other.exit_code, 0) << other.error;
  EXPECT_EQ(segment({"check", out.string()}).exit_code, 0);
  EXPECT_FALSE(fs::exists(out / ".unfinished"));
}

TEST(SegmentFailure, ADirectoryInUseIsNotTouchedWithoutForce) {
  const TemporaryDirectory scratch;
  const fs::path clip = make_clip(scratch.path(), {.pictures = 30});
  const std::string out = (scratch.path() / "out").string();
  const std::vector<std::string> arguments{clip.string(), "-o", out, "--ladder", "low=60k"};
  EXPECT_EQ(segment(arguments).exit_code, 0);
  const Outcome again = segment(arguments);
  EXPECT_EQ(again.exit_code, 2);
  EXPECT_THAT(again.error, HasSubstr("out is not empty: use --force"));
  std::vector<std::string> forced = arguments;
  forced.emplace_back("--force");
  EXPECT_EQ(segment(forced).exit_code, 0);
}

TEST(SegmentFailure, AFullDiskIsExit4WithTheFileNamed) {
  const TemporaryDirectory scratch;
  const fs::path clip = make_clip(scratch.path(), {});
  const fs::path out = scratch.path() / "out";
  ChildProcess program{
      {TRIBUTARY_SEGMENT, clip.string(), "-o", out.string(), "--ladder", "low=300k", "--audio", "none"},
      {.feed_input = false, .largest_file = 20000}};
  const Outcome outcome = program.wait();
  EXPECT_EQ(outcome.exit_code, 4);
  EXPECT_THAT(outcome.error, HasSubstr("cannot write " + (out / "low/00001.m4s").string()));
  EXPECT_FALSE(fs::exists(out / "index.json") || fs::exists(out / "manifest.mpd"));
  EXPECT_EQ(temporary_files_in(out), 0u);
}

TEST(SegmentFailure, LiveAFullDiskIsExit4AndWhatIsListedIsThere) {
  const TemporaryDirectory scratch;
  const fs::path out = scratch.path() / "out";
  // The first two segments are flat and small; noise does not fit.
  ChildProcess program{{TRIBUTARY_SEGMENT, "live",
                        "lavfi:color=gray:s=160x90:r=25:d=8,geq=lum='if(lt(T,0.6),128,random(1)*255)':cb=128:cr=128",
                        "-o", out.string(), "--segment", "200ms", "--ladder", "low=900k", "--audio", "none", "-q"},
                       {.feed_input = false, .largest_file = 8000}};
  const Outcome outcome = program.wait();
  EXPECT_EQ(outcome.exit_code, 4);
  EXPECT_THAT(outcome.error, HasSubstr("cannot write " + (out / "low/0000").string()));
  EXPECT_EQ(temporary_files_in(out), 0u);
  const Outcome checked = segment({"check", out.string()});
  EXPECT_EQ(checked.exit_code, 0) << checked.out;
  EXPECT_THAT(content_of(out / "index.json"), HasSubstr("\"complete\":false"));
}

TEST(SegmentFailure, AFullDiskLeavesNoSingleFile) {
  const TemporaryDirectory scratch;
  const fs::path clip = make_clip(scratch.path(), {});
  const fs::path out = scratch.path() / "out";
  ChildProcess program{{TRIBUTARY_SEGMENT, clip.string(), "-o", out.string(), "--ladder", "low=300k", "--audio", "none",
                        "--single-file"},
                       {.feed_input = false, .largest_file = 20000}};
  const Outcome outcome = program.wait();
  EXPECT_EQ(outcome.exit_code, 4);
  EXPECT_THAT(outcome.error, HasSubstr("cannot write " + (out / "low/00001.m4s").string()));
  EXPECT_FALSE(fs::exists(out / "index.json") || fs::exists(out / "low/media.mp4"));
  EXPECT_EQ(temporary_files_in(out), 0u);
}

/// Feeds a clip, does not say that it is over, and waits for the first segment: from then on the program
/// waits, too.
class SegmentInterrupted : public ::testing::TestWithParam<int> {
 protected:
  SegmentInterrupted() {
    program_.feed(content_of(make_clip(scratch_.path(), {.pictures = 500})));
    const auto give_up = std::chrono::steady_clock::now() + 30s;
    while (!fs::exists(out_ / "low/00001.m4s") && std::chrono::steady_clock::now() < give_up) {
      std::this_thread::sleep_for(5ms);
    }
  }

  TemporaryDirectory scratch_;
  fs::path out_ = scratch_.path() / "out";
  ChildProcess program_{{TRIBUTARY_SEGMENT, "-", "-o", out_.string(), "--ladder", "low=100k"},
                        {.feed_input = true, .largest_file = std::nullopt}};
};

TEST_P(SegmentInterrupted, LeavesNoIndexAndNoPartOfAFile) {
  ASSERT_TRUE(fs::exists(out_ / "low/00001.m4s"));
  program_.signal(GetParam());
  const Outcome outcome = program_.wait();
  EXPECT_EQ(outcome.exit_code, GetParam() == SIGKILL ? -1 : 130) << outcome.error;
  EXPECT_FALSE(fs::exists(out_ / "index.json"));
  if (GetParam() != SIGKILL) {
    EXPECT_EQ(temporary_files_in(out_), 0u);
  }
}

INSTANTIATE_TEST_SUITE_P(Signals, SegmentInterrupted, ::testing::Values(SIGINT, SIGTERM, SIGKILL));

}  // namespace
}  // namespace tributary::segmenter
