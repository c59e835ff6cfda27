#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <thread>

#include "child_process.hh"
#include "clip.hh"
#include "file_content.hh"
#include "json_events.hh"
#include "temporary_directory.hh"

namespace tributary::segmenter {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;
using ::testing::HasSubstr;

const std::vector<std::string> kOptions{
    "--ladder", "low=60k@128x72,high=200k", "--segment", "400ms", "--section", "1200ms", "-q"};

std::vector<std::string> command(const fs::path& input, const fs::path& out, std::vector<std::string> more = {}) {
  std::vector<std::string> words{TRIBUTARY_SEGMENT, input.string(), "-o", out.string()};
  words.insert(words.end(), kOptions.begin(), kOptions.end());
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

Outcome segment(const fs::path& input, const fs::path& out, std::vector<std::string> more = {}) {
  return run(command(input, out, std::move(more)));
}

/// By name, with what is in them.
std::map<std::string, std::string> files_in(const fs::path& directory) {
  std::map<std::string, std::string> files;
  for (const auto& entry : fs::recursive_directory_iterator(directory)) {
    if (entry.is_regular_file()) files[fs::relative(entry, directory).string()] = content_of(entry);
  }
  return files;
}

void expect_same(const fs::path& a, const fs::path& b) {
  const auto one = files_in(a), other = files_in(b);
  for (const auto& [name, content] : one)
    EXPECT_TRUE(other.contains(name) && other.at(name) == content) << name << " is not the same";
  EXPECT_EQ(one.size(), other.size());
  EXPECT_TRUE(one.contains("index.json"));
}

struct Source {
  std::string name;
  std::vector<std::string> options;   // of ffmpeg
  std::vector<std::string> chosen{};  // of ours
};
void PrintTo(const Source& source, std::ostream* out) { *out << source.name; }

fs::path make_source(const fs::path& directory, const Source& source) {
  fs::path path = directory / source.name;
  const fs::path chapters = directory / "chapters.txt";
  std::ofstream{chapters} << ";FFMETADATA1\n[CHAPTER]\nTIMEBASE=1/1000\nSTART=0\nEND=2500\ntitle=One\n"
                             "[CHAPTER]\nTIMEBASE=1/1000\nSTART=2500\nEND=7000\ntitle=Two & three\n";
  std::vector<std::string> words{FFMPEG,
                                 "-v",
                                 "error",
                                 "-f",
                                 "lavfi",
                                 "-i",
                                 "testsrc2=s=160x90:r=30000/1001:d=7,noise=alls=10",
                                 "-f",
                                 "lavfi",
                                 "-i",
                                 "anoisesrc=c=pink:r=44100:d=7:seed=1:a=0.3",
                                 "-i",
                                 chapters.string(),
                                 "-map_chapters",
                                 "2",
                                 "-metadata",
                                 "title=Of " + source.name};
  words.insert(words.end(), source.options.begin(), source.options.end());
  words.push_back(path.string());
  must_run(words);
  return path;
}

const Source kOpenGroups{"open.mp4", {"-c:v", "libx264", "-x264-params", "keyint=20:open-gop=1:bframes=3:scenecut=0"}};

class SegmentShards : public ::testing::TestWithParam<Source> {};

TEST_P(SegmentShards, JoinedAreWhatOneRunMakes) {
  const TemporaryDirectory scratch;
  const fs::path source = make_source(scratch.path(), GetParam());
  const fs::path whole = scratch.path() / "whole", joined = scratch.path() / "joined";
  const fs::path text = scratch.path() / "text.srt";
  std::ofstream{text} << "1\n00:00:01,000 --> 00:00:04,500\nwhat is said\n";
  const auto encode = [&](const fs::path& out, const std::vector<std::string>& more) {
    std::vector<std::string> words = GetParam().chosen;
    words.insert(words.end(), {"--subtitles", text.string()});
    words.insert(words.end(), more.begin(), more.end());
    return segment(source, out, words);
  };
  ASSERT_EQ(encode(whole, {}).exit_code, 0);
  EXPECT_TRUE(fs::exists(whole / "subtitles/all.vtt"));
  const auto index = nlohmann::json::parse(content_of(whole / "index.json"));
  EXPECT_EQ(index.value("title", ""), source.extension() == ".mp4" ? "Of " + GetParam().name : "")
      << "of the container";
  if (source.extension() == ".mp4") {
    EXPECT_EQ(index["chapters"],
              nlohmann::json::parse(R"([{"start": 0.0, "name": "One"}, {"start": 2.5, "name": "Two & three"}])"));
  }
  std::vector<std::string> join{TRIBUTARY_SEGMENT, "-o", joined.string(), "-q", "--join"};
  for (const std::string number : {"3", "1", "4", "2"}) {
    const fs::path shard = scratch.path() / ("shard" + number);
    const Outcome outcome = encode(shard, {"--shard", number + "/4"});
    ASSERT_EQ(outcome.exit_code, 0) << outcome.error;
    EXPECT_FALSE(fs::exists(shard / "index.json"));
    join.push_back(shard.string());
  }
  const Outcome outcome = run(join);
  EXPECT_EQ(outcome.exit_code, 0) << outcome.error;
  expect_same(whole, joined);
  const fs::path parallel = scratch.path() / "parallel";
  ASSERT_EQ(encode(parallel, {"--jobs", "3"}).exit_code, 0);
  expect_same(whole, parallel);
  EXPECT_EQ(run({TRIBUTARY_SEGMENT, "check", joined.string()}).exit_code, 0);
}

INSTANTIATE_TEST_SUITE_P(
    Sources, SegmentShards,
    ::testing::Values(
        kOpenGroups,
        Source{"fields.ts",
               {"-vf", "tinterlace=interleave_top", "-c:v", "mpeg2video", "-flags", "+ilme+ildct", "-g", "15", "-bf",
                "2", "-c:a", "mp2"},
               {"--quality", "psnr,ssim"}},
        Source{"hevc.mp4", kOpenGroups.options, {"--codec", "hevc", "--audio-codec", "opus", "--quality", "psnr"}},
        Source{"av1.mp4", kOpenGroups.options, {"--codec", "av1", "--rate-control", "capped-crf"}}));

TEST(SegmentShard, OfTwoPassesIsRefused) {
  const TemporaryDirectory scratch;
  const Outcome outcome = segment("film.mp4", scratch.path() / "out", {"--shard", "1/2", "--rate-control", "2pass"});
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_THAT(outcome.error, HasSubstr("--shard: --rate-control 2pass needs all of the film"));
}

TEST(SegmentJoin, NamesTheShardThatIsMissingOrAnothers) {
  const TemporaryDirectory scratch;
  const fs::path source = make_source(scratch.path(), kOpenGroups);
  const fs::path first = scratch.path() / "first", second = scratch.path() / "second", other = scratch.path() / "other",
                 out = scratch.path() / "out";
  ASSERT_EQ(segment(source, first, {"--shard", "1/3"}).exit_code, 0);
  ASSERT_EQ(segment(source, second, {"--shard", "2/3"}).exit_code, 0);
  ASSERT_EQ(segment(source, other, {"--shard", "3/3", "--preset", "superfast"}).exit_code, 0);
  const auto join = [&](const std::vector<fs::path>& shards) {
    std::vector<std::string> words{TRIBUTARY_SEGMENT, "-o", out.string(), "--join"};
    for (const fs::path& shard : shards) words.push_back(shard.string());
    const Outcome outcome = run(words);
    EXPECT_EQ(outcome.exit_code, 1);
    EXPECT_FALSE(fs::exists(out));
    return outcome.error;
  };
  EXPECT_THAT(join({first, second}), HasSubstr("not given: shard 3/3"));
  EXPECT_THAT(join({first, second, other}), HasSubstr("--preset is superfast, but was veryfast"));
  EXPECT_THAT(join({first, first}), HasSubstr("shard 1 of 3, as"));
  EXPECT_THAT(join({scratch.path()}), HasSubstr("no shard that was made with --shard"));
  ASSERT_EQ(segment(source, other, {"--shard", "3/3", "--force"}).exit_code, 0);
  fs::remove(second / "low/00007.m4s");
  EXPECT_THAT(join({first, second, other}), HasSubstr("shard 2/3 is not finished"));
}

TEST(SegmentShard, WithoutASectionSaysSoAndIsJoined) {
  const TemporaryDirectory scratch;
  const fs::path source = make_source(scratch.path(), kOpenGroups);
  const fs::path first = scratch.path() / "first", second = scratch.path() / "second", out = scratch.path() / "out";
  const auto shard = [&](const fs::path& directory, const std::string& number) {
    return run({TRIBUTARY_SEGMENT, source.string(), "-o", directory.string(), "--ladder", "low=60k@128x72", "-q",
                "--shard", number});
  };
  const Outcome empty = shard(first, "1/2");
  EXPECT_EQ(empty.exit_code, 0);
  EXPECT_THAT(empty.error, HasSubstr("shard 1/2 is empty: the film has 1 section of 60.0 s, and 2/2 has it"));
  const Outcome full = shard(second, "2/2");
  EXPECT_EQ(full.exit_code, 0);
  EXPECT_THAT(full.error, Not(HasSubstr("is empty")));
  EXPECT_EQ(run({TRIBUTARY_SEGMENT, "-o", out.string(), "--join", first.string(), second.string()}).exit_code, 0);
}

/// Ends the program when the second of its six sections is there.
class SegmentResumed : public ::testing::TestWithParam<int> {};

TEST_P(SegmentResumed, IsWhatAnUninterruptedRunMakes) {
  const TemporaryDirectory scratch;
  const fs::path source = make_source(scratch.path(), kOpenGroups);
  const fs::path whole = scratch.path() / "whole", out = scratch.path() / "out";
  ASSERT_EQ(segment(source, whole).exit_code, 0);
  {
    ChildProcess program{command(source, out, {"--jobs", "1"})};  // one section after the other
    const auto give_up = std::chrono::steady_clock::now() + 30s;
    while (!fs::exists(out / ".unfinished/section-00002.json") && std::chrono::steady_clock::now() < give_up)
      std::this_thread::sleep_for(1ms);
    program.signal(GetParam());
    program.wait();
  }
  ASSERT_FALSE(fs::exists(out / "index.json")) << "it was too quick";
  const Outcome other = segment(source, out, {"--preset", "superfast"});
  EXPECT_EQ(other.exit_code, 2);
  EXPECT_THAT(other.error, HasSubstr("--preset is superfast, but was veryfast (--force begins afresh)"));
  const auto made = fs::last_write_time(out / "high/00004.m4s");
  const Outcome resumed = segment(source, out);
  EXPECT_EQ(resumed.exit_code, 0) << resumed.error;
  EXPECT_EQ(fs::last_write_time(out / "high/00004.m4s"), made);
  expect_same(whole, out);
  EXPECT_THAT(segment(source, out).error, HasSubstr("is not empty: use --force"));
}

INSTANTIATE_TEST_SUITE_P(Signals, SegmentResumed, ::testing::Values(SIGINT, SIGKILL));

TEST(SegmentResume, AfterAFullDiskASingleFileIsTheSame) {
  const TemporaryDirectory scratch;
  const fs::path source = make_source(scratch.path(), kOpenGroups);
  const fs::path whole = scratch.path() / "whole", out = scratch.path() / "out";
  const std::vector<std::string> single{"--single-file", "--frame-index"};
  ASSERT_EQ(segment(source, whole, single).exit_code, 0);
  ChildProcess program{command(source, out, single), {.feed_input = false, .largest_file = 40000}};
  EXPECT_EQ(program.wait().exit_code, 4);  // segments fit, and all of them in one file do not
  EXPECT_FALSE(fs::exists(out / "index.json"));
  EXPECT_EQ(segment(source, out, single).exit_code, 0);
  expect_same(whole, out);
}

TEST(SegmentPlanned, ADryRunWritesNothing) {
  const TemporaryDirectory scratch;
  const fs::path source = make_source(scratch.path(), kOpenGroups);
  const fs::path out = scratch.path() / "out";
  const Outcome outcome = segment(source, out, {"--dry-run"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.error;
  EXPECT_THAT(outcome.out, HasSubstr("128x72"));
  EXPECT_THAT(outcome.out, HasSubstr("segments: 18 in each track"));
  EXPECT_FALSE(fs::exists(out));
}

TEST(SegmentPlanned, EventsAreLinesOfJson) {
  const TemporaryDirectory scratch;
  const fs::path source = make_source(scratch.path(), kOpenGroups);
  const Outcome outcome = segment(source, scratch.path() / "out", {"--json"});
  JsonEvents events = events_in(outcome.out);
  EXPECT_EQ(events.counts["plan"], 1);
  EXPECT_EQ(events.counts["segment"], 3 * 18);
  EXPECT_GE(events.counts["progress"], 1);
  EXPECT_EQ(events.last.at("event"), "result");
  EXPECT_EQ(events.last.at("segments"), 18);
  const Outcome failed = run({TRIBUTARY_SEGMENT, "none.mp4", "-o", (scratch.path() / "no").string(), "--json"});
  EXPECT_EQ(nlohmann::json::parse(failed.out).at("exit"), 1);
}

}  // namespace
}  // namespace tributary::segmenter
