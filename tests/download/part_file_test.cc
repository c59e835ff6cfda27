#include "download/files/part_file.hh"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "download/files/chunk_sink.hh"
#include "support/files.hh"
#include "support/refusal.hh"

namespace tributary {
namespace {

using namespace literals;

namespace fs = std::filesystem;

using testing::bytes;
using testing::content;
using ::testing::HasSubstr;

class PartFileTest : public testing::DirectoryTest {
 protected:
  void SetUp() override {
    DirectoryTest::SetUp();
    std::ofstream{others_} << "of somebody else";
    fs::permissions(others_, fs::perms::owner_read | fs::perms::owner_write | fs::perms::others_read);
  }
  void leave_behind(std::string_view content) const {
    PartFile file{path_, PartFile::Content::kFresh};
    file.note(kState);
    file.write(0_B, bytes(content));
  }
  std::string begun_anew() const {
    try {
      PartFile file{path_, PartFile::Content::kFresh};
      file.note(kState);
      return "begun";
    } catch (const WriteError& error) {
      return error.what();
    }
  }
  void expect_what_others_have_is_as_it_was() const {
    EXPECT_EQ(content(others_), "of somebody else");
    EXPECT_EQ(fs::status(others_).permissions(),
              fs::perms::owner_read | fs::perms::owner_write | fs::perms::others_read);
  }

