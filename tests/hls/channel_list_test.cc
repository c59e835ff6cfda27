#include "hls/channel_list.hh"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tributary::hls {
namespace {

using ::testing::ElementsAre;
using ::testing::Optional;

TEST(ChannelList, HasNamesAndAddresses) {
  EXPECT_THAT(read_channels("\xef\xbb\xbf#EXTM3U url-tvg=\"http://guide\"\r\n"
                            "#EXTINF:-1 tvg-id=\"a\" group-title=\"News, all\",The News, live\r\n#EXTVLCOPT:x=1\r\n"
                            "http://h/news.m3u8\r\n#EXTINF:-1,Tele \xe9t\xe9\r\nsport/list.m3u8\r\nlast.ts\r\n"),
              Optional(ElementsAre(Channel{"The News, live", "http://h/news.m3u8"},
                                   Channel{"Tele \u00e9t\u00e9", "sport/list.m3u8"}, Channel{"", "last.ts"})));
  EXPECT_THAT(read_channels("#EXTM3U\n#EXTINF:0 tvg-logo=\"l\",\x1b[2J \u00e9\na\n"),
              Optional(ElementsAre(Channel{" [2J \u00e9", "a"})));
  EXPECT_THAT(read_channels("#EXTM3U\n#EXTINF:-1 group-title=\"open,Name\na\n"),
              Optional(ElementsAre(Channel{"Name", "a"})));
}

TEST(ChannelList, MayBeOfFiles) {
  EXPECT_THAT(read_channels("#EXTM3U\n#EXTINF:123,Artist - Title\nmusic/one.MP3?a=b.c\n#EXTINF:99,Two\ntwo.ts\n"),
              Optional(ElementsAre(Channel{"Artist - Title", "music/one.MP3?a=b.c"}, Channel{"Two", "two.ts"})));
  EXPECT_THAT(read_channels("#EXTM3U\nfilm.mp4\n"), Optional(ElementsAre(Channel{"", "film.mp4"})));
  EXPECT_TRUE(is_file({"", "a/film.mkv#t=1"}));
  EXPECT_FALSE(is_file({"", "http://h/stream.mp4/1"}));
  EXPECT_FALSE(is_file({"", "tv.m3u8"}));
  EXPECT_TRUE(read_channels("#EXTM3U\n#EXTINF:0,One\ntv.m3u8\n")) << "a list of playlists";
}

TEST(ChannelList, IsNoPlaylistOfHls) {
  EXPECT_FALSE(read_channels("#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXTINF:4,\n1.mp4\n"));
  EXPECT_FALSE(read_channels("#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXTINF:-1,\n1.ts\n"));
  EXPECT_FALSE(read_channels("#EXTM3U\n#EXTINF:-1,\n1.ts\n#EXT-X-ENDLIST\n"));
  EXPECT_FALSE(read_channels("#EXTM3U\n#EXTINF:4,a=b\n1.ts\n"));
  EXPECT_FALSE(read_channels("#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nlow.m3u8\n"));
  EXPECT_FALSE(read_channels("#EXTM3U\n"));
}

TEST(ChannelList, MayBeLong) {
  std::string text = "#EXTM3U\n";
  for (int i = 0; i < 20'000; ++i) text += fmt::format("#EXTINF:-1,Channel {0}\nhttp://h/{0}.m3u8\n", i);
  EXPECT_EQ(read_channels(text).value().size(), 20'000U);
}

}  // namespace
}  // namespace tributary::hls
