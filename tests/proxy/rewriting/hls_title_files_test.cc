#include "proxy/rewriting/title_files.hh"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "proxy/rewriting/rewriting_limits.hh"
#include "title_files_samples.hh"

namespace tributary::proxy {
namespace {

using namespace literals;
using samples::kNow;
using samples::refusal;
using std::chrono::milliseconds;
using std::chrono::seconds;
using ::testing::HasSubstr;

constexpr auto kMaster = "https://cdn.example/film/master.m3u8?token=secret";
constexpr auto kMedia = "https://cdn.example/film/high/list.m3u8";

std::string playlist(const std::string& lines) { return "#EXTM3U\n" + lines; }

/// What becomes of a line of a playlist at kMedia.
std::string rewritten(const std::string& lines) {
  TitleFiles files{"/1"};
  return files.take_in(playlist(lines), kMedia).text.substr(8);
}

TEST(TitleFilesOfHls, KeepWhatLeadsToTheRightPlace) {
  const std::string text =
      "#EXTM3U\r\n#EXT-X-VERSION:7\r\n\r\n# a comment\r\n#EXT-X-SOMETHING-NEW:A=\"http://x/{$y}\",B=1\r\n"
      "#EXT-X-KEY:METHOD=SAMPLE-AES,URI=\"skd://key\",KEYFORMAT=\"com.apple.streamingkeydelivery\"\r\n"
      "#EXT-X-KEY:METHOD=SAMPLE-AES-CTR,URI=\"data:text/plain;base64,AAAA\",KEYFORMAT=\"urn:uuid:x\"\r\n"
      "#EXT-X-MAP:URI=\"../init.mp4\"\r\n#EXTINF:4,a title\r\n  1.m4s  \r\n#EXTINF:4,\r\n./2.m4s\r\n#EXT-X-ENDLIST";
  TitleFiles files{"/1"};
  const auto result = files.take_in(text, kMedia);
  EXPECT_EQ(result.text, text);
  EXPECT_EQ(result.content_type, "application/vnd.apple.mpegurl");
  EXPECT_FALSE(result.live);
  EXPECT_EQ(files.upstream("/1/0/film/high/1.m4s"), "https://cdn.example/film/high/1.m4s");
  EXPECT_EQ(files.upstream("/1/0/film/init.mp4?CMCD=x"), "https://cdn.example/film/init.mp4");
  EXPECT_EQ(files.upstream("/1/0/film/high/3.m4s"), std::nullopt);
  EXPECT_EQ(files.kind("https://cdn.example/film/high/2.m4s"), FileKind::kMedia);
  EXPECT_EQ(files.kind("https://cdn.example/film/high/3.m4s"), FileKind::kOther);
}

/// Some packagers write tags of both kinds.
TEST(TitleFilesOfHls, AreOfTheKindThatTheReaderSees) {
  for (const auto* const first : {"#EXT-X-CONTENT-STEERING:SERVER-URI=\"s\"\n", "#EXT-X-SESSION-DATA:DATA-ID=\"a\"\n",
                                  "#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=\"a\",NAME=\"a\",URI=\"a.m3u8\"\n"}) {
    TitleFiles files{"/1"};
    EXPECT_TRUE(files.take_in(playlist(std::string{first} + "#EXTINF:2,\n1.ts\n"), kMedia).live) << first;
    EXPECT_EQ(files.kind("https://cdn.example/film/high/1.ts"), FileKind::kMedia) << first;
    EXPECT_TRUE(files.file("https://cdn.example/film/high/1.ts", std::nullopt, kNow)) << first;
  }
  TitleFiles files{"/1"};
  (void)files.take_in(playlist("#EXT-X-TARGETDURATION:2\n#EXT-X-STREAM-INF:BANDWIDTH=1\nlow.m3u8\n"), kMedia);
  EXPECT_EQ(files.kind("https://cdn.example/film/high/low.m3u8"), FileKind::kManifest);
}

TEST(TitleFilesOfHls, NameWhatIsElsewhere) {
  EXPECT_EQ(rewritten("#EXTINF:2,\nhttps://other.example/a/1.ts\n"), "#EXTINF:2,\n/1/1/a/1.ts\n");
  EXPECT_EQ(rewritten("#EXTINF:2,\n/a/1.ts"), "#EXTINF:2,\n/1/0/a/1.ts");
  EXPECT_EQ(rewritten("#EXTINF:2,\n//h/1.ts"), "#EXTINF:2,\n/1/1/1.ts");
  EXPECT_EQ(rewritten("#EXTINF:2,\n../../../../1.ts"), "#EXTINF:2,\n/1/0/1.ts");
  EXPECT_EQ(rewritten("#EXTINF:2,\n../?part=2"), "#EXTINF:2,\n../?0") << "a folder that answers by a query";
  EXPECT_EQ(rewritten("#EXTINF:2,\na b.ts"), "#EXTINF:2,\n/1/0/film/high/a%20b.ts");
  EXPECT_EQ(rewritten("#EXTINF:2,\nhttp://user:password@h/1.ts"), "#EXTINF:2,\n/1/none");
}

TEST(TitleFilesOfHls, NameWhatPlayersDoNotAgreeOn) {
  EXPECT_EQ(rewritten("#EXTINF:2,\na/%2E/../1.ts"), "#EXTINF:2,\n/1/0/film/high/1.ts") << "dots that are escaped";
}

TEST(TitleFilesOfHls, KeepEncodedCharactersOfNames) {
  for (const char* name : {"seg%2F1.m4s", "seg%2f1.m4s", "a%20b.ts", "%7Ea.ts", "%C3%A4.ts"}) {
    TitleFiles files{"/1"};
    EXPECT_EQ(files.take_in(playlist(std::string{"#EXTINF:2,\n"}.append(name)), kMedia).text.substr(19), name);
    EXPECT_EQ(files.upstream(std::string{"/1/0/film/high/"}.append(name)),
              std::string{"https://cdn.example/film/high/"}.append(name));
    EXPECT_EQ(files.upstream("/1/0/film/high/seg/1.m4s"), std::nullopt);
  }
  // Browsers take an encoded dot for a dot, and other players do not.
  EXPECT_EQ(rewritten("#EXTINF:2,\n%2e%2e/1.ts"), "#EXTINF:2,\n/1/0/film/1.ts");
  EXPECT_EQ(rewritten("#EXTINF:2,\n.%2E/%2e/1%2Fa.ts"), "#EXTINF:2,\n/1/0/film/1%2Fa.ts");
}

TEST(TitleFilesOfHls, KeepQueriesToThemselves) {
  TitleFiles files{"/1", "/local"};
  const std::string target = files.local(kMaster);
  EXPECT_EQ(target, "/1/0/film/master.m3u8?0");
  EXPECT_EQ(files.upstream(target), kMaster);
  EXPECT_EQ(files.kind(kMaster), FileKind::kManifest);
  const auto result =
      files.take_in(playlist("#EXTINF:2,\n1.ts?token=secret\n#EXTINF:2,\n1.ts?other\n#EXTINF:2,\n/x?other\n"), kMaster);
  EXPECT_EQ(result.text, "#EXTM3U\n#EXTINF:2,\n1.ts?0\n#EXTINF:2,\n1.ts?1\n#EXTINF:2,\n/local/1/0/x?1\n");
  EXPECT_EQ(files.upstream("/1/0/film/1.ts?1"), "https://cdn.example/film/1.ts?other");
  EXPECT_EQ(files.upstream("/1/0/film/1.ts?1&CMCD=a"), "https://cdn.example/film/1.ts?other");
  EXPECT_EQ(files.upstream("/1/0/film/1.ts"), std::nullopt);
  EXPECT_EQ(files.upstream("/1/0/x?0"), std::nullopt);
  EXPECT_EQ(files.upstream("/1/0/film/1.ts?1&_HLS_msn=1"), "https://cdn.example/film/1.ts?other");  // no playlist
}

TEST(TitleFilesOfHls, RewriteEachAddressOfATag) {
  EXPECT_EQ(rewritten("#EXT-X-KEY:METHOD=AES-128,URI=\"https://keys/1?k\",IV=0x01\n"),
            "#EXT-X-KEY:METHOD=AES-128,URI=\"/1/1/1?0\",IV=0x01\n");
  EXPECT_EQ(rewritten("#EXT-X-PART:DURATION=1,URI=\"/p.mp4\"\n#EXT-X-PRELOAD-HINT:TYPE=PART,URI = /q.mp4 ,X=1\n"
                      "#EXT-X-RENDITION-REPORT:URI=\"/l.m3u8\",LAST-MSN=1\n"),
            "#EXT-X-PART:DURATION=1,URI=\"/1/0/p.mp4\"\n#EXT-X-PRELOAD-HINT:TYPE=PART,URI = \"/1/0/q.mp4\" ,X=1\n"
            "#EXT-X-RENDITION-REPORT:URI=\"/1/0/l.m3u8\",LAST-MSN=1\n");
  EXPECT_EQ(rewritten("#EXT-X-NEW:A=\"b,URI=/c\",URI=\"/d\n"), "#EXT-X-NEW:A=\"b,URI=/c\",URI=\"/1/0/d\"\n");
}

TEST(TitleFilesOfHls, LeadToWhatEachTagNames) {
  struct Case {
    std::string before, after;
    FileKind kind{};
  };
  const std::vector<Case> cases{
      {"#EXT-X-DATERANGE:ID=\"a\",CLASS=\"com.apple.hls.interstitial\",X-ASSET-URI=\"", "\",X-RESUME-OFFSET=0",
       FileKind::kManifest},
      {"#EXT-X-DATERANGE:ID=\"a\",CLASS=\"com.apple.hls.interstitial\",X-ASSET-LIST=\"", "\"", FileKind::kManifest},
      {"#EXT-X-DATERANGE:ID=\"a\",CLASS=\"com.apple.hls.preload\",X-TARGET-ID=\"b\",X-URI=\"", "\"",
       FileKind::kManifest},
      {"#EXT-X-SESSION-DATA:DATA-ID=\"a\",URI=\"", "\",LANGUAGE=\"en\"", FileKind::kOther},
      {"#EXT-X-SESSION-KEY:METHOD=AES-128,URI=\"", "\"", FileKind::kKey},
      {"#EXT-X-KEY:METHOD=AES-128,URI=\"", "\"", FileKind::kKey},
      {"#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=\"a\",NAME=\"b\",URI=\"", "\"", FileKind::kManifest},
      {"#EXT-X-I-FRAME-STREAM-INF:BANDWIDTH=1,URI=\"", "\"", FileKind::kManifest},
      {"#EXT-X-IMAGE-STREAM-INF:BANDWIDTH=1,URI=\"", "\"", FileKind::kManifest},
      {"#EXT-X-RENDITION-REPORT:URI=\"", "\",LAST-MSN=1", FileKind::kManifest},
      {"#EXT-X-MAP:URI=\"", "\"", FileKind::kMedia},
      {"#EXT-X-PART:DURATION=1,URI=\"", "\"", FileKind::kMedia},
      {"#EXT-X-PRELOAD-HINT:TYPE=PART,URI=\"", "\"", FileKind::kMedia},
  };
  for (const auto& [before, after, kind] : cases) {
    TitleFiles files{"/1", "/token"};
    const std::string far = files.take_in(playlist(before + "https://h/x?t=1" + after + "\n"), kMedia).text;
    EXPECT_EQ(far, playlist(before + "/token/1/1/x?0" + after + "\n"));
    EXPECT_EQ(files.upstream("/1/1/x?0"), "https://h/x?t=1") << before;
    EXPECT_EQ(files.kind("https://h/x?t=1"), kind) << before;
    EXPECT_EQ(files.take_in(playlist(before + "x/y" + after + "\n"), kMedia).text,
              playlist(before + "x/y" + after + "\n"));
    EXPECT_EQ(files.upstream("/1/0/film/high/x/y"), "https://cdn.example/film/high/x/y") << before;
    // What is no http is a matter between the player and its key system.
    for (const char* const name : {"skd://key", "urn:uuid:1-2", "urn:marlin:kid:x", "data:text/plain;base64,AA=="})
      EXPECT_EQ(rewritten(before + name + after), before + name + after);
  }
  // All paths lead through the proxy: steering has nothing to choose.
  EXPECT_EQ(rewritten("#EXT-X-CONTENT-STEERING:SERVER-URI=\"https://h/steer\",PATHWAY-ID=\"a\"\n"), "");
}

constexpr auto kBreak = "https://ads.example/break?u=1";

/// With a playlist that names kBreak as a list of assets.
TitleFiles files_with_break() {
  TitleFiles files{"/1", "/token"};
  files.take_in(playlist(fmt::format("#EXT-X-DATERANGE:ID=\"a\",X-ASSET-LIST=\"{}\"\n", kBreak)), kMedia);
  return files;
}

TEST(TitleFilesOfHls, ASegmentMayBeAKeyAsWell) {
  TitleFiles files{"/1", "/token"};
  files.take_in(playlist("#EXT-X-KEY:METHOD=AES-128,URI=\"https://h/1.ts\"\n#EXTINF:2,\nhttps://h/1.ts\n"), kMedia);
  EXPECT_EQ(files.kind("https://h/1.ts"), FileKind::kMedia);
}

TEST(TitleFilesOfHls, LeadToTheAssetsOfAnInterstitial) {
  TitleFiles files = files_with_break();
  const auto list = files.take_in(
      R"({"ASSETS": [{"URI": "https://cdn2.example/1/m.m3u8?t=2", "DURATION": 30.0, "X-AD": {"URI": "https://beacon"}},
                     {"URI": "2/m.m3u8", "DURATION": 15}, {"URI": 3}, null, {}],
          "SKIP-CONTROL": {"OFFSET": 5, "LABEL-ID": "\u00fcber"}, "X-NEW": [1e3, true]})",
      kBreak);
  EXPECT_EQ(list.content_type, "application/json");
  EXPECT_FALSE(list.live);
  EXPECT_EQ(nlohmann::json::parse(list.text), nlohmann::json::parse(R"(
      {"ASSETS": [{"URI": "/token/1/2/1/m.m3u8?1", "DURATION": 30.0, "X-AD": {"URI": "https://beacon"}},
                  {"URI": "2/m.m3u8", "DURATION": 15}, {"URI": 3}, null, {}],
       "SKIP-CONTROL": {"OFFSET": 5, "LABEL-ID": "über"}, "X-NEW": [1e3, true]})"));
  EXPECT_EQ(files.upstream("/1/2/1/m.m3u8?1"), "https://cdn2.example/1/m.m3u8?t=2");
  EXPECT_EQ(files.upstream("/1/1/2/m.m3u8"), "https://ads.example/2/m.m3u8");
  EXPECT_EQ(files.kind("https://ads.example/2/m.m3u8"), FileKind::kManifest);
  EXPECT_EQ(files.take_in(playlist("#EXTINF:2,\n1.ts\n"), "https://ads.example/2/m.m3u8").content_type,
            "application/vnd.apple.mpegurl");
}

