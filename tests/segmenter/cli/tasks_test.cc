#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "command_line/program_end.hh"
#include "segmenter/cli/live_task.hh"
#include "segmenter/cli/package_task.hh"
#include "segmenter/cli/prepare_task.hh"

namespace tributary::segmenter {
namespace {

using namespace literals;
using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

/// A program that has one task only.
template <typename SomeTask>
struct Program {
  explicit Program(const std::string& words) {
    app.parse(words, false);
    task.settle();
  }

  CLI::App app;
  Messages messages;
  SomeTask task{app, messages};
};

template <typename SomeTask>
std::string error_of(const std::string& words) {
  try {
    Program<SomeTask>{words};
  } catch (const CLI::ParseError& error) {
    return error.what();
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

TEST(Tasks, WithoutOptionsAreWhatTheHelpStates) {
  const Program<PrepareTask> program{"film.mp4 -o out"};
  const EncodeOptions& options = program.task.encoding();
  EXPECT_EQ(options.input, "film.mp4");
  EXPECT_EQ(options.output, "out");
  EXPECT_EQ(options.ladder.size(), 4u);
  EXPECT_EQ(options.segment, 2s);
  EXPECT_EQ(options.section, 60s);
  ASSERT_TRUE(options.audio);
  EXPECT_EQ(options.audio->rate, 128_kbps);
  EXPECT_EQ(options.existing, Publication::Existing::kRefuse);
  EXPECT_TRUE(options.manifests.hls && options.manifests.dash && options.thumbnails && options.source_subtitles);
}

TEST(Tasks, WordsBecomeValues) {
  const Program<LiveTask> program{
      "live lavfi:testsrc -o out --ladder auto --chunk 500ms --window 5 --no-dash --codec hevc --audio none "
      "--audio-codec opus --reconnect 0s --json"};
  const LiveOptions& options = program.task.options();
  EXPECT_THAT(options.ladder, IsEmpty());
  EXPECT_EQ(options.layout.chunk, 500ms);
  EXPECT_EQ(options.window.segments, 5u);
  EXPECT_TRUE(options.window.manifests.hls && !options.window.manifests.dash);
  EXPECT_EQ(options.video.codec, VideoCodec::kHevc);
  EXPECT_FALSE(options.audio) << "its codec says nothing without it";
  EXPECT_EQ(options.reconnect, 0s);
  EXPECT_TRUE(program.messages.json);
}

TEST(Tasks, LowLatencyIsAFlagThatMayHaveADuration) {
  EXPECT_EQ(Program<LiveTask>{"live --low-latency a.ts -o out"}.task.options().layout.part, 500ms);
  EXPECT_EQ(Program<LiveTask>{"live a.ts -o out --low-latency=300ms"}.task.options().layout.part, 300ms);
  EXPECT_EQ(Program<LiveTask>{"live a.ts -o out"}.task.options().layout.part, Duration{});
  EXPECT_EQ(error_of<LiveTask>("live a.ts -o out --low-latency=100ms"), "--low-latency: a part lasts 200ms or more");
  EXPECT_EQ(error_of<LiveTask>("live a.ts -o out --low-latency=2s"), "--low-latency: a part is shorter than a segment");
  EXPECT_THAT(error_of<LiveTask>("live a.ts -o out --low-latency --chunk 1s"), StartsWith("--chunk: says nothing"));
}

TEST(Tasks, TwoPassesEncodeAFilmInOnePiece) {
  EXPECT_EQ(Program<PrepareTask>{"film.mp4 -o out --rate-control 2pass"}.task.encoding().section, kUndivided);
}

TEST(Tasks, FilesToPackageHaveNames) {
  const Program<PackageTask> program{"package low=a.mp4 b.mp4 -o out --audio none --force"};
  EXPECT_THAT(program.task.options().inputs,
              ElementsAre(::testing::Field(&PackageInput::name, "low"), ::testing::Field(&PackageInput::name, "b")));
  EXPECT_FALSE(program.task.options().sound);
  EXPECT_EQ(program.task.options().existing, Publication::Existing::kReplace);
}

TEST(Tasks, AWrongValueIsAnErrorOfItsOption) {
  EXPECT_THAT(error_of<PrepareTask>("f.mp4 -o out --segment two"), StartsWith("--segment: \"two\" is not a duration"));
  EXPECT_EQ(error_of<PrepareTask>("f.mp4 -o out --segment 0s"), "--segment: a segment lasts from 100ms to 60s");
  EXPECT_EQ(error_of<PrepareTask>("f.mp4 -o out --chunk 0s"), "--chunk: a chunk lasts 20ms or more");
  EXPECT_EQ(error_of<PrepareTask>("f.mp4 -o out --audio 1k"), "--audio: the rate is from 16k to 512k, or none");
  EXPECT_THAT(error_of<PrepareTask>("f.mp4 -o out --shard 3/2"), StartsWith("--shard: \"3/2\" is not like 2/4"));
  EXPECT_THAT(error_of<PrepareTask>("f.mp4 -o out --ladder low"), StartsWith("--ladder: ladder entry \"low\""));
  EXPECT_THAT(error_of<PackageTask>("package äh.mp4 -o out"), HasSubstr("SOURCE: \"äh\" is no name for a quality"));
}

TEST(Tasks, OptionsThatContradictEachOtherAreNamed) {
  EXPECT_EQ(error_of<PrepareTask>("f.mp4 -o out --chunk 2s"), "--chunk: a chunk is shorter than a segment");
  EXPECT_EQ(error_of<PrepareTask>("f.mp4 -o out --crf 20"), "--crf: goes with --rate-control capped-crf");
  EXPECT_EQ(error_of<PrepareTask>("f.mp4 -o out --section 1s"), "--section: a section lasts from one segment to 24h");
  EXPECT_THAT(error_of<PrepareTask>("f.mp4 -o out --preset placid"), StartsWith("--preset: \"placid\" is not one of"));
  EXPECT_THAT(error_of<PrepareTask>("f.mp4 -o out --codec av1 --frame-index"), StartsWith("--frame-index: "));
  EXPECT_THAT(error_of<PrepareTask>("- -o out --rate-control 2pass"), StartsWith("--rate-control 2pass: "));
  EXPECT_EQ(error_of<PrepareTask>("--synthetic thesis -o out --title Film"),
            "--title: says nothing beside --synthetic");
  EXPECT_EQ(error_of<PrepareTask>("--join a b -o out --chunk 1s"), "--chunk: says nothing beside --join");
  EXPECT_EQ(error_of<PrepareTask>("--join a b"), "--output is missing: the directory for the presentation");
  EXPECT_EQ(error_of<PrepareTask>("f.mp4 --dry-run"), "") << "which writes nothing";
  EXPECT_EQ(error_of<PrepareTask>("f.mp4 --join a -o out"), "give a video file, --synthetic or --join");
  EXPECT_EQ(error_of<PackageTask>("package a/x.mp4 b/x.mp4 -o out"),
            "two files are called x: name one of them as NAME=a/x.mp4");
  EXPECT_THAT(error_of<PackageTask>("package low=- -o out --encode-differing"), StartsWith("--encode-differing: "));
  EXPECT_THAT(error_of<LiveTask>("live - -o out --loop"), StartsWith("--loop: "));
  EXPECT_THAT(error_of<LiveTask>("live - -o out --codec av1"), StartsWith("--codec av1: "));
  EXPECT_THAT(error_of<LiveTask>("live - -o out --rate-control 2pass"), StartsWith("--rate-control: "));
}

}  // namespace
}  // namespace tributary::segmenter
