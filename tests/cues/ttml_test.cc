#include "cues/ttml.hh"

#include <gtest/gtest.h>

namespace tributary {
namespace {

using namespace std::chrono_literals;

/// A document with these attributes of its root and this body.
std::string document(const std::string& attributes, const std::string& body, const std::string& head = "") {
  return "<?xml version=\"1.0\"?>\n<tt xmlns=\"http://www.w3.org/ns/ttml\" "
         "xmlns:ttp=\"http://www.w3.org/ns/ttml#parameter\" xmlns:tts=\"http://www.w3.org/ns/ttml#styling\" " +
         attributes + "><head>" + head + "</head><body" + body + "</body></tt>";
}
std::vector<Cue> cues(const std::string& attributes, const std::string& body, const std::string& head = "") {
  return read_ttml(document(attributes, body, head));
}
/// What a paragraph shows.
std::string shown(const std::string& content, const std::string& attributes = "", const std::string& head = "") {
  const auto read = cues("", "><div><p begin=\"1s\" end=\"2s\" " + attributes + ">" + content + "</p></div>", head);
  return read.empty() ? "" : read.front().markup;
}

TEST(Ttml, TimesAreOfManyForms) {
  const auto times = [](const std::string& attributes, const std::string& begin, const std::string& end) {
    const auto read = cues(attributes, "><div><p begin=\"" + begin + "\" end=\"" + end + "\">x</p></div>");
    return read.empty() ? std::pair{-1ns, -1ns} : std::pair{Duration{read[0].begin}, Duration{read[0].end}};
  };
  using Times = std::pair<Duration, Duration>;
  EXPECT_EQ(times("", "00:00:01.5", "01:00:00"), (Times{1500ms, 1h}));
  EXPECT_EQ(times("", "2s", "3500ms"), (Times{2s, 3500ms}));
  EXPECT_EQ(times("", "0.5m", "0.5h"), (Times{30s, 30min}));
  EXPECT_EQ(times("", "00:00:01:15", "60f"), (Times{1500ms, 2s}));  // of 30 frames a second
  EXPECT_EQ(times("ttp:frameRate=\"25\"", "00:00:01:05", "50f"), (Times{1200ms, 2s}));
  EXPECT_EQ(times("ttp:frameRate=\"30\" ttp:frameRateMultiplier=\"1000 1001\"", "30f", "60f"), (Times{1001ms, 2002ms}));
  EXPECT_EQ(times("ttp:tickRate=\"10000000\"", "15000000t", "20000000t"), (Times{1500ms, 2s}));
  EXPECT_EQ(times("", "soon", "3s"), (Times{0s, 3s}));
  EXPECT_EQ(times("", "3s", "2s"), (Times{-1ns, -1ns}));
  EXPECT_THROW(times("ttp:timeBase=\"clock\"", "1s", "2s"), TextError);
}

/// Live origins count from 1970.
TEST(Ttml, TimesMayBeLarge) {
  EXPECT_EQ(cues("", "><div><p begin=\"497000:00:01.5\" end=\"497000:00:02\">x</p></div>"),
            (std::vector<Cue>{{497000h + 1500ms, 497000h + 2s, "x"}}));
  const std::string late = " begin=\"600000:00:00\"";
  EXPECT_TRUE(
      cues("", late + "><div" + late + "><div" + late + "><div" + late + "><p" + late + ">x</p></div></div></div>")
          .empty());
}

TEST(Ttml, TimesCountFromTheElementAround) {
  EXPECT_EQ(
      cues("",
           " begin=\"10s\" end=\"15s\"><div begin=\"1s\"><p begin=\"1s\" dur=\"1s\">a</p><p begin=\"2s\">b</p></div>"),
      (std::vector<Cue>{{12s, 13s, "a"}, {13s, 15s, "b"}}));
  EXPECT_EQ(cues("", "><div timeContainer=\"seq\"><p dur=\"1s\">a</p><p begin=\"1s\" dur=\"1s\">b</p></div>"),
            (std::vector<Cue>{{0s, 1s, "a"}, {2s, 3s, "b"}}));
}

TEST(Ttml, SpansMayComeAndGo) {
  EXPECT_EQ(cues("", "><div><p begin=\"1s\" end=\"4s\">a<span begin=\"1s\" end=\"2s\"> b</span></p></div>"),
            (std::vector<Cue>{{1s, 2s, "a"}, {2s, 3s, "a b"}, {3s, 4s, "a"}}));
}

TEST(Ttml, BlanksBecomeOneUnlessTheyAreKept) {
  EXPECT_EQ(shown("\n  one\n  <span>two </span>\n <br/>  three  "), "one two\nthree");
  EXPECT_EQ(shown("one <span> two</span>", "xml:space=\"preserve\""), "one  two");
  EXPECT_EQ(shown("\n"), "");
  EXPECT_EQ(shown("a &amp; b &lt;i&gt; <![CDATA[<c>]]>"), "a &amp; b &lt;i&gt; &lt;c&gt;");
}

TEST(Ttml, StylesAreInheritedAndReferred) {
  const std::string head =
      "<styling><style xml:id=\"base\" tts:color=\"yellow\"/>"
      "<style xml:id=\"s1\" style=\"base\" tts:fontStyle=\"italic\"/><style xml:id=\"loop\" style=\"loop\"/></styling>"
      "<layout><region xml:id=\"r1\"><style tts:fontWeight=\"bold\"/></region></layout>";
  EXPECT_EQ(shown("<span tts:fontStyle=\"italic\">a</span> b"), "<i>a</i> b");
  EXPECT_EQ(shown("a", "style=\"s1\"", head), "<i><span foreground=\"#ffff00\">a</span></i>");
  EXPECT_EQ(shown("<span tts:color=\"#ff0000ff\">a</span>", "style=\"s1\"", head),
            "<i><span foreground=\"#ff0000\">a</span></i>");
  EXPECT_EQ(shown("a", "region=\"r1\"", head), "<b>a</b>");
  EXPECT_EQ(shown("a<span tts:display=\"none\">b</span>", "style=\"loop\"", head), "a");
  EXPECT_EQ(shown("<span tts:color=\"rgb(0, 128,255)\" tts:textDecoration=\"underline\">a</span>"),
            "<u><span foreground=\"#0080ff\">a</span></u>");
  EXPECT_EQ(shown("<span tts:color=\"&quot;/&gt;&lt;b\">a</span>"), "a");
}

TEST(Ttml, FaultsAreTold) {
  EXPECT_THROW(read_ttml(""), TextError);
  EXPECT_THROW(read_ttml("<html/>"), TextError);
  EXPECT_THROW(read_ttml("<tt><body><div></body></tt>"), TextError);
  std::string deep;
  for (int i = 0; i < 1000; ++i) deep += "<div>";
  std::string end;
  for (int i = 0; i < 1000; ++i) end += "</div>";
  EXPECT_THROW(read_ttml("<tt><body>" + deep + end + "</body></tt>"), TextError);
}

}  // namespace
}  // namespace tributary
