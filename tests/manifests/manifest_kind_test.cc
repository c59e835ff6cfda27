#include "manifests/manifest_kind.hh"

#include <gmock/gmock.h>

#include "manifest_files_of.hh"

namespace tributary {
namespace {

using ::testing::HasSubstr;

TEST(ManifestKind, IsToldByTheFirstBytes) {
  EXPECT_EQ(manifest_kind("#EXTM3U\n#EXT-X-VERSION:3\n"), ManifestKind::kHls);
  EXPECT_EQ(manifest_kind("\xef\xbb\xbf#EXTM3U\r\n"), ManifestKind::kHls);
  EXPECT_EQ(manifest_kind("<?xml version=\"1.0\"?>\n<!-- made by -->\n<MPD xmlns=\"urn:mpeg:dash:schema:mpd:2011\">"),
            ManifestKind::kMpd);
  EXPECT_EQ(manifest_kind("\n {\"format\": \"tributary-index\"}"), ManifestKind::kIndex);
  EXPECT_EQ(manifest_kind("<html><body>"), std::nullopt);
  EXPECT_EQ(manifest_kind(""), std::nullopt);
}

TEST(ManifestKind, WhatIsNoneIsNamed) {
  EXPECT_EQ(looks_like(std::string_view{"\0\0\0\x20"
                                        "ftypisom",
                                        12}),
            "an MP4 file");
  EXPECT_EQ(looks_like("\x1a\x45\xdf\xa3"), "a Matroska or WebM file");
  EXPECT_EQ(looks_like("\x1f\x8b\x08"), "packed with gzip");
  EXPECT_EQ(looks_like("  <!DOCTYPE html>"), "a web page, or another kind of XML");
  EXPECT_EQ(looks_like(" \n"), "empty");
  EXPECT_THAT(testing::refusal("<html>"), HasSubstr("it is a web page"));
}

TEST(ManifestKind, ABeginningIsEnoughToKnowThatItIsNone) {
  const std::string film{
      "\0\0\0\x20"
      "ftypisom",
      12};
  EXPECT_TRUE(may_be_manifest(film.substr(0, 5))) << "too little to tell";
  EXPECT_FALSE(may_be_manifest(film));
  EXPECT_TRUE(may_be_manifest(""));
  EXPECT_TRUE(may_be_manifest("<!-- a long comment"));
  EXPECT_FALSE(may_be_manifest("<!-- a long comment" + std::string(64'000, ' ')));
  EXPECT_TRUE(may_be_manifest("#EXTM3U\n" + std::string(64'000, '#')));
}

TEST(ManifestKind, WhichProgramIsForIt) {
  EXPECT_EQ(
      why_no_manifest(std::string_view{"\0\0\0\x20"
                                       "ftypisom",
                                       12},
                      "video/mp4"),
      "this is no manifest (index.json, MPD or m3u8): it is an MP4 file (video/mp4); tributary-get fetches it as a "
      "file, tributary-proxy plays it in other players, and tributary-segment makes a title of it");
  EXPECT_THAT(why_no_manifest("something", "video/quicktime"),
              HasSubstr("something else (video/quicktime); tributary-get"));
  EXPECT_EQ(why_no_manifest("<html>"),
            "this is no manifest (index.json, MPD or m3u8): it is a web page, or another kind of XML");
}

TEST(ManifestKind, AnIndexIsReadAsOne) { EXPECT_THAT(testing::refusal("{\"format\": 5}"), HasSubstr("format")); }

}  // namespace
}  // namespace tributary
