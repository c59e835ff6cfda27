#include "proxy/rewriting/title_files.hh"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "manifests/manifest.hh"
#include "proxy/rewriting/rewriting_limits.hh"
#include "support/refusal.hh"

namespace tributary::proxy {
namespace {

using namespace literals;
using std::chrono::milliseconds;
using std::chrono::seconds;
using ::testing::HasSubstr;

constexpr auto kMaster = "https://cdn.example/film/master.m3u8?token=secret";
constexpr auto kMedia = "https://cdn.example/film/high/list.m3u8";
constexpr UtcTime kNow{milliseconds{1'704'067'800'000}};  // 2024-01-01T00:10:00Z

std::string playlist(const std::string& lines) { return "#EXTM3U\n" + lines; }

/// What becomes of a line of a playlist at kMedia.
std::string rewritten(const std::string& lines) {
  TitleFiles files{"/1"};
  return files.take_in(playlist(lines), kMedia).text.substr(8);
}

std::string refusal(const std::string& text, const std::string& url = kMedia) {
  TitleFiles files{"/1"};
  return testing::refusal_by<ManifestError>([&] { files.take_in(text, url); });
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
      {"#EXT-X-SESSION-KEY:METHOD=AES-128,URI=\"", "\"", FileKind::kOther},
      {"#EXT-X-KEY:METHOD=AES-128,URI=\"", "\"", FileKind::kOther},
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
  EXPECT_EQ(files.kind("https://cdn.example/key"), FileKind::kOther);
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
  EXPECT_EQ(refusal(playlist("#EXTINF:2,\n{$x}.ts\n")), "line 3: no EXT-X-DEFINE before defines \"x\"");
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
  EXPECT_EQ(refusal("<html></html>"),
            "this is no manifest (index.json, MPD or m3u8): it is a web page, or another kind of XML");
}

// ---- MPEG-DASH

constexpr auto kMpd = "https://cdn.example/film/manifest.mpd?token=secret";

std::string mpd(const std::string& content, const std::string& attributes = "mediaPresentationDuration=\"PT10S\"") {
  return "<MPD xmlns:xlink=\"http://www.w3.org/1999/xlink\" " + attributes + ">\n" + content + "\n</MPD>\n";
}

std::string one_set(const std::string& in_set, const std::string& around = "") {
  return mpd(around + "<Period><AdaptationSet mimeType=\"video/mp4\">" + in_set +
             "<Representation id=\"v\" bandwidth=\"800000\"/></AdaptationSet></Period>");
}

/// What becomes of the first text between these in the rewritten MPD.
std::string between(const std::string& text, const std::string& begin, const std::string& end) {
  const std::size_t at = text.find(begin);
  if (at == std::string::npos) return "none";
  return text.substr(at + begin.size(), text.find(end, at + begin.size()) - at - begin.size());
}

TEST(TitleFilesOfMpd, OfAFragmentOnlyTheFieldsOfATemplateStay) {
  TitleFiles files{"/1"};
  const auto media = [&](const std::string& name) {
    return between(files.take_in(one_set("<SegmentTemplate duration=\"2\" media=\"" + name + "\"/>"), kMpd).text,
                   "media=\"", "\"");
  };
  EXPECT_EQ(media("/v#\x06 x/$Number$y"), "/1/0/v#.$Number$");
  EXPECT_EQ(media("/$Number$#\x06"), "/1/0/$Number$");
  EXPECT_EQ(media("/a/$Number$ b/../c"), "/1/0/a/c#.$Number$") << "dots remove it";
  EXPECT_EQ(media("/a/$Time$ b/../c$Number$"), "/1/0/a/c$Number$#.$Time$") << "one of two";
}

/// Players send a request of their own there, which nobody but the key system understands.
TEST(TitleFilesOfMpd, LeaveKeysAndLicencesToThePlayer) {
  const std::string protection =
      "<ContentProtection schemeIdUri=\"urn:mpeg:dash:mp4protection:2011\" value=\"cenc\" cenc:default_KID=\"1-2\"/>"
      "<ContentProtection schemeIdUri=\"urn:uuid:edef8ba9-79d6-4ace-a3c8-27dcd51d21ed\"><cenc:pssh>AAAA</cenc:pssh>"
      "<ms:laurl licenseUrl=\"https://licence.example/wv\"/></ContentProtection>"
      "<ContentProtection schemeIdUri=\"urn:uuid:e2719d58-a985-b3c9-781a-b030af78d30e\">"
      "<dashif:Laurl licenseType=\"EME-1.0\">https://licence.example/ck?t=1</dashif:Laurl>"
      "<dashif:Certurl>/cert</dashif:Certurl></ContentProtection>";
  for (const char* const place : {"Period", "AdaptationSet", "Representation"}) {
    std::string text = one_set("<SegmentTemplate duration=\"2\" media=\"$Number$.m4s\"/>");
    if (place == std::string{"Representation"}) text.replace(text.find("\"800000\"/>") + 8, 2, "></Representation>");
    text.insert(text.find('>', text.find(std::string{"<"} + place)) + 1, protection);
    TitleFiles files{"/1"};
    EXPECT_EQ(between(files.take_in(text, kMpd).text, std::string{"cenc\""}, "</dashif:Certurl>"),
              between(protection, "cenc\"", "</dashif:Certurl>"))
        << place;
    EXPECT_EQ(files.upstream("/1/0/cert"), std::nullopt);
  }
}

TEST(TitleFilesOfMpd, KeepWhatLeadsToTheRightPlace) {
  const std::string text =
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!-- a comment -->\n" +
      one_set(
          "<ContentProtection schemeIdUri=\"urn:x\"><Laurl>https://licence.example/?key=1</Laurl></ContentProtection>"
          "<New a=\"http://x/\">y</New>"
          "<SegmentTemplate duration=\"2\" media=\"$RepresentationID$/$Number%05d$.m4s\" "
          "initialization=\"$RepresentationID$/init.mp4\"/>",
          "<ProgramInformation moreInformationURL=\"http://about/\"/>\n");
  TitleFiles files{"/1"};
  const auto result = files.take_in(text, kMpd);
  EXPECT_EQ(result.text.substr(result.text.find("<MPD")) + "\n", text.substr(text.find("<MPD")));
  EXPECT_EQ(result.text.substr(0, 38 + 18), "<?xml version=\"1.0\" encoding=\"UTF-8\"?><!-- a comment -->");
  EXPECT_EQ(result.content_type, "application/dash+xml");
  EXPECT_FALSE(result.live);
  EXPECT_EQ(files.upstream("/1/0/film/v/00003.m4s"), "https://cdn.example/film/v/00003.m4s");
  EXPECT_EQ(files.upstream("/1/0/film/v/init.mp4"), "https://cdn.example/film/v/init.mp4");
  EXPECT_EQ(files.upstream("/1/0/film/v/3.m4s"), std::nullopt);
  EXPECT_EQ(files.upstream("/1/0/film/w/00003.m4s"), std::nullopt);

  const auto third = files.file("https://cdn.example/film/v/00003.m4s", {}, kNow);
  ASSERT_TRUE(third);
  EXPECT_EQ(third->duration, seconds{2});
  EXPECT_EQ(third->estimate, 200_kB);
  const auto fourth = files.next(*third, kNow);
  EXPECT_EQ(fourth->url, "https://cdn.example/film/v/00004.m4s");
  EXPECT_EQ(files.next(*files.next(*fourth, kNow), kNow), std::nullopt);
  EXPECT_TRUE(files.file("https://cdn.example/film/v/init.mp4", {}, kNow)->init);
}

TEST(TitleFilesOfMpd, RewriteBasesOfAllLevels) {
  TitleFiles files{"/1"};
  const auto result = files.take_in(
      mpd("<BaseURL serviceLocation=\"a\">https://a.example/x/</BaseURL><BaseURL>https://b.example/y/</BaseURL>"
          "<Period><BaseURL>p/</BaseURL><AdaptationSet mimeType=\"video/mp4\"><BaseURL>/root/</BaseURL>"
          "<SegmentTemplate duration=\"2\" media=\"$Number$.m4s\"/>"
          "<Representation id=\"v\" bandwidth=\"1\"><BaseURL>v/</BaseURL></Representation></AdaptationSet></Period>"),
      kMpd);
  EXPECT_EQ(between(result.text, "\n", "\n</MPD>"),
            "<BaseURL serviceLocation=\"a\">/1/1/x/</BaseURL><BaseURL>/1/2/y/</BaseURL>"
            "<Period><BaseURL>p/</BaseURL><AdaptationSet mimeType=\"video/mp4\"><BaseURL>/1/1/root/</BaseURL>"
            "<BaseURL>/1/2/root/</BaseURL>"
            "<SegmentTemplate duration=\"2\" media=\"$Number$.m4s\"/>"
            "<Representation id=\"v\" bandwidth=\"1\"><BaseURL>v/</BaseURL></Representation></AdaptationSet></Period>");
  EXPECT_EQ(files.upstream("/1/1/root/v/1.m4s"), "https://a.example/root/v/1.m4s");
  EXPECT_EQ(files.upstream("/1/2/root/v/1.m4s"), "https://b.example/root/v/1.m4s");
  EXPECT_EQ(files.next(*files.file("https://b.example/root/v/1.m4s", {}, kNow), kNow)->url,
            "https://b.example/root/v/2.m4s");
}

TEST(TitleFilesOfMpd, KeepQueriesToThemselves) {
  TitleFiles files{"/1"};
  const auto result = files.take_in(
      one_set(
          "<SegmentTemplate duration=\"2\" media=\"$Number$.m4s?sig=s&amp;n=$Number%03d$\" initialization=\"i?sig\"/>"),
      kMpd);
  EXPECT_EQ(between(result.text, "media=\"", "\""), "$Number$.m4s?0.$Number%03d$");
  EXPECT_EQ(between(result.text, "initialization=\"", "\""), "i?1");
  EXPECT_EQ(files.upstream("/1/0/film/3.m4s?0.003"), "https://cdn.example/film/3.m4s?sig=s&n=003");
  EXPECT_EQ(files.upstream("/1/0/film/3.m4s?0.004"), std::nullopt);
  EXPECT_EQ(files.upstream("/1/0/film/3.m4s?0"), std::nullopt);
  EXPECT_EQ(files.upstream("/1/0/film/i?1"), "https://cdn.example/film/i?sig");
  EXPECT_EQ(files.file("https://cdn.example/film/3.m4s?sig=s&n=003", {}, kNow)->duration, seconds{2});
}

TEST(TitleFilesOfMpd, NumberTheQueriesThatPlayersAdd) {
  TitleFiles files{"/1"};
  const auto result = files.take_in(
      one_set(
          "<EssentialProperty schemeIdUri=\"urn:mpeg:dash:urlparam:2014\"><UrlQueryInfo queryTemplate=\"$querypart$\" "
          "queryString=\"a=secret\" useMPDUrlQuery=\"true\"/></EssentialProperty>"
          "<SegmentTemplate duration=\"2\" media=\"$Number$.m4s?q\"/>"),
      kMpd);
  EXPECT_EQ(between(result.text, "<UrlQueryInfo", "/>"),
            " queryTemplate=\"$querypart$\" useMPDUrlQuery=\"false\" queryString=\"0\"");
  EXPECT_EQ(result.text.find("secret"), std::string::npos);
  EXPECT_EQ(files.upstream("/1/0/film/3.m4s?1&0"), "https://cdn.example/film/3.m4s?q&a=secret&token=secret");
  EXPECT_EQ(files.upstream("/1/0/film/3.m4s?1"), "https://cdn.example/film/3.m4s?q");
  const auto file = files.file("https://cdn.example/film/3.m4s?q&a=secret&token=secret", {}, kNow);
  EXPECT_EQ(files.next(*file, kNow)->url, "https://cdn.example/film/4.m4s?q&a=secret&token=secret");
}

TEST(TitleFilesOfMpd, ReadQueriesAsReadersDo) {
  const auto added = [](const std::string& attributes) {
    TitleFiles files{"/1"};
    files.take_in(one_set("<EssentialProperty schemeIdUri=\"urn:mpeg:dash:urlparam:2014\"><UrlQueryInfo " + attributes +
                          "/></EssentialProperty><SegmentTemplate duration=\"2\" media=\"$Number$.m4s\"/>"),
                  kMpd);
    return files.upstream("/1/0/film/3.m4s?0").value_or("none");
  };
  const std::string known = "queryTemplate=\" $querypart$ \" queryString=\" a \" useMPDUrlQuery=";
  EXPECT_EQ(added(known + "\" 1 \""), "https://cdn.example/film/3.m4s?a&token=secret");
  EXPECT_EQ(added(known + "\"0\""), "https://cdn.example/film/3.m4s?a");
  EXPECT_EQ(added(known + "\"tr@e\""), "https://cdn.example/film/3.m4s?a");
}

TEST(TitleFilesOfMpd, WriteATemplateOnceForEachPlace) {
  TitleFiles files{"/1"};
  const auto result = files.take_in(
      mpd("<Period><AdaptationSet mimeType=\"video/mp4\"><SegmentTemplate duration=\"2\" media=\"/x/$RepresentationID$/$Number$\"/>"
          "<Representation id=\"a\" bandwidth=\"1\"/><Representation id=\"b\" bandwidth=\"1\"/>"
          "<Representation id=\"c\" bandwidth=\"1\"><BaseURL>https://other/</BaseURL></Representation>"
          "<Representation id=\"..\" bandwidth=\"1\"/></AdaptationSet></Period>"),
      kMpd);
  EXPECT_EQ(between(result.text, "<AdaptationSet mimeType=\"video/mp4\">", "</AdaptationSet>"),
            "<SegmentTemplate duration=\"2\" media=\"/1/0/x/$RepresentationID$/$Number$\"/>"
            "<Representation id=\"a\" bandwidth=\"1\"/><Representation id=\"b\" bandwidth=\"1\"/>"
            "<Representation id=\"c\" bandwidth=\"1\"><BaseURL>/1/1/</BaseURL>"
            "<SegmentTemplate media=\"/1/1/x/$RepresentationID$/$Number$\"/></Representation>"
            "<Representation id=\"..\" bandwidth=\"1\"><SegmentTemplate media=\"/1/0/$Number$\"/></Representation>");
  EXPECT_EQ(files.upstream("/1/1/x/c/5"), "https://other/x/c/5");
  EXPECT_EQ(files.upstream("/1/0/5"), "https://cdn.example/5");
}

TEST(TitleFilesOfMpd, TellTemplatesFromNamesOfAnotherScheme) {
  const auto with = [](const std::string& value, const std::string& field, std::string text) {
    const std::size_t at = text.find(field);
    return at == std::string::npos ? text : text.replace(at, field.size(), value);
  };
  const auto media = [&](const std::string& name, const std::string& id) {
    TitleFiles files{"/1"};
    const auto result =
        files.take_in(mpd("<Period><AdaptationSet mimeType=\"video/mp4\"><SegmentTemplate duration=\"2\" media=\"" +
                          name + "\"/><Representation id=\"" + id + "\" bandwidth=\"5\"/></AdaptationSet></Period>"),
                      kMpd);
    const std::string text = between(result.text, "media=\"", "\"");
    const std::string seventh = with("7", "$Number$", with("5", "$Bandwidth$", text));
    return text + " " + files.upstream(seventh).value_or("none");
  };
  EXPECT_EQ(media("$Bandwidth$.https://h/$Number$", "v"),
            "/1/0/film/$Bandwidth$.https://h/$Number$ https://cdn.example/film/5.https://h/7");
  EXPECT_EQ(media("$Number$:a", "v"), "/1/0/film/$Number$:a https://cdn.example/film/7:a");
  EXPECT_EQ(media("$RepresentationID$://h/$Number$", "http"), "/1/1/$Number$ http://h/7");
  EXPECT_EQ(media("$RepresentationID$:$Number$", "7"), "/1/0/film/7:$Number$ https://cdn.example/film/7:7");
  EXPECT_EQ(media("$RepresentationID$:$Number$", "data"), "$RepresentationID$:$Number$ none");
  EXPECT_EQ(media("//x$RepresentationID$/$Number$", "a"), "/1/1/$Number$ https://xa/7");
  EXPECT_EQ(media("//x$RepresentationID$/$Number$", ""), "/1/none/$RepresentationID$/$Number$ none");
}

TEST(TitleFilesOfMpd, RewriteTheHead) {
  TitleFiles files{"/1"};
  const auto result =
      files.take_in(mpd("<Location>https://cdn.example/film/next.mpd?token=2</Location><PatchLocation>p</PatchLocation>"
                        "<ContentSteering>https://steering/</ContentSteering>"
                        "<UTCTiming schemeIdUri=\"urn:mpeg:dash:utc:http-iso:2014\" value=\"https://time/iso  time\"/>"
                        "<UTCTiming schemeIdUri=\"urn:mpeg:dash:utc:direct:2014\" value=\"2024-01-01T00:00:00Z\"/>"
                        "<Period id=\"1\"/>",
                        "type=\"dynamic\" availabilityStartTime=\"2024-01-01T00:00:00Z\""),
                    kMpd);
  EXPECT_EQ(between(result.text, "\n", "\n</MPD>"),
            "<Location>/1/0/film/next.mpd?0</Location>"
            "<UTCTiming schemeIdUri=\"urn:mpeg:dash:utc:http-iso:2014\" value=\"/1/1/iso time\"/>"
            "<UTCTiming schemeIdUri=\"urn:mpeg:dash:utc:direct:2014\" value=\"2024-01-01T00:00:00Z\"/>"
            "<Period id=\"1\"/>");
  EXPECT_TRUE(result.live);
  EXPECT_EQ(files.kind("https://time/iso"), FileKind::kClock);
  EXPECT_EQ(files.upstream("/1/0/film/next.mpd?0"), "https://cdn.example/film/next.mpd?token=2");
  EXPECT_EQ(files.kind("https://cdn.example/film/next.mpd?token=2"), FileKind::kManifest);
}

TEST(TitleFilesOfMpd, ListFilesOfListsAndSingleFiles) {
  TitleFiles files{"/1"};
  const auto result = files.take_in(
      one_set("<SegmentList duration=\"5\"><Initialization sourceURL=\"/i.mp4\"/><SegmentURL media=\"1.m4s?a\"/>"
              "<SegmentURL mediaRange=\"0-99\" media=\"all.m4s\"/></SegmentList>"),
      kMpd);
  EXPECT_EQ(between(result.text, "<SegmentList duration=\"5\">", "</SegmentList>"),
            "<Initialization sourceURL=\"/1/0/i.mp4\"/><SegmentURL media=\"1.m4s?0\"/>"
            "<SegmentURL mediaRange=\"0-99\" media=\"all.m4s\"/>");
  const auto first = files.file("https://cdn.example/film/1.m4s?a", {}, kNow);
  EXPECT_EQ(files.next(*first, kNow)->size, 100_B);

  TitleFiles single{"/1"};
  single.take_in(mpd("<Period><AdaptationSet mimeType=\"video/mp4\"><Representation id=\"v\" bandwidth=\"800000\">"
                     "<BaseURL>https://h/v.mp4?sig</BaseURL><SegmentBase indexRange=\"700-999\"><Initialization "
                     "range=\"0-699\"/></SegmentBase></Representation></AdaptationSet></Period>"),
                 kMpd);
  EXPECT_EQ(single.upstream("/1/1/v.mp4?0"), "https://h/v.mp4?sig");
  EXPECT_EQ(single.kind("https://h/v.mp4?sig"), FileKind::kMedia);
  EXPECT_EQ(single.file("https://h/v.mp4?sig", ByteRange{0_B, 700_B}, kNow)->estimate, 1'000_kB);
}

TEST(TitleFilesOfMpd, WriteAListOnceForEachPlace) {
  TitleFiles files{"/1"};
  const auto result = files.take_in(
      mpd("<Period><AdaptationSet mimeType=\"video/mp4\"><SegmentList duration=\"5\"><Initialization sourceURL=\"i\"/>"
          "<SegmentURL media=\"/1.m4s\"/><SegmentURL media=\"?\" mediaRange=\"0-9\"/></SegmentList>"
          "<Representation id=\"a\" bandwidth=\"1\"/>"
          "<Representation id=\"b\" bandwidth=\"1\"><BaseURL>https://other/b</BaseURL></Representation>"
          "<Representation id=\"c\" bandwidth=\"1\"><BaseURL>c/</BaseURL><SegmentList><SegmentURL media=\"/c\"/>"
          "</SegmentList></Representation></AdaptationSet></Period>"),
      kMpd);
  EXPECT_EQ(
      between(result.text, "<AdaptationSet mimeType=\"video/mp4\">", "</AdaptationSet>"),
      "<SegmentList duration=\"5\"><Initialization sourceURL=\"i\"/>"
      "<SegmentURL media=\"/1/0/1.m4s\"/><SegmentURL media=\"/1/0/film/manifest.mpd\" mediaRange=\"0-9\"/></SegmentList>"
      "<Representation id=\"a\" bandwidth=\"1\"/><Representation id=\"b\" bandwidth=\"1\"><BaseURL>/1/1/b</BaseURL>"
      "<SegmentList><SegmentURL media=\"/1/1/1.m4s\"/><SegmentURL media=\"/1/1/b\" mediaRange=\"0-9\"/></SegmentList>"
      "</Representation><Representation id=\"c\" bandwidth=\"1\"><BaseURL>c/</BaseURL>"
      "<SegmentList><SegmentURL media=\"/1/0/c\"/></SegmentList></Representation>");
  EXPECT_EQ(files.upstream("/1/1/1.m4s"), "https://other/1.m4s");
}

TEST(TitleFilesOfMpd, WriteALinkOfAListOnce) {
  TitleFiles files{"/1"};
  const auto result =
      files.take_in(mpd("<Period><AdaptationSet><SegmentList xlink:href=\"/list?a\"/>"
                        "<Representation id=\"a\"/><Representation id=\"b\"/></AdaptationSet></Period>"),
                    kMpd);
  EXPECT_EQ(between(result.text, "xlink:href=\"", "\""), "/1/0/list?0");
  EXPECT_EQ(files.upstream("/1/0/list?0"), "https://cdn.example/list?a");
}

TEST(TitleFilesOfMpd, KeepTheKindOfSegmentsThatIsInUse) {
  TitleFiles files{"/1"};
  const auto result = files.take_in(
      mpd("<Period><AdaptationSet mimeType=\"video/mp4\"><SegmentTemplate duration=\"2\" media=\"/x/$Number$\"/>"
          "<Representation id=\"a\" bandwidth=\"1\"/>"
          "<Representation id=\"b\" bandwidth=\"1\"><BaseURL>https://other/all.mp4</BaseURL><SegmentList duration=\"10\">"
          "<SegmentURL mediaRange=\"0-9\"/></SegmentList></Representation></AdaptationSet></Period>"),
      kMpd);
  EXPECT_EQ(between(result.text, "<Representation id=\"b\"", "</Representation>"),
            " bandwidth=\"1\"><BaseURL>/1/1/all.mp4</BaseURL><SegmentList duration=\"10\">"
            "<SegmentURL mediaRange=\"0-9\"/></SegmentList>");
  EXPECT_EQ(files.file(*files.upstream("/1/1/all.mp4"), ByteRange{0_B, 10_B}, kNow)->size, 10_B);
}

TEST(TitleFilesOfMpd, GoOnInTheNextPeriod) {
  TitleFiles files{"/1"};
  const std::string set =
      "<AdaptationSet mimeType=\"video/mp4\"><SegmentTemplate duration=\"2\" initialization=\"i\" media=\"$Number$.m4s\"/>"
      "<Representation id=\"v\" bandwidth=\"1\"/></AdaptationSet>";
  files.take_in(mpd("<Period duration=\"PT4S\"><BaseURL>a/</BaseURL>" + set +
                    "</Period><Period duration=\"PT6S\"><BaseURL>b/</BaseURL>" + set + "</Period>"),
                kMpd);
  const auto last = files.file("https://cdn.example/film/a/2.m4s", {}, kNow);
  EXPECT_EQ(files.next(*last, kNow)->url, "https://cdn.example/film/b/1.m4s");
}

TEST(TitleFilesOfMpd, KnowWhichSegmentsAreThere) {
  TitleFiles files{"/1"};
  files.take_in(mpd("<Period start=\"PT0S\"><AdaptationSet mimeType=\"video/mp4\"><SegmentTemplate duration=\"2\" "
                    "media=\"$Number$.m4s\"/><Representation id=\"v\" bandwidth=\"800000\"/></AdaptationSet></Period>",
                    "type=\"dynamic\" availabilityStartTime=\"2024-01-01T00:00:00Z\" timeShiftBufferDepth=\"PT20S\" "
                    "minimumUpdatePeriod=\"PT1H\""),
                kMpd);
  const auto segment = [&](int number, UtcTime now) {
    return files.file("https://cdn.example/film/" + std::to_string(number) + ".m4s", {}, now);
  };
  const auto last = segment(300, kNow);
  ASSERT_TRUE(last);
  EXPECT_EQ(files.next(*last, kNow), std::nullopt);
  EXPECT_EQ(files.next(*last, kNow + milliseconds{2'000})->url, "https://cdn.example/film/301.m4s");
  EXPECT_EQ(segment(305, kNow)->duration, seconds{2});  // its player has another clock
}

TEST(TitleFilesOfMpd, SayWhereAManifestWasFoundElsewhere) {
  TitleFiles files{"/1"};
  const auto result = files.take_in(one_set("<SegmentTemplate duration=\"2\" media=\"$Number$.m4s\"/>"),
                                    "https://edge.example/x/manifest.mpd", kMpd);
  EXPECT_EQ(between(result.text, "<BaseURL>", "</BaseURL>"), "/1/1/x/");
  EXPECT_EQ(files.upstream("/1/1/x/1.m4s"), "https://edge.example/x/1.m4s");
}

TEST(TitleFilesOfMpd, RewriteWhatStandsInFilesOfTheirOwn) {
  TitleFiles files{"/1"};
  const auto result = files.take_in(
      mpd("<BaseURL>a/</BaseURL><Period xlink:href=\"https://ads.example/period?user=1\" xlink:actuate=\"onLoad\"/>"
          "<Period xlink:href=\"urn:mpeg:dash:resolve-to-zero:2013\"/>"),
      kMpd);
  EXPECT_EQ(between(result.text, "xlink:href=\"", "\""), "/1/1/period?0");
  EXPECT_NE(result.text.find("urn:mpeg:dash:resolve-to-zero:2013"), std::string::npos);
  const auto period = files.take_in(
      "<Period><BaseURL>https://ads.example/1/</BaseURL><AdaptationSet><SegmentTemplate "
      "media=\"$Number$\"/><Representation id=\"v\"/></AdaptationSet></Period><Period/>",
      *files.upstream("/1/1/period?0"));
  EXPECT_EQ(between(period.text, "<BaseURL>", "</BaseURL>"), "/1/1/1/");
  EXPECT_EQ(files.upstream("/1/1/1/7"), "https://ads.example/1/7");
}

TEST(TitleFilesOfMpd, PassOnWhatReadersRefuse) {
  TitleFiles files{"/1"};
  const std::string text =
      mpd("<Period><AdaptationSet><SegmentTemplate media=\"/a/$Number$\"/><Representation id=\"v\"/>"
          "</AdaptationSet></Period>",
          "type=\"strange\"");
  EXPECT_EQ(between(files.take_in(text, kMpd).text, "media=\"", "\""), "/1/0/a/$Number$");
  EXPECT_EQ(files.upstream("/1/0/a/7"), "https://cdn.example/a/7");
  EXPECT_EQ(files.file("https://cdn.example/a/7", {}, kNow), std::nullopt);
  EXPECT_EQ(refusal("<MPD>\n<Period", kMpd), "line 2, column 7: this is not XML: Error parsing start element tag");
}

// ---- index.json

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
  EXPECT_EQ(hls->kind, ManifestKind::kHls);
  EXPECT_FALSE(hls->live);
  const std::string text = kIndex, name = R"("hls": "master.m3u8", )";
  const auto dash =
      manifest_for_players(std::string{text}.erase(text.find(name), name.size()), "http://h/film/index.json");
  ASSERT_TRUE(dash);
  EXPECT_EQ(dash->url, "http://h/film/manifest.mpd");
  EXPECT_EQ(dash->kind, ManifestKind::kMpd);
}

}  // namespace
}  // namespace tributary::proxy
