#include "proxy/rewriting/title_files.hh"

#include <gtest/gtest.h>

#include "title_files_samples.hh"

namespace tributary::proxy {
namespace {

using namespace literals;
using samples::kNow;
using std::chrono::milliseconds;

constexpr auto kIndex = R"({"format": "tributary-index", "version": 1, "type": "vod", "complete": true,
  "generator": "x", "segmentDuration": 2.0, "manifests": {"hls": "master.m3u8", "dash": "manifest.mpd"},
  "tracks": [{"id": "low", "kind": "video", "group": "video", "codec": "avc1.64001e", "mime": "video/mp4",
     "timescale": 10, "offset": 0, "width": 640, "height": 360, "frameRate": [25, 1],
     "bitrate": {"target": 750000, "max": 901000, "average": 748000, "peak": 901000},
     "init": {"uri": "low/init.mp4", "bytes": 742}, "uri": "low/{n:05}.m4s", "first": 1, "start": 0,
     "durations": [[20, 2], [5, 1]], "bytes": [187003, 225250, 61002]}]})";

TEST(TitleFilesOfIndex, KnowAllFiles) {
  TitleFiles files{"/1"};
  const auto result = files.take_in(kIndex, "http://h/film/index.json");
  EXPECT_EQ(result.text, kIndex);
  EXPECT_FALSE(result.live);
  const auto second = files.file(*files.upstream("/1/0/film/low/00002.m4s"), {}, kNow);
  ASSERT_TRUE(second);
  EXPECT_EQ(second->size, 225'250_B);
  EXPECT_EQ(files.next(*second, kNow)->duration, milliseconds{500});
  EXPECT_EQ(files.kind("http://h/film/master.m3u8"), FileKind::kManifest);
  EXPECT_EQ(files.upstream("/1/0/film/low/00004.m4s"), std::nullopt);
}

TEST(TitleFilesOfIndex, KnowWhatPlayersReadInstead) {
  const auto hls = manifest_for_players(kIndex, "http://h/film/index.json");
  ASSERT_TRUE(hls);
  EXPECT_EQ(hls->url, "http://h/film/master.m3u8");
  EXPECT_EQ(hls->kind, TitleKind::kHls);
  EXPECT_FALSE(hls->live);
  const std::string text = kIndex, name = R"("hls": "master.m3u8", )";
  const auto dash =
      manifest_for_players(std::string{text}.erase(text.find(name), name.size()), "http://h/film/index.json");
  ASSERT_TRUE(dash);
  EXPECT_EQ(dash->url, "http://h/film/manifest.mpd");
  EXPECT_EQ(dash->kind, TitleKind::kDash);
}

}  // namespace
}  // namespace tributary::proxy
