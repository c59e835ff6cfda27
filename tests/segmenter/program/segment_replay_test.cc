#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <thread>

#include "child_process.hh"
#include "file_content.hh"
#include "json_events.hh"
#include "presentation/json/json_index.hh"
#include "segmenter/live/replay_job.hh"
#include "temporary_directory.hh"

namespace tributary::segmenter {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

class SegmentReplay : public ::testing::Test {
 protected:
  SegmentReplay() {
    const Outcome made = run({TRIBUTARY_SEGMENT, "lavfi:testsrc=s=160x90:r=25:d=0.9", "-o", prepared_, "--segment",
                              "400ms", "--ladder", "low=100k,high=200k", "--title", "Fjord", "-q"});
    EXPECT_EQ(made.exit_code, 0) << made.error;
  }
  Presentation index() const { return read_index(content_of(fs::path{out_} / "index.json")); }

  TemporaryDirectory scratch_;
  const std::string prepared_ = (scratch_.path() / "prepared").string();
  const std::string out_ = (scratch_.path() / "out").string();
};

TEST_F(SegmentReplay, OnceItIsLinksAndTakesAsLongAsItPlays) {
  const auto began = std::chrono::steady_clock::now();
  const Outcome outcome = run({TRIBUTARY_SEGMENT, "replay", prepared_, "-o", out_, "-q"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.error;
  EXPECT_GE(std::chrono::steady_clock::now() - began, 900ms);
  EXPECT_TRUE(index().complete);
  EXPECT_EQ(index().title, "Fjord");
  EXPECT_EQ(index().tracks[0].sizes.size(), 3U);
  EXPECT_TRUE(fs::equivalent(fs::path{prepared_} / "low/00003.m4s", fs::path{out_} / "low/00003.m4s"));
  EXPECT_EQ(run({TRIBUTARY_SEGMENT, "check", out_}).out, out_ + ": tracks: 2, segments: 3, all as they should be\n");
}

TEST_F(SegmentReplay, RepeatedNumbersAndTimestampsGoOn) {
  ChildProcess program{{TRIBUTARY_SEGMENT, "replay", prepared_, "-o", out_, "--loop", "--window", "4", "-q"}};
  const auto give_up = std::chrono::steady_clock::now() + 30s;
  while (!fs::exists(fs::path{out_} / "high/00007.m4s") && std::chrono::steady_clock::now() < give_up)
    std::this_thread::sleep_for(10ms);
  program.signal(SIGINT);
  const Outcome outcome = program.wait();
  EXPECT_EQ(outcome.exit_code, 0) << outcome.error;
  const Track track = index().tracks[0];
  EXPECT_GE(track.first_number, 3U);
  EXPECT_EQ(track.sizes.size(), 4U);
  // check holds the timestamps in the files against the index.
  const Outcome checked = run({TRIBUTARY_SEGMENT, "check", out_});
  EXPECT_EQ(checked.exit_code, 0) << checked.out;
  EXPECT_THAT(content_of(fs::path{prepared_} / "low/00001.m4s"),
              ::testing::Ne(content_of(fs::path{out_} / "low/00004.m4s")));
}

TEST_F(SegmentReplay, ASingleFileIsCutIntoSegments) {
  const std::string single = (scratch_.path() / "single").string();
  ASSERT_EQ(run({TRIBUTARY_SEGMENT, "lavfi:testsrc=s=160x90:r=25:d=0.9", "-o", single, "--segment", "400ms", "--ladder",
                 "low=100k", "--single-file", "--frame-index", "-q"})
                .exit_code,
            0);
  const Outcome outcome = run({TRIBUTARY_SEGMENT, "replay", single, "-o", out_, "-q"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.error;
  std::string media = content_of(fs::path{out_} / "low/00001.m4s");
  for (const char* name : {"low/00002.m4s", "low/00003.m4s"}) media += content_of(fs::path{out_} / name);
  EXPECT_TRUE(content_of(fs::path{single} / "low/media.mp4").ends_with(media));
  const Outcome checked = run({TRIBUTARY_SEGMENT, "check", out_});
  EXPECT_EQ(checked.exit_code, 0) << checked.out;
}

TEST_F(SegmentReplay, EventsAreLinesOfJson) {
  const Outcome outcome = run({TRIBUTARY_SEGMENT, "replay", prepared_, "-o", out_, "--json"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.error;
  EXPECT_EQ(outcome.error, "");
  JsonEvents events = events_in(outcome.out);
  EXPECT_EQ(events.counts["segment"], 2 * 3);
  EXPECT_GE(events.counts["progress"], 1);
  EXPECT_EQ(events.first.at("event"), "plan");
  EXPECT_EQ(events.first.at("segments"), 3);
  EXPECT_EQ(events.first.at("tracks").size(), 2U);
  EXPECT_EQ(events.last.at("event"), "result");
  EXPECT_EQ(events.last.at("segments"), 3);
}

TEST(SegmentLive, EventsAreLinesOfJson) {
  const TemporaryDirectory scratch;
  const Outcome outcome =
      run({TRIBUTARY_SEGMENT, "live", "lavfi:testsrc=s=160x90:r=25:d=1[out0];sine=d=1[out1]", "-o",
           (scratch.path() / "out").string(), "--segment", "400ms", "--ladder", "low=100k", "--json"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.error;
  JsonEvents events = events_in(outcome.out);
  EXPECT_EQ(events.counts["segment"], 2 * 3);
  EXPECT_GE(events.counts["progress"], 1);
  EXPECT_EQ(events.first.at("event"), "plan");
  EXPECT_FALSE(events.first.contains("seconds"));
  EXPECT_EQ(events.last.at("event"), "result");
  EXPECT_EQ(events.last.at("pictures"), 25);
  EXPECT_EQ(outcome.error.empty(), events.last.at("leftOut") == 0) << outcome.error;  // on a busy machine
  EXPECT_EQ(events.last.at("interruptions"), 0);
}

TEST(MoveInTime, ASegmentWithoutAFragmentIsRefused) {
  EXPECT_THROW(move_in_time("", 1), BoxError);
  EXPECT_THROW(move_in_time("garbage, and no box at all", 1), BoxError);
}

}  // namespace
}  // namespace tributary::segmenter
