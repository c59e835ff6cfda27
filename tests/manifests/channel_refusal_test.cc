#include "manifests/channel_refusal.hh"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "manifest_files_of.hh"

namespace tributary {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;
using testing::opened;
using testing::refusal;

TEST(ChannelRefusal, NamesTheChannels) {
  EXPECT_EQ(
      refusal("#EXTM3U\n#EXTINF:-1 group-title=\"News\",The News\nnews.m3u8?token=secret\n#EXTINF:-1,\n//other/b\n",
              "https://tv.example/lists/all.m3u"),
      "this is a list of 2 channels, each of which is opened by its own address:\n"
      "  1 The News: https://tv.example/lists/news.m3u8?...\n  2 https://other/b");
}

TEST(ChannelRefusal, IsBounded) {
  std::string text = "#EXTM3U\n";
  for (int i = 1; i <= 20'000; ++i) text += fmt::format("#EXTINF:-1,{}\nhttp://h/{}\n", std::string(200, 'x'), i);
  const std::string why = refusal(text, "https://tv.example/all.m3u");
  EXPECT_THAT(why, HasSubstr("\n  20 http://h/20\n"));
  EXPECT_THAT(why, EndsWith("\n  and 19980 more"));
}

TEST(ChannelRefusal, APlaylistOfHlsWithADurationOfMinusOneIsPlayed) {
  const Opened title =
      opened("#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXTINF:-1,\n1.ts\n#EXTINF:-1,\n2.ts\n#EXT-X-ENDLIST\n",
             "https://tv.example/list.m3u8");
  EXPECT_EQ(title.presentation.tracks.at(0).sizes.size(), 2U);
}

}  // namespace
}  // namespace tributary
