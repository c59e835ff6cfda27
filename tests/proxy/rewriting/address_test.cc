#include "proxy/rewriting/address.hh"

#include <gtest/gtest.h>

#include "proxy/rewriting/rewriting_limits.hh"
#include "transport/connections/origin.hh"

namespace tributary::proxy {
namespace {

constexpr auto kDocument = "https://cdn.example/film/live/master.m3u8?token=s";

std::string resolved_text(std::string_view name) {
  const auto address = resolved(*address_from(kDocument), name);
  return address ? address->url() : "none";
}

TEST(Address, ResolvesAsTransportsDo) {
  const auto document = transport::parse_url(kDocument);
  for (const char* const name :
       {"1.ts", "./1.ts", "../1.ts", "../../../1.ts", "a/b/../c.ts?x=1", "/root.ts", "//other.example:8443/a/./b",
        "HTTP://Other.Example:80/A?b=%20", "https://h", "https://h?q", "a//b.ts", "..", ".", "?q=1", "1.ts#t=3",
        "a:b/../c", "b%2Fc.ts", "\xc3\xa9.ts",
        "http://b\xc3\xbc"
        "cher.example/"}) {
    if (is_of_another_scheme(name)) continue;
    EXPECT_EQ(resolved_text(name), transport::resolve_uri(document, name).url()) << name;
  }
}

TEST(Address, IsWrittenAsBrowsersAskForIt) {
  EXPECT_EQ(resolved_text("a b|\"c\".ts"), "https://cdn.example/film/live/a%20b%7c%22c%22.ts");
  EXPECT_EQ(resolved_text("x/%2e%2E/.%2e/1.ts"), "https://cdn.example/film/1.ts");
  EXPECT_EQ(resolved_text("..\\..\\1.ts"), "https://cdn.example/film/live/..%5c..%5c1.ts");
  EXPECT_EQ(resolved_text("100%.ts"), "https://cdn.example/film/live/100%25.ts");
  EXPECT_EQ(resolved_text("%25.ts"), "https://cdn.example/film/live/%25.ts");
}

TEST(Address, IsNoneOfAnotherKind) {
  EXPECT_TRUE(is_of_another_scheme("data:text/plain,x"));
  EXPECT_TRUE(is_of_another_scheme("skd://key"));
  EXPECT_FALSE(is_of_another_scheme("a/b:c"));
  EXPECT_FALSE(is_of_another_scheme("1.ts"));
  for (const char* const name :
       {"data:,x", "ftp://h/1", "http:1.ts", "http://user:secret@h/1.ts", "http://", "http://h:0/"})
    EXPECT_EQ(resolved_text(name), "none") << name;
  EXPECT_EQ(resolved_text(std::string(kLongestAddress, 'a')), "none");
  EXPECT_FALSE(address_from("1.ts"));
}

}  // namespace
}  // namespace tributary::proxy
