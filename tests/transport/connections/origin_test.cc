#include "transport/connections/origin.hh"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "transport/connections/origin_addresses.hh"

namespace tributary::transport {
namespace {

TEST(Origin, IsReadFromAUrl) {
  const FileLocation location = parse_url("HTTPS://Video.Example:8443/vod/index.json?t=1#top");
  EXPECT_EQ(location.origin, (Origin{"https", "video.example", 8443}));
  EXPECT_EQ(location.target, "/vod/index.json?t=1");
  EXPECT_EQ(location.url(), "https://video.example:8443/vod/index.json?t=1");
}

TEST(Origin, TheDefaultPortIsNotWritten) {
  EXPECT_EQ(parse_url("http://a.example/x").origin.port, 80);
  EXPECT_EQ(parse_url("https://a.example:443/x").url(), "https://a.example/x");
  EXPECT_EQ(parse_url("http://a.example:443/x").origin.authority(), "a.example:443");
  EXPECT_EQ(parse_url("http://a.example").target, "/");
}

TEST(Origin, AnIpv6AddressStandsInBrackets) {
  const Origin origin = parse_url("http://[2001:DB8::1]:8080/x").origin;
  EXPECT_EQ(origin.host, "[2001:db8::1]");
  EXPECT_EQ(origin.authority(), "[2001:db8::1]:8080");
}

TEST(Origin, BlanksAndOtherCharactersArePercentEncoded) {
  EXPECT_EQ(parse_url("http://a.example/my film/größe.json").target, "/my%20film/gr%c3%b6%c3%9fe.json");
  EXPECT_EQ(parse_url("http://a.example/my%20film").target, "/my%20film");
}

TEST(Origin, RefusesWhatCannotBeFetched) {
  for (const char* url :
       {"", "index.json", "ftp://a.example/x", "file:///etc/passwd", "http://", "http://a.example:0/",
        "http://a.example:99999/", "http://user:secret@a.example/", "http://a.example/\r\nX: y",
        "http://a.example/x?y\r\nX: y", "http://a.example/x\ty", "http://a.example/\x7f", "http://a.example\r\nX: y/",
        "http://a b/x", "http://b\u2028cher.example/", "http://\xff.example/", "http://%%39/x", "http://7%3%39/x",
        // They would become "w<", "a/b", "a@b" and "a#b".
        "http://w\uff1c/x", "http://a\uff0fb.example/x", "http://a\uff20b.example/x", "http://a\uff03b.example/x"}) {
    EXPECT_THROW(parse_url(url), UrlError) << url;
  }
}

/// RFC 6874. The server has no use for the interface.
TEST(Origin, AnAddressOfALinkNamesItsInterface) {
  const FileLocation film = parse_url("http://[FE80::1%25Eth0.7]:8080/a/film.m3u8");
  EXPECT_EQ(film.origin.host, "[fe80::1%Eth0.7]");
  EXPECT_EQ(film.origin.address_or_name(), "fe80::1%Eth0.7");
  EXPECT_EQ(film.origin.name(), "fe80::1");
  EXPECT_EQ(film.origin.authority(), "[fe80::1]:8080");
  EXPECT_EQ(film.url(), "http://[fe80::1%25Eth0.7]:8080/a/film.m3u8");
  EXPECT_EQ(resolve_uri(film, "/b/1.ts").url(), "http://[fe80::1%25Eth0.7]:8080/b/1.ts");
  EXPECT_EQ(resolve_uri(film, "../1.ts?x").url(), "http://[fe80::1%25Eth0.7]:8080/1.ts?x");
  EXPECT_NE(film.origin, parse_url("http://[fe80::1%25lte]:8080/").origin);
  EXPECT_THROW(parse_url("http://[fe80::1%25eth%0a0]/"), UrlError);
}

TEST(Origin, AnInterfaceThatIsNotThereIsNamed) {
  EXPECT_EQ(resolve(parse_url("http://[fe80::1%25lo]/").origin), std::vector<std::string>{"fe80::1%lo"});
  try {
    resolve(parse_url("http://[fe80::1%25nosuch0]/").origin);
    FAIL();
  } catch (const LookupError& error) {
    EXPECT_STREQ(error.what(), "[fe80::1%nosuch0]: this machine has no interface nosuch0");
  }
}

TEST(Origin, ANameBeyondAsciiIsWrittenAsItIsLookedUp) {
  EXPECT_EQ(parse_url("https://B\u00fccher.example/x").url(), "https://xn--bcher-kva.example/x");
  EXPECT_EQ(parse_url("http://stra\u00dfe.example/").origin.host, "xn--strae-oqa.example");
  EXPECT_EQ(parse_url("http://xn--bcher-kva.example/").origin, parse_url("http://b\u00fccher.example/").origin);
}

/// Otherwise a host would have two names here, and one whose digits are written otherwise could pass for another.
TEST(Origin, AnAddressIsOneHoweverItsDigitsAreWritten) {
  for (const char* host :
       {"127.1", "127%2e1", "%3127.0.0.1", "0x7f.1", "\uff11\uff12\uff17.1", "127\u30021", "2130706433"})
    EXPECT_EQ(parse_url(fmt::format("http://{}:8080/x", host)).url(), "http://127.0.0.1:8080/x") << host;
  EXPECT_EQ(parse_url("http://1st.example/").origin.host, "1st.example");
}

/// As RFC 3986 section 5.2 puts them together: for URIs without dots, the directory of the document and the URI.
TEST(Origin, PlainUrisAreResolvedLikeAllOthers) {
  for (const char* document : {"http://a.example/m.mpd", "https://a.example:8443/vod/t/m?a=b/c&d=e", "http://a.example",
                               "http://a.example/vod//", "http://a.example/a%20b/x"}) {
    const FileLocation base = parse_url(document);
    const std::string path = base.target.substr(0, base.target.find('?'));
    const std::string directory = base.origin.url() + path.substr(0, path.rfind('/') + 1);
    for (const char* uri :
         {"1.m4s", "low/00001.m4s", "a//b", "a/", "a.", "a..b/c", "x?y=1&z=a.b/../c", "x?", "low/a?b?c"})
      EXPECT_EQ(resolve_uri(base, uri), parse_url(directory + uri)) << document << " " << uri;
    EXPECT_EQ(resolve_uri(base, "a/../b").target, path.substr(0, path.rfind('/') + 1) + "b");
    EXPECT_EQ(resolve_uri(base, "a/./.hidden").target, path.substr(0, path.rfind('/') + 1) + "a/.hidden");
  }
}

TEST(Origin, AUriIsResolvedAgainstTheDocument) {
  const FileLocation document = parse_url("http://a.example:8000/vod/title/index.json?v=2");
  const auto target = [&](const char* uri) { return resolve_uri(document, uri).target; };
  EXPECT_EQ(target("low/1.m4s"), "/vod/title/low/1.m4s");
  EXPECT_EQ(target("low res/1.m4s"), "/vod/title/low%20res/1.m4s");
  EXPECT_EQ(target("low%20res/1.m4s"), "/vod/title/low%20res/1.m4s");
  EXPECT_EQ(target("../other/1.m4s?token=a"), "/vod/other/1.m4s?token=a");
  EXPECT_EQ(target("/abs.m4s"), "/abs.m4s");
  EXPECT_EQ(target("?part=2"), "/vod/title/index.json?part=2");
  EXPECT_EQ(target("./?part=2"), "/vod/title/?part=2");
  EXPECT_EQ(target("../?part=2"), "/vod/?part=2");
  EXPECT_EQ(target("..?part=2#x"), "/vod/?part=2");
  EXPECT_EQ(target("low res/?part=a b&c=%2e"), "/vod/title/low%20res/?part=a+b&c=%2e");
  EXPECT_EQ(target("//cdn.example?part=2"), "/?part=2");
  EXPECT_EQ(target("low/#?part=2"), "/vod/title/low/");
  EXPECT_EQ(resolve_uri(document, "low/1.m4s").origin, document.origin);
  EXPECT_EQ(resolve_uri(document, "https://cdn.example/1.m4s"),
            (FileLocation{{"https", "cdn.example", 443}, "/1.m4s"}));
  EXPECT_THROW(resolve_uri(document, "ftp://cdn.example/1.m4s"), UrlError);
}

TEST(Origin, ARefusedUrlIsQuotedWithoutWhatIsSecret) {
  for (const char* url : {"http://user:secret@a.example/x?secret", "ftp://user:secret@a.example/?secret"}) {
    try {
      parse_url(url);
      ADD_FAILURE() << url;
    } catch (const UrlError& error) {
      EXPECT_EQ(std::string{error.what()}.find("secret"), std::string::npos) << error.what();
    }
  }
}

TEST(Origin, AddressesNeedNoResolver) {
  EXPECT_EQ(resolve(parse_url("http://[::1]:8080/").origin), std::vector<std::string>{"::1"});
  EXPECT_EQ(resolve(parse_url("http://127.0.0.1/").origin), std::vector<std::string>{"127.0.0.1"});
}

TEST(Origin, ANameWithoutAddressIsAnError) {
  const std::string too_long_to_ask_for(70, 'a');  // so that no resolver is bothered
  EXPECT_THROW(resolve(Origin{"http", too_long_to_ask_for + ".example", 80}), UrlError);
}

}  // namespace
}  // namespace tributary::transport
