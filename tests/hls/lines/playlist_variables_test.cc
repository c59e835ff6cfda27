#include "hls/lines/playlist_variables.hh"

#include <gtest/gtest.h>

#include "hls/lines/playlist_limits.hh"
#include "hls/playlist_texts.hh"

namespace tributary::hls {
namespace {

std::string address_of(const std::string& lines, const PlaylistVariables& outside = {}) {
  return media(lines, outside).segments.at(0).uri;
}

TEST(PlaylistVariables, StandInAddressesAndAttributes) {
  const std::string define =
      "#EXT-X-DEFINE:NAME=\"host\",VALUE=\"https://a.example\"\n#EXT-X-DEFINE:NAME=\"x-1_\",VALUE=\"\"\n";
  EXPECT_EQ(address_of(define + "#EXTINF:1,\n{$host}/{$x-1_}a{$host}.ts\n"), "https://a.example/ahttps://a.example.ts");
  const MediaPlaylist playlist = media(define + "#EXT-X-MAP:URI=\"{$host}/i.mp4\"\n#EXTINF:1,\na\n");
  EXPECT_EQ(playlist.maps.at(0).uri, "https://a.example/i.mp4");
}

TEST(PlaylistVariables, BringNothingThatNeedsQuotationMarks) {
  const auto playlist = [](const std::string& value, const std::string& attribute) {
    return "#EXT-X-DEFINE:NAME=\"m\",VALUE=\"" + value + "\"\n#EXT-X-KEY:METHOD=" + attribute + "\n#EXTINF:1,\na\n";
  };
  EXPECT_EQ(media(playlist("S,\tX", "\"A{$m}\"")).keys.at(0).method_name, "AS,\tX");
  EXPECT_EQ(media(playlist("S", "A{$m}")).keys.at(0).method_name, "AS");
  for (const std::string value : {",", " ", "\t"})
    EXPECT_EQ(refusal(playlist(value, "A{$m}")), "line 3, EXT-X-KEY: METHOD=\"A" + value + "\" needs quotation marks");
}

TEST(PlaylistVariables, AValueMayUseEarlierVariables) {
  EXPECT_EQ(
      address_of("#EXT-X-DEFINE:NAME=\"a\",VALUE=\"1\"\n#EXT-X-DEFINE:NAME=\"b\",VALUE=\"{$a}2\"\n#EXTINF:1,\n{$b}\n"),
      "12");
}

TEST(PlaylistVariables, WhatOnlyLooksLikeAReferenceStays) {
  for (const std::string text : {"{$}", "{$a b}", "{$a", "{a}", "$a", "{{$", "x{$"}) {
    EXPECT_EQ(address_of("#EXTINF:1,\n" + text + "\n"), text);
  }
}

TEST(PlaylistVariables, ComeFromTheMultivariantPlaylist) {
  const MultivariantPlaylist parent =
      multivariant("#EXT-X-DEFINE:NAME=\"t\",VALUE=\"secret\"\n#EXT-X-STREAM-INF:BANDWIDTH=1\nv?{$t}\n");
  EXPECT_EQ(parent.variants.at(0).uri, "v?secret");
  EXPECT_EQ(address_of("#EXT-X-DEFINE:IMPORT=\"t\"\n#EXTINF:1,\na?{$t}\n", {parent.variables, ""}), "a?secret");
}

TEST(PlaylistVariables, ComeFromTheQuery) {
  const PlaylistVariables outside{{}, "x=1&token=a%2Fb+c%zz%4&y&token=second"};
  EXPECT_EQ(address_of("#EXT-X-DEFINE:QUERYPARAM=\"token\"\n#EXTINF:1,\n{$token}\n", outside), "a/b+c%zz%4");
  EXPECT_EQ(address_of("#EXT-X-DEFINE:QUERYPARAM=\"y\"\n#EXTINF:1,\n-{$y}\n", outside), "-");
}

TEST(PlaylistVariables, ErrorsNameTheirPlace) {
  const std::string define = "#EXT-X-DEFINE:NAME=\"a\",VALUE=\"1\"\n";
  EXPECT_EQ(refusal("#EXTINF:1,\n{$b}\n"), "line 3: no EXT-X-DEFINE before defines \"b\"");
  EXPECT_EQ(refusal("#EXT-X-MAP:URI=\"{$b}\"\n"), "line 2, EXT-X-MAP: no EXT-X-DEFINE before defines \"b\"");
  EXPECT_EQ(refusal("#EXTINF:1,\n{$a}\n" + define), "line 3: no EXT-X-DEFINE before defines \"a\"");
  EXPECT_EQ(refusal(define + define + "#EXTINF:1,\nb\n"), "line 3, EXT-X-DEFINE: \"a\" is defined twice");
  EXPECT_EQ(refusal("#EXT-X-DEFINE:NAME=\"a\"\n#EXTINF:1,\nb\n"), "line 2, EXT-X-DEFINE: VALUE is missing");
  EXPECT_EQ(refusal("#EXT-X-DEFINE:NAME=\"a b\",VALUE=\"\"\n#EXTINF:1,\nb\n"),
            "line 2, EXT-X-DEFINE: \"a b\" is not a name of letters, digits, \"-\" and \"_\"");
  EXPECT_EQ(refusal("#EXT-X-DEFINE:NAME=\"\",VALUE=\"\"\n#EXTINF:1,\nb\n"),
            "line 2, EXT-X-DEFINE: \"\" is not a name of letters, digits, \"-\" and \"_\"");
  EXPECT_EQ(refusal("#EXT-X-DEFINE:FOO=\"a\"\n#EXTINF:1,\nb\n"),
            "line 2, EXT-X-DEFINE: neither NAME nor IMPORT nor QUERYPARAM is there");
  EXPECT_EQ(refusal("#EXT-X-DEFINE:IMPORT=\"a\"\n#EXTINF:1,\nb\n"),
            "line 2, EXT-X-DEFINE: the multivariant playlist defines no variable \"a\"");
  EXPECT_EQ(refusal("#EXT-X-DEFINE:QUERYPARAM=\"a\"\n#EXTINF:1,\nb\n", {{}, "b=1"}),
            "line 2, EXT-X-DEFINE: the address of the playlist has no query parameter \"a\"");
}

TEST(PlaylistVariables, DoNotMultiplyTheText) {
  const std::string value(60'000, 'a');
  const std::string define = "#EXT-X-DEFINE:NAME=\"a\",VALUE=\"" + value + "\"\n";
  EXPECT_EQ(refusal(define + "#EXTINF:1,\n" + repeated("{$a}", 5) + "\n"), "line 4: variables make the text too long");
  EXPECT_EQ(refusal(define + repeated("#EXTINF:1,\n{$a}\n", 300)), "line 562: variables make the text too long");
  // Each doubles the one before.
  std::string doubled = "#EXT-X-DEFINE:NAME=\"a0\",VALUE=\"aaaaaaaa\"\n";
  for (int i = 0; i < 40; ++i) {
    const std::string before = "{$a" + std::to_string(i) + "}";
    doubled += "#EXT-X-DEFINE:NAME=\"a" + std::to_string(i + 1) + "\",VALUE=\"" + before + before + "\"\n";
  }
  EXPECT_EQ(refusal(doubled + "#EXTINF:1,\nb\n"), "line 18, EXT-X-DEFINE: variables make the text too long");
}

TEST(PlaylistVariables, HaveABound) {
  std::string defines;
  for (std::size_t i = 0; i <= kMaxVariables; ++i)
    defines += "#EXT-X-DEFINE:NAME=\"" + std::to_string(i) + "\",VALUE=\"\"\n";
  EXPECT_EQ(refusal(defines + "#EXTINF:1,\nb\n"), "line 1002, EXT-X-DEFINE: at most 1000 variables are read");
}

}  // namespace
}  // namespace tributary::hls
