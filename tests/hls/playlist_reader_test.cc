#include "hls/playlist_reader.hh"

#include <gtest/gtest.h>

#include "playlist_texts.hh"

namespace tributary::hls {
namespace {

const std::string kMedia =
    "#EXT-X-TARGETDURATION:2\n#EXT-X-KEY:METHOD=AES-128,URI=\"k\"\n#EXTINF:2,\na.ts\n#EXT-X-ENDLIST\n";
const std::string kMultivariant =
    "#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=\"a\",NAME=\"n\"\n#EXT-X-STREAM-INF:BANDWIDTH=1,AUDIO=\"a\"\nv.m3u8\n";

TEST(PlaylistReader, TellsTheKindByItsTags) {
  EXPECT_TRUE(std::holds_alternative<MediaPlaylist>(read_playlist("#EXTM3U\n" + kMedia)));
  EXPECT_TRUE(std::holds_alternative<MultivariantPlaylist>(read_playlist("#EXTM3U\n" + kMultivariant)));
  // Tags that both have decide nothing.
  const std::string shared =
      "#EXT-X-VERSION:4\n#EXT-X-INDEPENDENT-SEGMENTS\n#EXT-X-START:TIME-OFFSET=1\n#EXT-X-PLAYLIST-TYPE:VOD\n";
  EXPECT_EQ(media(shared + kMedia).segments.size(), 1u);
  EXPECT_EQ(multivariant(shared + kMultivariant).variants.size(), 1u);
}

TEST(PlaylistReader, RefusesWhatIsNeitherOrBoth) {
  EXPECT_EQ(refusal(""), "the playlist lists neither variants nor segments");
  EXPECT_EQ(refusal("#EXT-X-VERSION:3\nhttp://radio.example/\n"), "the playlist lists neither variants nor segments");
  EXPECT_EQ(refusal(kMedia + kMultivariant),
            "line 8, EXT-X-STREAM-INF: a playlist with EXTINF (line 4) cannot have it");
  EXPECT_EQ(refusal(kMultivariant + kMedia),
            "line 7, EXTINF: a playlist with EXT-X-STREAM-INF (line 3) cannot have it");
  EXPECT_THROW(read_playlist(""), PlaylistError);
  EXPECT_THROW(read_playlist("<html>"), PlaylistError);
  EXPECT_THROW(read_playlist("# comment\n#EXTM3U\n" + kMedia), PlaylistError);
}

TEST(PlaylistReader, EveryBeginningOfATextIsReadOrRefused) {
  for (const std::string& lines : {kMedia, kMultivariant}) {
    const std::string text = "\xef\xbb\xbf#EXTM3U\r\n" + lines;
    for (std::size_t size = 0; size <= text.size(); ++size) {
      try {
        read_playlist(std::string_view{text}.substr(0, size));
      } catch (const PlaylistError& error) {
        EXPECT_STRNE(error.what(), "");
      }
    }
  }
}

TEST(PlaylistReader, TheEndOfLinesChangesNothing) {
  for (const std::string& lines : {kMedia, kMultivariant}) {
    std::string with_returns;
    for (const char c : lines) with_returns += c == '\n' ? std::string{"\r\n"} : std::string{c};
    EXPECT_EQ(read_playlist("#EXTM3U\n" + lines), read_playlist("\xef\xbb\xbf#EXTM3U\r\n" + with_returns));
    EXPECT_EQ(read_playlist("#EXTM3U\n" + lines), read_playlist("#EXTM3U\n" + lines.substr(0, lines.size() - 1)));
  }
}

}  // namespace
}  // namespace tributary::hls
