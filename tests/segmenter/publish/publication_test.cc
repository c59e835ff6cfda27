#include "segmenter/publish/publication.hh"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <csignal>
#include <fstream>
#include <optional>
#include <set>

#include "file_content.hh"
#include "segmenter/failure.hh"
#include "temporary_directory.hh"

namespace tributary::segmenter {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;

std::set<std::string> files_in(const fs::path& directory) {
  std::set<std::string> names;
  for (const auto& entry : fs::recursive_directory_iterator(directory)) {
    if (entry.is_regular_file()) names.insert(fs::relative(entry.path(), directory).string());
  }
  return names;
}

template <typename Act>
std::pair<ExitCode, std::string> failure_of(Act act) {
  try {
    act();
  } catch (const Failure& failure) {
    return {failure.code(), failure.what()};
  }
  return {ExitCode::kOk, ""};
}

TEST(Publication, AFileIsThereWholeAndNothingElseIs) {
  const TemporaryDirectory scratch;
  const Publication publication{scratch.path() / "a/b", Publication::Existing::kRefuse};
  publication.publish("low/00001.m4s", "first");
  publication.publish("low/00001.m4s", "second");
  publication.publish("index.json", "");
  EXPECT_EQ(content_of(scratch.path() / "a/b/low/00001.m4s"), "second");
  EXPECT_THAT(files_in(scratch.path() / "a/b"), ElementsAre("index.json", "low/00001.m4s"));
}

TEST(Publication, ADirectoryThatHoldsSomethingIsLeftAlone) {
  const TemporaryDirectory scratch;
  std::ofstream{scratch.path() / "diary.txt"} << "dear";
  const auto [code, what] = failure_of([&] { Publication(scratch.path(), Publication::Existing::kRefuse); });
  EXPECT_EQ(code, ExitCode::kUsage);
  EXPECT_EQ(what, scratch.path().string() +
                      " is not empty: use --force to replace the presentation in it, or another directory");
  EXPECT_THAT(files_in(scratch.path()), ElementsAre("diary.txt"));
}

TEST(Publication, ReplacingRemovesThePresentationAndNothingElse) {
  const TemporaryDirectory scratch;
  std::optional<Publication> first{std::in_place, scratch.path(), Publication::Existing::kRefuse};
  for (const char* name : {"index.json", ".index.json.tmp", "master.m3u8", "manifest.mpd", "low/playlist.m3u8",
                           "low/init.mp4", "low/00031.m4s", "low/.00032.m4s.tmp", ".unfinished/terms.json",
                           "q0/00001.bin", "low/notes.txt", "00001.m4s", "low/deeper/00001.m4s"}) {
    first->publish(name, "x");
  }
  EXPECT_EQ(failure_of([&] { Publication(scratch.path(), Publication::Existing::kReplace); }).second,
            scratch.path().string() + ": another process publishes there");
  first.reset();
  const Publication second{scratch.path(), Publication::Existing::kReplace};
  EXPECT_THAT(files_in(scratch.path()), ElementsAre("00001.m4s", "low/deeper/00001.m4s", "low/notes.txt"));
}

TEST(Publication, AFileThatCannotBeWrittenIsNamedAndLeavesNoPart) {
  const TemporaryDirectory scratch;
  const Publication publication{scratch.path() / "out", Publication::Existing::kRefuse};
  std::signal(SIGXFSZ, SIG_IGN);
  rlimit before{};
  getrlimit(RLIMIT_FSIZE, &before);
  rlimit small = before;
  small.rlim_cur = 1000;
  setrlimit(RLIMIT_FSIZE, &small);
  const auto [code, what] = failure_of([&] { publication.publish("low/00001.m4s", std::string(5000, 'x')); });
  setrlimit(RLIMIT_FSIZE, &before);
  EXPECT_EQ(code, ExitCode::kOutput);
  EXPECT_EQ(what, "cannot write " + (scratch.path() / "out/low/00001.m4s").string() + ": File too large");
  EXPECT_TRUE(files_in(scratch.path()).empty());
}

/// What stands under the temporary name is no obstacle, and what it leads to is not written.
TEST(Publication, ALinkThatSomebodyPreparedIsNotFollowed) {
  const TemporaryDirectory directory;
  const fs::path others = directory.path() / "others", place = directory.path() / "film";
  std::ofstream{others} << "of somebody else";
  const Publication publication{place, Publication::Existing::kRefuse};
  fs::create_symlink(others, place / ".index.json.tmp");
  publication.publish("index.json", "{}");
  fs::create_hard_link(others, place / ".index.json.tmp");
  publication.publish("index.json", "{1}");
  EXPECT_EQ(content_of(others), "of somebody else");
  EXPECT_EQ(content_of(place / "index.json"), "{1}");
  EXPECT_TRUE(fs::is_regular_file(fs::symlink_status(place / "index.json")));
}

TEST(Publication, AnImpossiblePlaceIsAnOutputFailure) {
  const TemporaryDirectory scratch;
  const Publication publication{scratch.path() / "out", Publication::Existing::kRefuse};
  publication.publish("low", "a file where a directory should be");
  EXPECT_EQ(failure_of([&] { publication.publish("low/00001.m4s", "x"); }).first, ExitCode::kOutput);
  EXPECT_EQ(failure_of([&] { Publication(scratch.path() / "out/low/x", Publication::Existing::kRefuse); }).first,
            ExitCode::kOutput);
}

TEST(NamesOfFiles, TellTheNumbersOfSegments) {
  EXPECT_EQ(segment_number("00017.m4s"), 17U);
  EXPECT_EQ(segment_number("00017.3.m4s"), std::nullopt);
  EXPECT_EQ(segment_number("init.mp4"), std::nullopt);
  EXPECT_EQ(number_of_parted_segment("00017.3.m4s"), 17U);
  EXPECT_EQ(number_of_parted_segment("00017.10.bin"), 17U);
  for (const char* name : {"00017.m4s", "00017.3.vtt", "00017..m4s", "00017.3", "a.3.m4s", ".00017.3.m4s.tmp", ""})
    EXPECT_EQ(number_of_parted_segment(name), std::nullopt) << name;
}

}  // namespace
}  // namespace tributary::segmenter
