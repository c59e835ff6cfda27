#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <fstream>
#include <iterator>
#include <set>
#include <sstream>
#include <thread>

#include "child_process.hh"
#include "clip.hh"
#include "temporary_directory.hh"

namespace tributary::segmenter {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;
using ::testing::HasSubstr;

/// Its encoders work in processes of their own, until they are told to stop.
std::vector<std::string> endless(const fs::path& out) {
  return {TRIBUTARY_SEGMENT,
          "lavfi:testsrc2=s=160x90:r=25",
          "-o",
          out.string(),
          "--codec",
          "hevc",
          "--preset",
          "ultrafast",
          "--ladder",
          "low=60k@128x72,high=200k",
          "--segment",
          "400ms",
          "--section",
          "24h",
          "-q"};
}

std::set<pid_t> children_of(pid_t parent) {
  std::set<pid_t> children;
  std::error_code error;
  for (const auto& thread : fs::directory_iterator{"/proc/" + std::to_string(parent) + "/task", error}) {
    std::ifstream list{thread.path() / "children"};
    children.insert(std::istream_iterator<pid_t>{list}, {});
  }
  return children;
}

bool is_an_encoder(pid_t process) {
  std::ifstream words{"/proc/" + std::to_string(process) + "/cmdline"};
  std::stringstream text;
  text << words.rdbuf();
  return text.str().find("encoder-process") != std::string::npos;
}

template <typename Condition>
bool comes_true(Condition condition) {
  const auto give_up = std::chrono::steady_clock::now() + 30s;
  while (!condition()) {
    if (std::chrono::steady_clock::now() > give_up) return false;
    std::this_thread::sleep_for(2ms);
  }
  return true;
}

std::set<pid_t> encoders_at_work(const ChildProcess& program, const fs::path& out) {
  EXPECT_TRUE(comes_true([&] { return fs::exists(out / "high/00002.m4s"); }));
  std::set<pid_t> encoders;
  EXPECT_TRUE(comes_true([&] { return (encoders = children_of(program.id())).size() == 2; }));
  return encoders;
}

TEST(SegmentEncoderProcess, ThatDiesIsNamedAndEndsTheRun) {
  const TemporaryDirectory scratch;
  const fs::path out = scratch.path() / "out";
  ChildProcess program{endless(out)};
  const std::set<pid_t> encoders = encoders_at_work(program, out);
  ASSERT_FALSE(encoders.empty());
  kill(*encoders.begin(), SIGKILL);
  const Outcome outcome = program.wait();
  EXPECT_EQ(outcome.exit_code, 3);
  EXPECT_THAT(outcome.error, HasSubstr("the encoder libx265 for quality "));
  EXPECT_THAT(outcome.error, HasSubstr("has failed: Killed"));
  EXPECT_FALSE(fs::exists(out / "index.json"));
}

TEST(SegmentEncoderProcess, DoesNotOutliveTheProgram) {
  const TemporaryDirectory scratch;
  const fs::path out = scratch.path() / "out";
  ChildProcess program{endless(out)};
  const std::set<pid_t> encoders = encoders_at_work(program, out);
  program.signal(SIGKILL);
  program.wait();
  for (const pid_t encoder : encoders) EXPECT_TRUE(comes_true([&] { return !is_an_encoder(encoder); }));
}

TEST(SegmentEncoderProcess, LeavesCtrlCToTheProgram) {
  const TemporaryDirectory scratch;
  const fs::path out = scratch.path() / "out";
  ChildProcess program{endless(out)};
  for (const pid_t encoder : encoders_at_work(program, out)) kill(encoder, SIGINT);
  EXPECT_TRUE(comes_true([&] { return fs::exists(out / "high/00005.m4s"); }));
  program.signal(SIGINT);
  EXPECT_EQ(program.wait().exit_code, 130);
}

}  // namespace
}  // namespace tributary::segmenter
