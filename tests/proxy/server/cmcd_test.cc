#include "proxy/requests/cmcd.hh"

#include <gtest/gtest.h>

#include <chrono>

namespace tributary::proxy {
namespace {

using namespace literals;
using namespace std::chrono_literals;

TEST(Cmcd, IsReadFromTheQuery) {
  // hls.js 1.5
  const Cmcd cmcd = read_cmcd(
      "/film/1.m4s?a=b&CMCD=bl%3D12300%2Cbr%3D3200%2Cd%3D4004%2Cdl%3D12300%2Cmtp%3D25400%2Cnor%3D%22..%252Fv%252F2.m4s%"
      "22%2Cot%3Dv%2Csf%3Dh%2Csid%3D%226e2fb550-c457-11e9-bb97-0800200c9a66%22%2Cst%3Dv%2Csu",
      {});
  EXPECT_EQ(cmcd.buffered, 12'300ms);
  EXPECT_EQ(cmcd.bitrate, 3'200_kbps);
  EXPECT_EQ(cmcd.duration, 4'004ms);
  EXPECT_EQ(cmcd.deadline, 12'300ms);
  EXPECT_EQ(cmcd.measured, 25'400_kbps);
  EXPECT_EQ(cmcd.next, "../v/2.m4s");
  EXPECT_EQ(cmcd.object_type, "v");
  EXPECT_EQ(cmcd.session, "6e2fb550-c457-11e9-bb97-0800200c9a66");
  EXPECT_EQ(cmcd.stream_type, "v");
  EXPECT_TRUE(cmcd.startup);
  EXPECT_FALSE(cmcd.starved);
}

TEST(Cmcd, IsReadFromFields) {
  const Cmcd cmcd = read_cmcd("/1.m4s", {{"cmcd-object", "br=3200,d=4004,ot=a"},
                                         {"CMCD-Request", "bl=0, dl=500 ,mtp=100,su"},
                                         {"CMCD-Session", "sid=\"a\\\"b\\\\c\",st=l"},
                                         {"CMCD-Status", "bs"}});
  EXPECT_EQ(cmcd.bitrate, 3'200_kbps);
  EXPECT_EQ(cmcd.buffered, 0ms);
  EXPECT_EQ(cmcd.deadline, 500ms);
  EXPECT_EQ(cmcd.session, "a\"b\\c");
  EXPECT_EQ(cmcd.object_type, "a");
  EXPECT_EQ(cmcd.stream_type, "l");
  EXPECT_TRUE(cmcd.startup);
  EXPECT_TRUE(cmcd.starved);
}

TEST(Cmcd, LeavesOutWhatCannotBeMeant) {
  const auto of = [](const std::string& text) { return read_cmcd("/", {{"CMCD-Request", text}}); };
  for (const char* text : {"",
                           ",",
                           "=",
                           "=,=",
                           "bl",
                           "bl=",
                           "bl=-5",
                           "bl=1.5",
                           "bl=\"5\"",
                           "bl=5x",
                           "bl=9999999999999",
                           "bl=99999999999999999999999",
                           "br=0",
                           "su=false",
                           "su=0",
                           "su=\"true\"",
                           "nor=plain",
                           "nor=\"\"",
                           "nor=\"a%0d%0ab\"",
                           "sid=plain",
                           "ot=\"v\"",
                           "unknown=1",
                           "bl=(1 2)",
                           "\"",
                           "\\",
                           "sid=\"\x01\"",
                           "bl =",
                           "nor=\"%00\""}) {
    EXPECT_EQ(of(text), Cmcd{}) << text;
  }
  EXPECT_EQ(of("sid=\"" + std::string(3'000, 'a') + "\""), Cmcd{});
  EXPECT_EQ(of("bl=5,bl=6").buffered, 5ms);                   // the first one
  EXPECT_EQ(of("nor=\"a,bl=7\",bl=5").buffered, 5ms);         // not in a text
  EXPECT_EQ(of("sid=\"a").session, "a");                      // no end
  EXPECT_EQ(of("nor=\"a%2\"").next, "a%2");                   // encodes nothing
  EXPECT_EQ(of("nor=\"a\"x,bl=5").buffered, 5ms);             // behind a text
  EXPECT_EQ(read_cmcd("/?CMCD", {}), Cmcd{});                 // nothing in it
  EXPECT_EQ(read_cmcd("/?cmcd=bl%3D5", {}), Cmcd{});          // another parameter
  EXPECT_EQ(read_cmcd("/CMCD=bl%3D5", {}), Cmcd{});           // no query
  EXPECT_EQ(read_cmcd("/?CMCD=bl=5,d=6", {}).duration, 6ms);  // not encoded
}

TEST(Cmcd, IsTakenOffTheTarget) {
  EXPECT_EQ(without_cmcd("/a"), "/a");
  EXPECT_EQ(without_cmcd("/a?"), "/a?");
  EXPECT_EQ(without_cmcd("/a?b=c"), "/a?b=c");
  EXPECT_EQ(without_cmcd("/a?CMCD=x"), "/a");
  EXPECT_EQ(without_cmcd("/a?CMCD"), "/a");
  EXPECT_EQ(without_cmcd("/a?CMCD=x&b=c"), "/a?b=c");
  EXPECT_EQ(without_cmcd("/a?b=c&CMCD=x"), "/a?b=c");
  EXPECT_EQ(without_cmcd("/a?b=c&CMCD=x&d&&CMCD=y"), "/a?b=c&d&");
  EXPECT_EQ(without_cmcd("/a?CMCDX=x&xCMCD=y"), "/a?CMCDX=x&xCMCD=y");
  EXPECT_EQ(without_cmcd("/CMCD=x"), "/CMCD=x");
}

TEST(Cmcd, IsAnsweredWithoutBlanks) {
  EXPECT_EQ(cmsd_dynamic(12'345_kbps, 8_Mbps), "\"tributary\";etp=12345;mb=8000");
  EXPECT_EQ(cmsd_dynamic(12'345_kbps, std::nullopt), "\"tributary\";etp=12345");
}

}  // namespace
}  // namespace tributary::proxy
