#include "proxy/requests/response_head.hh"

#include <gtest/gtest.h>

namespace tributary::proxy {
namespace {

TEST(ResponseHead, HasOneLineForEachField) {
  EXPECT_EQ(response_head(206, {{"Content-Type", "video/mp4"}, {"X", ""}}),
            "HTTP/1.1 206 Partial Content\r\nContent-Type: video/mp4\r\nX: \r\n\r\n");
}

TEST(ResponseHead, LeavesOutWhatIsNoField) {
  const Fields fields{{"A", "b\r\nSet-Cookie: c"},
                      {"A", "b\nc"},
                      {"A", "b\rc"},
                      {"A", std::string{"b\0", 2}},
                      {"A\r\nB", "c"},
                      {"A b", "c"},
                      {"", "c"},
                      {"A:", "c"},
                      {"A", "b\x7f"},
                      {"A\x80", "c"},
                      {"B", "\xc3\xa4\t"}};
  EXPECT_EQ(response_head(200, fields), "HTTP/1.1 200 OK\r\nB: \xc3\xa4\t\r\n\r\n");
}

TEST(ResponseHead, KnowsTheFieldsOfTheServer) {
  for (const char* name : {"content-length", "Transfer-Encoding", "Connection", "Access-Control-Allow-Origin"}) {
    EXPECT_TRUE(is_of_server(name)) << name;
  }
  for (const char* name : {"Content-Type", "ETag", "Date", "CMSD-Dynamic", "Access-Contro", ""}) {
    EXPECT_FALSE(is_of_server(name)) << name;
  }
}

TEST(ResponseHead, TellsTheDateAsHttpDoes) {
  EXPECT_EQ(http_date(784'111'777), "Sun, 06 Nov 1994 08:49:37 GMT");
  EXPECT_EQ(http_date(0), "Thu, 01 Jan 1970 00:00:00 GMT");
  EXPECT_EQ(http_date(1'709'164'800), "Thu, 29 Feb 2024 00:00:00 GMT");
}

TEST(ResponseHead, FindsAnETagAmongOthers) {
  EXPECT_TRUE(has_etag("*", "\"a\""));
  EXPECT_TRUE(has_etag("\"a\"", "\"a\""));
  EXPECT_TRUE(has_etag("W/\"a\"", "\"a\""));
  EXPECT_TRUE(has_etag("\"b\", W/\"a,\"", "W/\"a,\""));
  for (const char* value : {"", "a", "\"a", "\"b\"", "\"b\", \"c\"", "\"a \""}) EXPECT_FALSE(has_etag(value, "\"a\""));
}

TEST(ResponseHead, AnswersAPreflightOnlyWithAPageThatMay) {
  const Fields listed = preflight_fields("https://player.example", true);
  EXPECT_EQ(field(listed, "Access-Control-Allow-Origin"), "https://player.example");
  EXPECT_EQ(field(listed, "Access-Control-Allow-Private-Network"), "true");
  EXPECT_EQ(field(preflight_fields("https://player.example", false), "Access-Control-Allow-Private-Network"),
            std::nullopt);
  EXPECT_EQ(field(preflight_fields({}, true), "Access-Control-Allow-Private-Network"), std::nullopt);
  EXPECT_EQ(field(preflight_fields({}, true), "Access-Control-Allow-Origin"), std::nullopt);
}

}  // namespace
}  // namespace tributary::proxy
