#include "units/text/web_address.hh"

#include <gtest/gtest.h>

namespace tributary {
namespace {

TEST(WebAddress, WithoutASchemeTheLocalNetworkIsAskedByHttp) {
  for (const char* const text :
       {"localhost:8080/film/", "127.0.0.1:8080", "10.0.0.7/index.json", "192.168.1.2/a", "172.31.0.1/a",
        "169.254.1.1/a", "[::1]:8080/a", "[fe80::1]/a", "[fd77:1::2]/a", "[fe80::1%25eth0.5]/a", "nas/film/",
        "nas.local/film", "tv.home.arpa/a", "me:word@nas:8080/a"})
    EXPECT_EQ(with_scheme(text), std::string{"http://"} + text);
}

TEST(WebAddress, WithoutASchemeAllOthersAreAskedByHttps) {
  for (const char* const text : {"example.org", "example.org:8443/film/", "172.32.0.1/a", "198.51.100.1/index.json",
                                 "[2001:db8::1]/a", "local.example/a", "me:word@example.org/a@b"})
    EXPECT_EQ(with_scheme(text), std::string{"https://"} + text);
  EXPECT_EQ(with_scheme("//example.org/film"), "https://example.org/film");
}

TEST(WebAddress, ASchemeStays) {
  for (const char* const text : {"http://example.org/", "https://localhost/", "ftp://example.org/"})
    EXPECT_EQ(with_scheme(text), text);
}

}  // namespace
}  // namespace tributary
