#include "proxy/requests/access.hh"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "proxy/requests/access_token.hh"

namespace tributary::proxy {
namespace {

const std::string kToken = "00112233445566778899aabbccddeeff";
const AccessRules kRules{.token = kToken, .port = 8080, .page_origins = {"https://player.example"}};

ReceivedRequest a_get(const std::string& behind = "/film/1.m4s") {
  return {.method = "GET", .target = "/" + kToken + behind, .fields = {{"Host", "127.0.0.1:8080"}}};
}
ReceivedRequest a_post() {
  ReceivedRequest request = a_get("/links");
  request.method = "POST";
  request.fields.emplace_back("Origin", "http://127.0.0.1:8080");
  return request;
}
ReceivedRequest with(ReceivedRequest request, const std::string& name, const std::string& value) {
  std::erase_if(request.fields, [&](const auto& field) { return field.first == name; });
  request.fields.emplace_back(name, value);
  return request;
}

/// 200: it is let in.
unsigned status_of(const ReceivedRequest& request) {
  const auto admitted = admit(request, kRules);
  const auto* refusal = std::get_if<Refusal>(&admitted);
  return refusal != nullptr ? refusal->status : 200;
}
unsigned status_of_target(const std::string& target) {
  ReceivedRequest request = a_get();
  request.target = target;
  return status_of(request);
}
unsigned status_of_path(const std::string& behind) { return status_of(a_get(behind)); }

TEST(AccessToken, IsRandomAndComparedWhole) {
  std::set<std::string> tokens;
  for (int i = 0; i < 100; ++i) tokens.insert(new_access_token());
  EXPECT_EQ(tokens.size(), 100u);
  EXPECT_EQ(tokens.begin()->size(), 32u);
  EXPECT_EQ(tokens.begin()->find_first_not_of("0123456789abcdef"), std::string::npos);
  EXPECT_TRUE(is_same_token(kToken, kToken));
  EXPECT_FALSE(is_same_token(kToken, ""));
  EXPECT_FALSE(is_same_token(kToken, kToken.substr(0, 31)));
  EXPECT_FALSE(is_same_token(kToken, kToken + "0"));
  for (std::size_t i = 0; i < kToken.size(); ++i) {
    std::string other = kToken;
    other[i] = 'x';
    EXPECT_FALSE(is_same_token(kToken, other)) << i;
  }
}

TEST(Access, LetsInWhoKnowsTheTokenAndGivesTheTargetBehindIt) {
  const auto target = [](const std::string& behind) {
    return std::get<Admission>(admit(a_get(behind), kRules)).target;
  };
  EXPECT_EQ(target("/film/1.m4s?a=b"), "/film/1.m4s?a=b");
  EXPECT_EQ(target("/"), "/");
  EXPECT_EQ(target("/?a=/b"), "/?a=/b");
  EXPECT_EQ(target("//a"), "//a");
}

TEST(Access, TellsWhoDoesNotKnowTheTokenThatThereIsNothing) {
  for (const std::string& target :
       {std::string{"/"}, std::string{"/favicon.ico"}, std::string{"/film/1.m4s"}, "/" + kToken, "/" + kToken + "?a=/b",
        "/" + kToken.substr(0, 31) + "/", "/" + kToken + "0/", "//" + kToken + "/", "/x/" + kToken + "/",
        std::string{"/?"} + kToken + "/", std::string{"/00112233445566778899AABBCCDDEEFF/"},
        "/%30" + kToken.substr(1) + "/"}) {
    EXPECT_EQ(status_of_target(target), 404u) << target;
  }
}

TEST(Access, AnswersOnlyForItsOwnHosts) {
  for (const char* host : {"127.0.0.1:8080", "localhost:8080", "[::1]:8080"}) {
    EXPECT_EQ(status_of(with(a_get(), "Host", host)), 200u) << host;
  }
  for (const char* host : {"evil.example", "evil.example:8080", "127.0.0.1", "localhost", "127.0.0.1:8081", "::1:8080",
                           "127.0.0.2:8080", "localhost.evil.example:8080", "evil.example.localhost:8080", "",
                           "127.0.0.1:8080 ", "127.0.0.1:08080", "2130706433:8080", "user@127.0.0.1:8080",
                           "localhost:8080:8080", "0.0.0.0:8080", "[::]:8080", "127.1:8080", "localhost.:8080"}) {
    EXPECT_EQ(status_of(with(a_get(), "Host", host)), 421u) << host;
  }
  ReceivedRequest none = a_get();
  none.fields.clear();
  EXPECT_EQ(status_of(none), 400u);
  ReceivedRequest two = a_get();
  two.fields.emplace_back("host", "127.0.0.1:8080");
  EXPECT_EQ(status_of(two), 400u);
}

TEST(Access, IsNoOpenProxy) {
  EXPECT_EQ(status_of_target("http://origin.example/" + kToken + "/"), 400u);
  EXPECT_EQ(status_of_target("http://127.0.0.1:8080/" + kToken + "/"), 400u);
  EXPECT_EQ(status_of_target("origin.example:443"), 400u);
  EXPECT_EQ(status_of_target("*"), 400u);
  EXPECT_EQ(status_of_target(""), 400u);
  for (const char* method : {"CONNECT", "TRACE", "PUT", "DELETE", "PATCH", "get", "PROPFIND"}) {
    ReceivedRequest request = a_get();
    request.method = method;
    EXPECT_EQ(status_of(request), 405u) << method;
  }
}

TEST(Access, RefusesPathsWithTwoMeanings) {
  for (const char* path :
       {"/a%00b", "/a%2f..%2fb", "/a%2F%2e%2e", "/..%2fb", "/%2e%2F",   "/a%5cb",     "/a\\b",       "/../a",
        "/a/..",  "/a/../b",     "/./a",        "/a/.",    "/%2e%2e/a", "/.%2E/a",    "/%2e/a",      "/a%0d%0ab",
        "/a%0ab", "/a%7fb",      "/a%",         "/a%4",    "/a%zz",     "/a%c",       "/a\x80",      "/\xc3\xa4",
        "/a b",   "/a\tb",       "/a#b",        "/a?b#c",  "/a?b%00",   "/a?b%0d%0a", "/a?\xc3\xa4", "/a?%"}) {
    EXPECT_EQ(status_of_path(path), 400u) << path;
  }
  for (const char* path :
       {"/a...", "/.../a", "/.a", "/a.", "/..a", "/a%20b", "/a%2fb", "/a%2F1.ts", "/a%2f..b", "/a%2f", "/a%c3%a4",
        "/a;b=c", "/a//b", "/a%2eb", "/a?b=../..", "/a?b=%2f%5c\\", "/a~!$&'()*+,;=:@b", "/a?b?c/d"}) {
    EXPECT_EQ(status_of_path(path), 200u) << path;
  }
  ReceivedRequest request = a_get();
  request.target = "/" + kToken + "%2ffilm/1.ts";
  EXPECT_EQ(status_of(request), 404u) << "a token that ends elsewhere";
}

TEST(Access, LetsInItsOwnPageAndListedPages) {
  for (const char* origin :
       {"http://127.0.0.1:8080", "http://localhost:8080", "http://[::1]:8080", "https://player.example"}) {
    const auto admitted = admit(with(a_get(), "Origin", origin), kRules);
    ASSERT_TRUE(std::holds_alternative<Admission>(admitted)) << origin;
    EXPECT_EQ(std::get<Admission>(admitted).page, origin);
  }
  EXPECT_EQ(std::get<Admission>(admit(a_get(), kRules)).page, std::nullopt);
  for (const char* origin :
       {"null", "", "https://evil.example", "http://player.example", "https://player.example:444",
        "https://player.example.evil.example", "https://xplayer.example", "http://127.0.0.1", "https://127.0.0.1:8080",
        "http://127.0.0.1:8081", "http://evil@127.0.0.1:8080", "https://player.example https://evil.example"}) {
    EXPECT_EQ(status_of(with(a_get(), "Origin", origin)), 403u) << origin;
  }
  ReceivedRequest two = with(a_get(), "Origin", "https://player.example");
  two.fields.emplace_back("origin", "https://evil.example");
  EXPECT_EQ(status_of(two), 400u);
}

TEST(Access, LetsAUserListPagesFromFiles) {
  AccessRules rules = kRules;
  rules.page_origins = {"null"};
  EXPECT_TRUE(std::holds_alternative<Admission>(admit(with(a_get(), "Origin", "null"), rules)));
}

TEST(Access, ChangesSomethingOnlyForItsOwnPage) {
  EXPECT_EQ(status_of(a_post()), 200u);
  EXPECT_EQ(status_of(with(a_post(), "Sec-Fetch-Site", "same-origin")), 200u);
  EXPECT_EQ(status_of(with(a_post(), "Sec-Fetch-Site", "none")), 200u);
  EXPECT_EQ(status_of(with(a_post(), "Sec-Fetch-Site", "same-site")), 403u);
  EXPECT_EQ(status_of(with(a_post(), "Sec-Fetch-Site", "cross-site")), 403u);
  for (const char* origin : {"null", "https://evil.example", "https://player.example", "http://localhost:8080",
                             "http://[::1]:8080", "https://127.0.0.1:8080", ""}) {
    EXPECT_EQ(status_of(with(a_post(), "Origin", origin)), 403u) << origin;
  }
  ReceivedRequest none = a_post();
  std::erase_if(none.fields, [](const auto& field) { return field.first == "Origin"; });
  EXPECT_EQ(status_of(none), 403u);
}

TEST(Access, SaysNothingOfPagesToWhoDoesNotKnowTheToken) {
  ReceivedRequest request = with(a_get(), "Origin", "https://evil.example");
  request.target = "/wrong/film/1.m4s";
  EXPECT_EQ(status_of(request), 404u);
}

}  // namespace
}  // namespace tributary::proxy