TEST(TitleFilesOfHls, TellTheListOfAnInterstitialWhoPlaysAndFromWhere) {
  TitleFiles files = files_with_break();
  const std::string directives = "_HLS_primary_id=7a9cd1e2-0b3f&_HLS_start_offset=4.5";
  const auto asked = files.upstream("/1/1/break?0&" + directives);
  EXPECT_EQ(asked, fmt::format("{}&{}", kBreak, directives));
  EXPECT_EQ(files.kind(*asked), FileKind::kManifest);
  EXPECT_EQ(files.take_in(R"({"ASSETS":[{"URI":"/a"}]})", *asked).text, R"({"ASSETS":[{"URI":"/token/1/1/a"}]})");
}

TEST(TitleFilesOfHls, RefuseListsOfAssetsThatAreNone) {
  const auto refusal_of = [](const std::string& text) {
    TitleFiles files = files_with_break();
    return testing::refusal_by<ManifestError>([&] { files.take_in(text, kBreak); });
  };
  EXPECT_THAT(refusal_of(R"({"ASSETS": [)"), HasSubstr("the text ends within a value"));
  EXPECT_THAT(refusal_of(R"({"X": 1e999})"), HasSubstr("not readable"));
  EXPECT_THAT(refusal_of(R"({"X":)" + std::string(100'000, '[')), HasSubstr("values within values"));
  EXPECT_THAT(refusal_of(R"({"X":")" + std::string(kMostAssetList, 'x') + "\"}"), HasSubstr("has more than"));
  TitleFiles files = files_with_break();
  EXPECT_EQ(files.take_in(R"({"X": 1})", kBreak).text, R"({"X": 1})") << "for the player to judge";
}

TEST(TitleFilesOfHls, ReadAttributesAsReadersDo) {
  EXPECT_EQ(rewritten("#EXT-X-NEW:A=,URI=\"/d\"\n"), "#EXT-X-NEW:A=,URI=\"/1/0/d\"\n");
  EXPECT_EQ(rewritten("#EXT-X-NEW:URI=,\"/d\"\n"), "#EXT-X-NEW:URI=,\"/d\"\n");
  EXPECT_EQ(rewritten("#EXT-X-NEW:URI=\"\",URI\n"), "#EXT-X-NEW:URI=\"\",URI\n");
  EXPECT_EQ(rewritten("#EXT-X-NEW:URI=\f/d\v,B=1\n"), "#EXT-X-NEW:URI=\"/1/0/d\",B=1\n");
  EXPECT_EQ(rewritten("#EXT-X-NEW:URI=\fd\"\n"), "#EXT-X-NEW:URI=\"/1/0/film/high/d%22\"\n");
}

TEST(TitleFilesOfHls, KnowFilesWithDirectivesOfTheirOwn) {
  TitleFiles files{"/1"};
  files.take_in(playlist("#EXTINF:2,\n1.ts?token=a&_HLS_x=1\n"), kMedia);
  EXPECT_EQ(files.kind("https://cdn.example/film/high/1.ts?token=a&_HLS_x=1"), FileKind::kMedia);
  EXPECT_EQ(files.kind("https://cdn.example/film/high/1.ts?token=a"), FileKind::kOther);
  EXPECT_EQ(files.kind(std::string{kMedia} + "?_HLS_msn=1"), FileKind::kManifest);

  files.take_in(playlist("#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID=\"t\",NAME=\"n\",URI=\"t.m3u8?_HLS_x=1\"\n"
                         "#EXT-X-STREAM-INF:BANDWIDTH=1,SUBTITLES=\"t\"\nlist.m3u8\n"),
                kMaster);
  EXPECT_EQ(files.kind("https://cdn.example/film/t.m3u8?_HLS_x=1"), FileKind::kManifest);
  files.take_in(playlist("#EXTINF:2,\n1.vtt\n"), "https://cdn.example/film/t.m3u8?_HLS_x=1");
  EXPECT_EQ(files.kind("https://cdn.example/film/1.vtt"), FileKind::kOther);
}

TEST(TitleFilesOfHls, TellPlaylistsFromFiles) {
  TitleFiles files{"/1"};
  const auto result = files.take_in(
      playlist("#EXT-X-CONTENT-STEERING:SERVER-URI=\"https://steering/\"\n"
               "#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=\"a\",NAME=\"n\",URI=\"https://sound/a.m3u8\"\n"
               "#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID=\"t\",NAME=\"n\",URI=\"t.m3u8\"\n"
               "#EXT-X-SESSION-KEY:METHOD=AES-128,URI=\"/key\"\n#EXT-X-SESSION-DATA:DATA-ID=\"x\",URI=\"/data.json\"\n"
               "#EXT-X-I-FRAME-STREAM-INF:BANDWIDTH=1,URI=\"/i.m3u8\"\n"
               "#EXT-X-STREAM-INF:BANDWIDTH=1128000,AUDIO=\"a\"\nhigh/list.m3u8?t=1\n"),
      kMaster);
  EXPECT_EQ(
      result.text,
      "#EXTM3U\n#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=\"a\",NAME=\"n\",URI=\"/1/1/a.m3u8\"\n"
      "#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID=\"t\",NAME=\"n\",URI=\"t.m3u8\"\n"
      "#EXT-X-SESSION-KEY:METHOD=AES-128,URI=\"/1/0/key\"\n#EXT-X-SESSION-DATA:DATA-ID=\"x\",URI=\"/1/0/data.json\"\n"
      "#EXT-X-I-FRAME-STREAM-INF:BANDWIDTH=1,URI=\"/1/0/i.m3u8\"\n"
      "#EXT-X-STREAM-INF:BANDWIDTH=1128000,AUDIO=\"a\"\nhigh/list.m3u8?0\n");
  EXPECT_FALSE(result.live);
  EXPECT_EQ(files.kind("https://sound/a.m3u8"), FileKind::kManifest);
  EXPECT_EQ(files.kind("https://cdn.example/key"), FileKind::kKey);
  EXPECT_EQ(files.upstream("/1/0/film/high/list.m3u8?0&_HLS_msn=4&_HLS_part=0"),
            "https://cdn.example/film/high/list.m3u8?t=1&_HLS_msn=4&_HLS_part=0");
  EXPECT_EQ(files.kind("https://cdn.example/film/high/list.m3u8?t=1&_HLS_msn=4"), FileKind::kManifest);

  // The bit rate of the variant, without that of the sound, estimates its segments.
  files.take_in(playlist("#EXTINF:2,\n1.ts\n#EXT-X-ENDLIST\n"), "https://cdn.example/film/high/list.m3u8?t=1");
  EXPECT_EQ(files.file("https://cdn.example/film/high/1.ts", {}, kNow)->estimate, 250_kB);
  files.take_in(playlist("#EXTINF:2,\n1.vtt\n"), "https://cdn.example/film/t.m3u8");
  EXPECT_EQ(files.kind("https://cdn.example/film/1.vtt"), FileKind::kOther);
}

TEST(TitleFilesOfHls, ReplaceVariables) {
  TitleFiles files{"/1"};
  const auto master =
      files.take_in(playlist("#EXT-X-DEFINE:NAME=\"host\",VALUE=\"https://h\"\r\n"
                             "#EXT-X-DEFINE:QUERYPARAM=\"token\"\n"
                             "#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=\"a\",NAME=\"{$token}\"\n#EXT-X-NEW:A=\"{$no}\"\n"
                             "#EXT-X-STREAM-INF:BANDWIDTH=1\n{$host}/l.m3u8?{$token}\n"),
                    kMaster);
  EXPECT_EQ(master.text,
            "#EXTM3U\n#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=\"a\",NAME=\"secret\"\n#EXT-X-NEW:A=\"{$no}\"\n"
            "#EXT-X-STREAM-INF:BANDWIDTH=1\n/1/1/l.m3u8?0\n");
  const auto media = files.take_in(playlist("#EXT-X-DEFINE:IMPORT=\"token\"\n#EXTINF:2,\n{$token}.ts\n"),
                                   *files.upstream("/1/1/l.m3u8?0"));
  EXPECT_EQ(media.text, "#EXTM3U\n#EXTINF:2,\nsecret.ts\n");
  EXPECT_EQ(refusal(playlist("#EXTINF:2,\n{$x}.ts\n"), kMedia), "line 3: no EXT-X-DEFINE before defines \"x\"");
}

TEST(TitleFilesOfHls, ListSegments) {
  TitleFiles files{"/1"};
  files.take_in(
      playlist("#EXT-X-MAP:URI=\"all.mp4\",BYTERANGE=\"700@0\"\n#EXTINF:2,\n#EXT-X-BYTERANGE:1000@700\nall.mp4\n"
               "#EXTINF:3,\n#EXT-X-BYTERANGE:500\nall.mp4\n#EXT-X-BITRATE:800\n#EXTINF:4,\nown.mp4\n"
               "#EXT-X-GAP\n#EXTINF:4,\nlost.mp4\n#EXTINF:2,\nlast.mp4\n#EXT-X-ENDLIST\n"),
      kMedia);
  const std::string all = "https://cdn.example/film/high/all.mp4";
  const auto init = files.file(all, ByteRange{0_B, 700_B}, kNow);
  ASSERT_TRUE(init && init->init);
  EXPECT_EQ(files.next(*init, kNow), std::nullopt);
  const auto first = files.file(all, ByteRange{800_B, 900_B}, kNow);  // a part of it
  ASSERT_TRUE(first);
  EXPECT_EQ(first->range, (ByteRange{700_B, 1700_B}));
  EXPECT_EQ(first->size, 1000_B);
  EXPECT_EQ(first->duration, seconds{2});
  const auto second = files.next(*first, kNow);
  EXPECT_EQ(second->range, (ByteRange{1700_B, 2200_B}));
  const auto third = files.next(*second, kNow);
  EXPECT_EQ(third->url, "https://cdn.example/film/high/own.mp4");
  EXPECT_EQ(third->size, std::nullopt);
  EXPECT_EQ(third->estimate, 400_kB);
  const auto last = files.next(*third, kNow);
  EXPECT_EQ(last->url, "https://cdn.example/film/high/last.mp4");
  EXPECT_EQ(files.next(*last, kNow), std::nullopt);
  EXPECT_EQ(files.file(all, {}, kNow), std::nullopt);
  EXPECT_EQ(files.file(all, ByteRange{1600_B, 1800_B}, kNow), std::nullopt);
}

std::string live(int first, int count) {
  std::string text = playlist("#EXT-X-TARGETDURATION:2\n#EXT-X-MEDIA-SEQUENCE:" + std::to_string(first) + "\n");
  for (int i = first; i < first + count; ++i)
    text += "#EXTINF:2,\n" + std::to_string(i) + ".ts?sig=" + std::to_string(i) + "\n";
  return text;
}

TEST(TitleFilesOfHls, ListSegmentsWhosePartsAreRangesOfThem) {
  TitleFiles files{"/1"};
  files.take_in(playlist("#EXT-X-PART:DURATION=1,URI=\"1.mp4\",BYTERANGE=\"50@0\"\n"
                         "#EXT-X-PART:DURATION=1,URI=\"1.mp4\",BYTERANGE=\"50@50\"\n#EXTINF:2,\n1.mp4\n"
                         "#EXT-X-PART:DURATION=1,URI=\"2.mp4\",BYTERANGE=\"50@0\"\n#EXTINF:2,\n2.mp4\n"),
                kMedia);
  const auto first = files.file("https://cdn.example/film/high/1.mp4", {}, kNow);
  ASSERT_TRUE(first);
  EXPECT_EQ(first->duration, seconds{2});
  EXPECT_EQ(files.next(*first, kNow)->url, "https://cdn.example/film/high/2.mp4");
}

TEST(TitleFilesOfHls, ForgetWhatHasLeftTheWindow) {
  TitleFiles files{"/1"};
  std::string text;
  for (int first = 0; first < 3'000; first += 3) {
    const auto result = files.take_in(live(first, 6), std::string{kMedia} + "?_HLS_msn=" + std::to_string(first));
    EXPECT_TRUE(result.live);
    text = result.text;
  }
  const auto known = [&](int i) {
    return files.kind("https://cdn.example/film/high/" + std::to_string(i) + ".ts?sig=" + std::to_string(i)) ==
           FileKind::kMedia;
  };
  EXPECT_TRUE(known(2'990));
  EXPECT_TRUE(known(2'100));  // a player may be behind
  EXPECT_FALSE(known(1'900));
  const std::string last = text.substr(text.rfind(",\n") + 2, text.rfind('\n') - text.rfind(",\n") - 2);
  EXPECT_EQ(files.upstream("/1/0/film/high/" + last), "https://cdn.example/film/high/3002.ts?sig=3002");
  EXPECT_EQ(files.upstream("/1/0/film/high/0.ts?0"), std::nullopt);
  const auto file = files.file("https://cdn.example/film/high/3002.ts?sig=3002", {}, kNow);
  EXPECT_EQ(files.next(*file, kNow), std::nullopt);
  files.take_in(live(3'000, 6), kMedia);
  EXPECT_EQ(files.next(*file, kNow)->url, "https://cdn.example/film/high/3003.ts?sig=3003");
  EXPECT_EQ(files.file("https://cdn.example/film/high/2900.ts?sig=2900", {}, kNow), std::nullopt);
}

TEST(TitleFilesOfHls, KeepSegmentsThatADeltaLeavesOut) {
  TitleFiles files{"/1"};
  files.take_in(live(0, 5'000), kMedia);
  files.take_in(playlist("#EXT-X-SKIP:SKIPPED-SEGMENTS=4999\n#EXTINF:2,\n4999.ts\n#EXTINF:2,\n5000.ts\n"),
                std::string{kMedia} + "?_HLS_skip=YES");
  EXPECT_EQ(files.kind("https://cdn.example/film/high/3.ts?sig=3"), FileKind::kMedia);
}

TEST(TitleFilesOfHls, SayWhereAManifestWasFoundElsewhere) {
  TitleFiles files{"/1"};
  files.local("https://cdn.example/film/master.m3u8");
  const auto result =
      files.take_in(playlist("#EXTINF:2,\n1.ts\n#EXT-X-ENDLIST\n"), "https://edge.example/x/master.m3u8?session",
                    "https://cdn.example/film/master.m3u8");
  EXPECT_EQ(result.text, "#EXTM3U\n#EXTINF:2,\n/1/1/x/1.ts\n#EXT-X-ENDLIST\n");
  EXPECT_EQ(files.upstream("/1/1/x/1.ts"), "https://edge.example/x/1.ts");
}

TEST(TitleFilesOfHls, PassOnWhatReadersRefuse) {
  EXPECT_EQ(rewritten("#EXT-X-STREAM-INF:\n/a.m3u8\n#EXTINF:-2,\n/1.ts\n"),
            "#EXT-X-STREAM-INF:\n/1/0/a.m3u8\n#EXTINF:-2,\n/1/0/1.ts\n");
  EXPECT_EQ(refusal("<html></html>", kMedia),
            "this is no manifest (index.json, MPD or m3u8): it is a web page, or another kind of XML");
}

}  // namespace
}  // namespace tributary::proxy
