#include "segmenter/libav/input_formats.hh"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "temporary_directory.hh"

namespace tributary::segmenter {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::Not;

std::vector<std::string> formats(const std::string& input) {
  std::vector<std::string> all;
  std::istringstream names{formats_of(input)};
  for (std::string name; std::getline(names, name, ',');) all.push_back(name);
  return all;
}

TEST(InputFormats, WhatLeadsToOtherFilesIsTakenOnlyByItsName) {
  for (const char* const film : {"upload.mp4", "-", "film.ts", "http://example.org/film?list=a.m3u8"}) {
    EXPECT_THAT(formats(film), AllOf(Contains("mov"), Contains("mpegts"))) << film;
    for (const char* const other : {"hls", "dash", "concat", "image2", "sdp", "rtsp", "vobsub", "imf"})
      EXPECT_THAT(formats(film), Not(Contains(other))) << film;
  }
  EXPECT_THAT(formats("list.m3u8"), Contains("hls"));
  EXPECT_THAT(formats("https://example.org/MASTER.M3U8?token=abc"), Contains("hls"));
  EXPECT_THAT(formats("manifest.mpd"), Contains("dash"));
  EXPECT_THAT(formats("parts.ffconcat"), Contains("concat"));
  EXPECT_THAT(formats("rtp://239.0.0.1:5004"), Contains("rtp"));
  EXPECT_THAT(formats("frame%03d.png"), Contains("image2"));
}

TEST(InputFormats, AFileWhoseNameIsLikeAPatternIsThatFile) {
  const TemporaryDirectory directory;
  const std::string file = directory.path() / "frame%03d.png";
  std::ofstream{file} << "x";
  EXPECT_THAT(formats(file), Not(Contains("image2")));
}

TEST(InputFormats, APlaylistUnderAnotherNameIsKnownByItsFormat) {
  const TemporaryDirectory directory;
  const std::string upload = directory.path() / "upload.mp4";
  std::ofstream{upload} << "#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXTINF:2,\nother.ts\n#EXT-X-ENDLIST\n";
  EXPECT_EQ(refused_format(upload, formats_of(upload)), "hls");
  std::ofstream{upload} << "ffconcat version 1.0\nfile other.mp4\n";
  EXPECT_EQ(refused_format(upload, formats_of(upload)), "concat");
  EXPECT_EQ(refused_format(directory.path() / "nothing.mp4", formats_of(upload)), "");
}

}  // namespace
}  // namespace tributary::segmenter
