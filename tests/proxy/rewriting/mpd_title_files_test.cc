#include "proxy/rewriting/title_files.hh"

#include <gtest/gtest.h>

#include "title_files_samples.hh"

namespace tributary::proxy {
namespace {

using namespace literals;
using samples::kNow;
using samples::refusal;
using std::chrono::milliseconds;
using std::chrono::seconds;

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

TEST(TitleFilesOfMpd, LeaveATemplateWhoseBandwidthNobodyStates) {
  for (const auto* const stated : {"", "bandwidth=\"\"", "bandwidth=\"fast\""}) {
    TitleFiles files{"/1"};
    const std::string text =
        mpd(fmt::format(R"(<Period><AdaptationSet mimeType="video/mp4"><SegmentTemplate duration="2"
        media="https://h/$Bandwidth$/$Number$"/><Representation id="v" {}/></AdaptationSet></Period>)",
                        stated));
    EXPECT_EQ(between(files.take_in(text, kMpd).text, "media=\"", "\""), "https://h/$Bandwidth$/$Number$") << stated;
    EXPECT_EQ(files.kind("https://h/0/1"), FileKind::kOther) << stated;
  }
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

}  // namespace
}  // namespace tributary::proxy