  const DownloadState kState{"http://host/object", 9_B, "", "", {}};
  std::string path_ = directory_ + "/object", others_ = directory_ + "/others";
  std::string part_ = PartFile::part_path(path_), state_ = PartFile::state_path(path_);
};

TEST_F(PartFileTest, HasItsNameOnlyWhenItIsWhole) {
  PartFile file{path_, PartFile::Content::kFresh};
  file.write(3_B, bytes("def"));
  EXPECT_THROW(file.finish(7_B), WriteError);
  EXPECT_FALSE(std::filesystem::exists(path_));
  file.write(0_B, bytes("abc"));
  file.finish(6_B);
  EXPECT_EQ(content(path_), "abcdef");
  EXPECT_FALSE(std::filesystem::exists(PartFile::part_path(path_)));
}

TEST_F(PartFileTest, WhatIsKeptIsThereAndWhatIsNotIsGone) {
  leave_behind("abc");
  EXPECT_EQ((PartFile{path_, PartFile::Content::kKept}.size()), 3_B);
  EXPECT_EQ((PartFile{path_, PartFile::Content::kFresh}.size()), 0_B);
  EXPECT_FALSE(fs::exists(PartFile::state_path(path_)));
}

TEST_F(PartFileTest, TwoDownloadsDoNotWriteTheSameFile) {
  PartFile first{path_, PartFile::Content::kFresh};
  first.write(0_B, bytes("abc"));
  EXPECT_THROW((PartFile{path_, PartFile::Content::kFresh}), WriteError);
  EXPECT_EQ(first.size(), 3_B);
}

/// What stands at FILE.part, FILE.part.json and the note's name while it is written, and is none of a download: nothing of it, nor
/// of what it leads to, is lost.
TEST_F(PartFileTest, NoLinkIsFollowed) {
  for (const std::string& name : {part_, state_, state_ + ".new"}) {
    fs::create_symlink(others_, name);
    EXPECT_THAT(begun_anew(), HasSubstr(name)) << name;
    expect_what_others_have_is_as_it_was();
    EXPECT_TRUE(fs::is_symlink(name));
    fs::remove(name);
    fs::create_symlink(directory_ + "/nothing", name);
    EXPECT_THAT(begun_anew(), HasSubstr(name)) << name;
    EXPECT_FALSE(fs::exists(directory_ + "/nothing"));
    fs::remove(name);
  }
  EXPECT_EQ(begun_anew(), "begun");
}

TEST_F(PartFileTest, AUsersFileIsNotOverwritten) {
  for (const std::string& name : {part_, state_, state_ + ".new"}) {
    fs::copy_file(others_, name);
    EXPECT_THAT(begun_anew(), HasSubstr(name)) << name;
    EXPECT_EQ(content(name), "of somebody else");
    fs::remove(name);
  }
  EXPECT_EQ(begun_anew(), "begun");
  fs::remove(part_);
  fs::create_hard_link(others_, part_);  // although there is a note
  EXPECT_THAT(begun_anew(), HasSubstr("other names"));
  expect_what_others_have_is_as_it_was();
}

TEST_F(PartFileTest, WhatIsNoFileIsRefused) {
  for (const std::string& name : {part_, state_, state_ + ".new"}) {
    ASSERT_EQ(mkfifo(name.c_str(), 0600), 0);
    EXPECT_THAT(begun_anew(), HasSubstr(name)) << name;
    EXPECT_TRUE(fs::is_fifo(name));
    fs::remove(name);
  }
}

TEST_F(PartFileTest, AnotherUsersPartIsNotContinued) {
  if (geteuid() != 0) GTEST_SKIP() << "only root can give a file away";
  constexpr uid_t kSomebody = 12345;
  for (const std::string& name : {part_, state_}) {
    leave_behind("abc");
    ASSERT_EQ(chown(name.c_str(), kSomebody, static_cast<gid_t>(-1)), 0);
    EXPECT_THAT(begun_anew(), HasSubstr(name + " is there already, and it belongs to another user"));
    EXPECT_EQ(content(part_), "abc");
    fs::remove(part_);
    fs::remove(state_);
  }
}

/// A download that was killed while it wrote a note leaves the beginning of one.
TEST_F(PartFileTest, WhatAKilledDownloadLeftBehindIsNoObstacle) {
  leave_behind("abc");
  for (const std::size_t length : {0U, 1U, 30U}) {
    std::ofstream{state_ + ".new"} << to_json(kState).substr(0, length);
    EXPECT_EQ(begun_anew(), "begun") << length;
    EXPECT_FALSE(fs::exists(state_ + ".new"));
  }
  fs::remove(state_);
  fs::resize_file(part_, 0);  // it was killed before there was a note
  EXPECT_EQ(begun_anew(), "begun");
}

TEST_F(PartFileTest, WhatIsBehindTheEndOfTheObjectIsTakenAway) {
  leave_behind("abcdefghi, and more");
  PartFile file{path_, PartFile::Content::kKept};
  file.cut_to(9_B);
  file.cut_to(10_B);
  file.finish(9_B);
  EXPECT_EQ(content(path_), "abcdefghi");
}

TEST_F(PartFileTest, AFileThatWasPutInItsPlaceIsNotTakenForIt) {
  PartFile file{path_, PartFile::Content::kFresh};
  file.write(0_B, bytes("abc"));
  fs::rename(part_, part_ + ".away");
  fs::copy_file(others_, part_);
  EXPECT_THROW(file.finish(3_B), WriteError);
  EXPECT_FALSE(fs::exists(path_));
  file.discard();
  EXPECT_EQ(content(part_), "of somebody else");
}

TEST_F(PartFileTest, NamesThePathThatCannotBe) {
  try {
    PartFile file{directory_ + "/no/object", PartFile::Content::kFresh};
    FAIL();
  } catch (const WriteError& error) {
    EXPECT_NE(std::string{error.what()}.find("no/object.part: No such file"), std::string::npos) << error.what();
  }
  EXPECT_THROW((PartFile{directory_, PartFile::Content::kFresh}), WriteError);
}

TEST_F(PartFileTest, ANameThatNoFileCanHaveIsToldWithAWayOut) {
  const auto refusal = [&](const std::string& name) {
    return testing::refusal_by<WriteError>([&] { PartFile{directory_ + "/" + name, PartFile::Content::kFresh}; });
  };
  EXPECT_THAT(refusal(std::string(242, 'n')),
              HasSubstr("has 242 bytes, and at most 241 fit here: say a shorter -o FILE"));
  EXPECT_THAT(refusal(std::string(5000, 'n')), HasSubstr("at most 241 fit here"));
  EXPECT_THAT(refusal("others/object"), HasSubstr("others/object.part: Not a directory: say another -o FILE"));
  PartFile longest{directory_ + "/" + std::string(241, 'n'), PartFile::Content::kFresh};
  longest.note(kState);
  longest.finish(0_B);
}

TEST_F(PartFileTest, TheSinkNotesWhatIsThere) {
  PartFile file{path_, PartFile::Content::kFresh};
  DownloadState state{"http://host/object", 9_B, "", "", {}};
  ChunkSink sink{file, state, {{0_B, 3_B}, {3_B, 6_B}, {6_B, 9_B}}};
  sink.arrive(SegmentIndex{2}, 0, 0_B, bytes("ghi"));
  sink.arrive(SegmentIndex{0}, 0, 0_B, bytes("abc"));
  sink.save();
  EXPECT_EQ(state_from_json(content(PartFile::state_path(path_))).complete, (ByteSet{{0_B, 3_B}, {6_B, 9_B}}));
  sink.arrive(SegmentIndex{1}, 0, 0_B, bytes("def"));
  file.finish(9_B);
  EXPECT_EQ(content(path_), "abcdefghi");
  EXPECT_FALSE(std::filesystem::exists(PartFile::state_path(path_)));
}

TEST_F(PartFileTest, TheSinkKeepsWhatCameOfAChunkThatIsNotWhole) {
  PartFile file{path_, PartFile::Content::kFresh};
  DownloadState state{"http://host/object", 9_B, "", "", {}};
  ChunkSink sink{file, state, {{0_B, 3_B}, {3_B, 9_B}}};
  sink.arrive(SegmentIndex{1}, 0, 2_B, bytes("fg"));
  sink.arrive(SegmentIndex{0}, 0, 0_B, bytes("ab"));
  sink.save();
  EXPECT_EQ(state_from_json(content(PartFile::state_path(path_))).complete, (ByteSet{{0_B, 2_B}, {5_B, 7_B}}));
  EXPECT_EQ(content(PartFile::part_path(path_)).substr(5), "fg");
  sink.arrive(SegmentIndex{1}, 0, 0_B, bytes("defghi"));  // some of it once more
  sink.arrive(SegmentIndex{0}, 0, 2_B, bytes("c"));
  EXPECT_EQ(state.complete, (ByteSet{{0_B, 9_B}}));
  file.finish(9_B);
  EXPECT_EQ(content(path_), "abcdefghi");
}

/// A disk of 256 kB, which this process alone sees.
bool mount_small_disk(const std::string& folder) {
  fs::create_directory(folder);
  return unshare(CLONE_NEWNS) == 0 && mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0 &&
         mount("none", folder.c_str(), "tmpfs", 0, "size=256k") == 0;
}

TEST_F(PartFileTest, AFullDiskLeavesANoteOfAllThatIsThere) {
  const std::string disk = directory_ + "/disk";
  if (geteuid() != 0 || !mount_small_disk(disk)) GTEST_SKIP() << "only root can mount a small disk";
  path_ = disk + "/object";
  constexpr DataSize kWhole = 1_MB, kPiece = 1_kB;
  DataSize written;
  {
    PartFile file{path_, PartFile::Content::kFresh};
    DownloadState state{"http://host/object", kWhole, "", "", {}};
    ChunkSink sink{file, state, {{0_B, kWhole}}};
    sink.save();
    const std::string piece(static_cast<std::size_t>(kPiece.bytes()), 'x');
    const std::string why = testing::refusal_by<WriteError>([&] {
      for (; written < kWhole; written += kPiece) sink.arrive(SegmentIndex{0}, 0, written, bytes(piece));
    });
    EXPECT_THAT(why, HasSubstr("No space left on device"));
  }
  EXPECT_GT(written, 100_kB);
  EXPECT_EQ(state_from_json(content(PartFile::state_path(path_))).complete, (ByteSet{{0_B, written}}));
  umount(disk.c_str());
}

}  // namespace
}  // namespace tributary
