#include "manifests/channel_choice.hh"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "manifest_files_of.hh"

namespace tributary {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;
using testing::opened;
using testing::refusal;

TEST(ChannelChoice, NamesTheChannels) {
  EXPECT_EQ(
      refusal("#EXTM3U\n#EXTINF:-1 group-title=\"News\",The News\nnews.m3u8?token=secret\n#EXTINF:-1,\n//other/b\n",
              "https://tv.example/lists/all.m3u"),
      "this is a list of 2 channels: choose with --channel NUMBER or NAME, or #channel=NUMBER at the end of its address\n"
      "  1 The News: https://tv.example/lists/news.m3u8?...\n  2 https://other/b");
}

constexpr const char* kListUrl = "https://tv.example/lists/all.m3u";
constexpr const char* kChannels =
    "#EXTM3U\n#EXTINF:-1,News\nnews.m3u8\n#EXTINF:-1,News Extra\nextra.m3u8\n#EXTINF:-1,Télé Sport\n//other/sport\n"
    "#EXTINF:-1,Twice\n4\n#EXTINF:-1,twice\n5\n#EXTINF:-1,2\nrtmp://h/6\n";

std::optional<std::string> chosen(const std::string& channel) { return chosen_channel(kChannels, kListUrl, {channel}); }

std::string refusal_of(const std::string& channel, const std::string& list = kChannels) {
  try {
    ADD_FAILURE() << chosen_channel(list, kListUrl, {channel}).value_or("no list");
  } catch (const ManifestError& error) {
    return error.what();
  }
  return "";
}

TEST(ChannelChoice, IsByNumberOrNameInAnyCase) {
  EXPECT_EQ(chosen("1"), "https://tv.example/lists/news.m3u8");
  EXPECT_EQ(chosen("2"), "https://tv.example/lists/extra.m3u8") << "a number, and not the name";
  EXPECT_EQ(chosen("news"), "https://tv.example/lists/news.m3u8") << "a whole name comes before a part of another";
  EXPECT_EQ(chosen("EXTRA"), "https://tv.example/lists/extra.m3u8");
  EXPECT_EQ(chosen("TÉLÉ sport"), "https://other/sport");
  EXPECT_EQ(chosen_channel("#EXTM3U\n#EXTINF:-1,One\na.ts\n", kListUrl, {}), "https://tv.example/lists/a.ts");
}

TEST(ChannelChoice, NamesThoseThatMayBeMeant) {
  EXPECT_EQ(refusal_of("twice"),
            "\"twice\" may be each of 2 in the list\n  4 Twice: https://tv.example/lists/4\n"
            "  5 twice: https://tv.example/lists/5");
  EXPECT_EQ(refusal_of("the sport"),
            "there is no \"the sport\" in this list of 6 channels\n  3 Télé Sport: https://other/sport");
  EXPECT_THAT(refusal_of("xyz"), HasSubstr("in this list of 6 channels\n  1 News: "));
  EXPECT_THAT(refusal_of("0"), HasSubstr("there is no \"0\""));
  EXPECT_THAT(refusal_of("7"), HasSubstr("there is no \"7\""));
  EXPECT_THAT(refusal_of("99999999999999999999999"), HasSubstr("there is no "));
  EXPECT_THAT(refusal_of(""), HasSubstr("there is no \"\""));
  EXPECT_THAT(refusal_of("6"), HasSubstr("rtmp")) << "no web server has it";
}

TEST(ChannelChoice, IsThatOfAFileInAListOfFiles) {
  const std::string files = "#EXTM3U\n#EXTINF:123,Artist - Title\none.mp3\n#EXTINF:99,Other\ntwo.mp3\n";
  EXPECT_THAT(refusal(files, kListUrl), HasSubstr("this is a list of 2 files: choose"));
  EXPECT_EQ(chosen_channel(files, kListUrl, {"artist"}), "https://tv.example/lists/one.mp3");
}

TEST(ChannelChoice, IsNotThatOfOtherTexts) {
  EXPECT_EQ(chosen_channel("#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXTINF:4,\n1.ts\n", kListUrl, {"1"}), std::nullopt);
  EXPECT_EQ(chosen_channel("#EXTM3U\n", kListUrl, {}), std::nullopt);
}

TEST(ChannelChoice, IsBounded) {
  std::string text = "#EXTM3U\n";
  for (int i = 1; i <= 20'000; ++i) text += fmt::format("#EXTINF:-1,{}\nhttp://h/{}\n", std::string(200, 'x'), i);
  const std::string why = refusal(text, "https://tv.example/all.m3u");
  EXPECT_THAT(why, HasSubstr("\n  20 http://h/20\n"));
  EXPECT_THAT(why, EndsWith("\n  and 19980 more"));
}

TEST(ChannelChoice, APlaylistOfHlsWithADurationOfMinusOneIsPlayed) {
  const Opened title =
      opened("#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXTINF:-1,\n1.ts\n#EXTINF:-1,\n2.ts\n#EXT-X-ENDLIST\n",
             "https://tv.example/list.m3u8");
  EXPECT_EQ(title.presentation.tracks.at(0).sizes.size(), 2U);
}

}  // namespace
}  // namespace tributary
