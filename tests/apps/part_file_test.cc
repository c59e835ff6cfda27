#include "apps/get/part_file.hh"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "apps/get/chunk_sink.hh"
#include "support/files.hh"

namespace tributary {
namespace {

using namespace literals;

using testing::bytes;
using testing::content;

class PartFileTest : public testing::DirectoryTest {
 protected:
  std::string path_ = directory_ + "/object";
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
  PartFile{path_, PartFile::Content::kFresh}.write(0_B, bytes("abc"));
  EXPECT_EQ((PartFile{path_, PartFile::Content::kKept}.size()), 3_B);
  EXPECT_EQ((PartFile{path_, PartFile::Content::kFresh}.size()), 0_B);
}

TEST_F(PartFileTest, TwoDownloadsDoNotWriteTheSameFile) {
  PartFile first{path_, PartFile::Content::kFresh};
  first.write(0_B, bytes("abc"));
  EXPECT_THROW((PartFile{path_, PartFile::Content::kFresh}), WriteError);
  EXPECT_EQ(first.size(), 3_B);
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

TEST_F(PartFileTest, TheSinkNotesWhatIsThere) {
  PartFile file{path_, PartFile::Content::kFresh};
  DownloadState state{"http://host/object", 9_B, "", "", {}};
  ChunkSink sink{file, PartFile::state_path(path_), state, {{0_B, 3_B}, {3_B, 6_B}, {6_B, 9_B}}};
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
  ChunkSink sink{file, PartFile::state_path(path_), state, {{0_B, 3_B}, {3_B, 9_B}}};
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

}  // namespace
}  // namespace tributary
