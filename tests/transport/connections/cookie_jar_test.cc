#include "transport/connections/cookie_jar.hh"

#include <gtest/gtest.h>

#include "transport/connections/curl_handle.hh"

namespace tributary::transport {
namespace {

class CookieJarTest : public testing::Test {
 protected:
  /// As it would come from an origin; or a line of Netscape's file.
  void keep(const std::string& cookie) {
    CurlHandle handle{"http://example.org/", {}};
    jar_.give_to(handle.get());
    handle.set(CURLOPT_COOKIELIST, cookie.c_str());
    jar_.take_from(handle.get());
  }
  std::string at(const std::string& url) { return jar_.cookies_for(parse_url(url)); }

  CookieJar jar_;
};

TEST_F(CookieJarTest, AHostGetsItsOwn) {
  EXPECT_EQ(at("http://film.example.org/a.m4s"), "");
  keep("film.example.org\tFALSE\t/\tFALSE\t0\ttoken\tabc=");
  EXPECT_EQ(at("http://film.example.org/a.m4s?b=c"), "token=abc=");
  EXPECT_EQ(at("https://film.example.org:8443/"), "token=abc=");
  EXPECT_EQ(at("http://cdn.film.example.org/a.m4s"), "");
  EXPECT_EQ(at("http://example.org/a.m4s"), "");
}

TEST_F(CookieJarTest, ADomainGivesItToTheHostsBelow) {
  keep("Set-Cookie: token=abc; Domain=example.org; HttpOnly");
  EXPECT_EQ(at("http://cdn.film.example.org/a.m4s"), "token=abc");
  EXPECT_EQ(at("http://example.org/"), "token=abc");
  EXPECT_EQ(at("http://badexample.org/"), "");
}

TEST_F(CookieJarTest, APathEndsAtASlash) {
  keep("Set-Cookie: token=all; Domain=example.org; Path=/");
  keep("Set-Cookie: token=film; Domain=example.org; Path=/film");
  EXPECT_EQ(at("http://example.org/film"), "token=film; token=all");
  EXPECT_EQ(at("http://example.org/film/a.m4s"), "token=film; token=all");
  EXPECT_EQ(at("http://example.org/films/a.m4s"), "token=all");
}

TEST_F(CookieJarTest, ASecureOneGoesByHttpsOnly) {
  keep("example.org\tFALSE\t/\tTRUE\t0\ttoken\tabc");
  EXPECT_EQ(at("https://example.org/"), "token=abc");
  EXPECT_EQ(at("http://example.org/"), "");
}

TEST_F(CookieJarTest, ASecureOneGoesToThisMachineWithoutTls) {
  keep("localhost\tFALSE\t/\tTRUE\t0\ttoken\tabc");
  keep("127.0.0.1\tFALSE\t/\tTRUE\t0\ttoken\tdef");
  EXPECT_EQ(at("http://localhost:8888/"), "token=abc");
  EXPECT_EQ(at("http://127.0.0.1/"), "token=def");
}

TEST_F(CookieJarTest, ALaterOneTakesThePlaceOfTheOneBefore) {
  keep("Set-Cookie: token=first; Domain=example.org; Path=/");
  keep("Set-Cookie: token=second; Domain=example.org; Path=/");
  EXPECT_EQ(at("http://example.org/"), "token=second");
}

/// A program with two titles, which have a jar each.
TEST(CookieJar, TheSessionOfOneTitleIsNothingToAnother) {
  const LinkRules first{.link = {}, .ca_file = {}, .cookies = std::make_shared<CookieJar>()};
  const LinkRules second{.link = {}, .ca_file = {}, .cookies = std::make_shared<CookieJar>()};
  CurlHandle handle{"http://example.org/", first};
  handle.cookies().give_to(handle.get());
  handle.set(CURLOPT_COOKIELIST, "Set-Cookie: token=abc; Domain=example.org; Path=/");
  handle.cookies().take_from(handle.get());
  const FileLocation film = parse_url("http://example.org/film");
  EXPECT_EQ(CookieJar::of(first)->cookies_for(film), "token=abc");
  EXPECT_EQ(CookieJar::of(second)->cookies_for(film), "");
  EXPECT_EQ(CookieJar::of({})->cookies_for(film), "");
}

TEST_F(CookieJarTest, AnExpiredOneIsNotSent) {
  keep("example.org\tFALSE\t/\tFALSE\t4000000000\tlater\t1");
  keep("example.org\tFALSE\t/\tFALSE\t1000000000\tgone\t1");
  EXPECT_EQ(at("http://example.org/"), "later=1");
}

}  // namespace
}  // namespace tributary::transport
