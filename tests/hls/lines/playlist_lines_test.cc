#include "hls/lines/playlist_lines.hh"

#include <gtest/gtest.h>

#include <vector>

#include "hls/lines/playlist_limits.hh"
#include "hls/playlist_texts.hh"

namespace tributary::hls {
namespace {

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> result;
  PlaylistLines lines{text};
  while (const auto line = lines.next()) {
    result.push_back(std::to_string(line->number) + " " + std::string{line->tag} + "|" + std::string{line->value});
  }
  return result;
}

TEST(PlaylistLines, TagsAndAddressesComeWithTheirNumbers) {
  EXPECT_EQ(lines_of("#EXTM3U\n#EXT-X-VERSION:3\n\n# a comment\n#EXTINF:2,\na.ts\n#EXT-X-ENDLIST"),
            (std::vector<std::string>{"2 EXT-X-VERSION|3", "5 EXTINF|2,", "6 |a.ts", "7 EXT-X-ENDLIST|"}));
}

TEST(PlaylistLines, EveryEndOfLineCountsOnce) {
  const std::vector<std::string> expected{"2 EXTINF|2,", "4 |a.ts"};
  for (const std::string end : {"\n", "\r\n", "\r"}) {
    EXPECT_EQ(lines_of("#EXTM3U" + end + "#EXTINF:2," + end + end + "a.ts"), expected);
    EXPECT_EQ(lines_of("#EXTM3U" + end + "#EXTINF:2," + end + end + "a.ts" + end), expected);
  }
}

TEST(PlaylistLines, AByteOrderMarkAndBlanksCountForNothing) {
  EXPECT_EQ(lines_of("\xef\xbb\xbf#EXTM3U\n \t#EXT-X-KEY : METHOD=NONE \n\t a b.ts \n   \n"),
            (std::vector<std::string>{"2 EXT-X-KEY|METHOD=NONE", "3 |a b.ts"}));
  EXPECT_EQ(lines_of("\n \r\n#EXTM3U x-tvg-url=\"\"\na"), (std::vector<std::string>{"4 |a"}));
}

TEST(PlaylistLines, AColonMayStandInTheValue) {
  EXPECT_EQ(lines_of("#EXTM3U\n#EXT-X-PROGRAM-DATE-TIME:2026-01-02T03:04:05Z"),
            (std::vector<std::string>{"2 EXT-X-PROGRAM-DATE-TIME|2026-01-02T03:04:05Z"}));
}

TEST(PlaylistLines, FirstBytesTellAPlaylist) {
  for (const char* text : {"#EXTM3U", "#EXTM3U\n", "\xef\xbb\xbf#EXTM3U\r\n", "\n #EXTM3U"}) {
    EXPECT_TRUE(looks_like_playlist(text)) << text;
  }
  for (const char* text :
       {"", "#", "#EXTM3", "\xef\xbb\xbf", "# c\n#EXTM3U", "<MPD/>", "{}", "#extm3u", "x#EXTM3U", "  "}) {
    EXPECT_FALSE(looks_like_playlist(text)) << text;
    EXPECT_THROW(PlaylistLines{text}, PlaylistError) << text;
  }
}

TEST(PlaylistLines, WhatIsTooLongIsRefusedWithItsPlace) {
  const std::string longest = "#EXTM3U\n" + std::string(kMaxLineLength, 'a');
  EXPECT_EQ(lines_of(longest).size(), 1u);
  EXPECT_EQ(refusal(std::string(kMaxLineLength + 1, 'a')),
            "line 2: the line has 262145 bytes; at most 262144 are read");
  EXPECT_EQ(refusal(std::string(kMaxLines, '\n')), "line 2000001: at most 2000000 lines are read");
  EXPECT_EQ(refusal(std::string(kMaxPlaylistSize, '\n')),
            "the playlist has 16777224 bytes; at most 16777216 bytes are read");
}

TEST(PlaylistLines, QuotationsAreShortAndCutBetweenCharacters) {
  EXPECT_EQ(in_quotes("a"), "\"a\"");
  EXPECT_EQ(in_quotes(std::string(61, 'a')), "\"" + std::string(60, 'a') + "...\"");
  EXPECT_EQ(in_quotes(std::string(59, 'a') + "\xc3\xa4\xc3\xa4"), "\"" + std::string(59, 'a') + "...\"");
  EXPECT_EQ(in_quotes(std::string(100, '\x80')), "\"...\"");
}

}  // namespace
}  // namespace tributary::hls
