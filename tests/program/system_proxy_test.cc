#include "program/options/system_proxy.hh"

#include <gtest/gtest.h>

#include <cstdlib>
#include <initializer_list>
#include <map>
#include <optional>
#include <string>

#include "program/options/proxy_address.hh"

namespace tributary {
namespace {

constexpr std::initializer_list<const char*> kVariables{"http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy",
                                                        "ALL_PROXY",  "no_proxy",    "NO_PROXY"};

/// The environment names these proxies and no others.
class SystemProxy : public testing::Test {
 protected:
  void SetUp() override {
    for (const char* name : kVariables) {
      const char* value = std::getenv(name);
      before_[name] = value != nullptr ? std::optional<std::string>{value} : std::nullopt;
      unsetenv(name);
    }
  }
  void TearDown() override {
    for (const auto& [name, value] : before_) value ? setenv(name.c_str(), value->c_str(), 1) : unsetenv(name.c_str());
  }
  static void set(const char* name, const char* value) { setenv(name, value, 1); }
  /// Empty: none.
  static std::string proxy_of(const std::string& origin_url) {
    const auto proxy = system_proxy()(origin_url);
    return proxy ? proxy->url : "";
  }

 private:
  std::map<std::string, std::optional<std::string>> before_;
};

TEST_F(SystemProxy, EachSchemeHasItsOwn) {
  set("http_proxy", "127.0.0.1:3128");
  set("HTTPS_PROXY", "http://127.0.0.2:8080/");
  EXPECT_EQ(proxy_of("http://example.org"), "http://127.0.0.1:3128");
  EXPECT_EQ(proxy_of("https://example.org:8443"), "http://127.0.0.2:8080");
}

TEST_F(SystemProxy, OneIsForAllThatHaveNoOther) {
  set("all_proxy", "socks5h://127.0.0.3");
  set("https_proxy", "https://127.0.0.2");
  EXPECT_EQ(proxy_of("http://example.org"), "socks5h://127.0.0.3:1080");
  EXPECT_EQ(proxy_of("https://example.org"), "https://127.0.0.2:443");
}

TEST_F(SystemProxy, SomeOriginsAreReachedWithoutIt) {
  set("all_proxy", "http://127.0.0.1:3128");
  set("no_proxy", "localhost, .corp.example,10.0.0.0/8,plain.example");
  for (const char* direct : {"http://localhost:8080", "https://cdn.corp.example", "http://10.1.2.3",
                             "http://plain.example", "http://below.plain.example"})
    EXPECT_EQ(proxy_of(direct), "") << direct;
  for (const char* proxied : {"http://example.org", "http://11.1.2.3", "http://explain.example"})
    EXPECT_EQ(proxy_of(proxied), "http://127.0.0.1:3128") << proxied;
  set("no_proxy", "*");
  EXPECT_EQ(proxy_of("http://example.org"), "");
}

TEST_F(SystemProxy, ALoginIsReadAndNotTold) {
  set("https_proxy", "http://me:p%40ss@127.0.0.1:3128");
  const auto proxy = system_proxy()("https://example.org");
  ASSERT_TRUE(proxy);
  EXPECT_EQ(proxy->url, "http://127.0.0.1:3128");
  EXPECT_EQ(proxy->user, "me");
  EXPECT_EQ(proxy->password, "p@ss");
}

TEST_F(SystemProxy, WhatCannotBeUsedIsNamed) {
  const auto why = [] {
    try {
      (void)system_proxy();
    } catch (const std::invalid_argument& error) {
      return std::string{error.what()};
    }
    return std::string{};
  };
  EXPECT_EQ(why(), "the environment names no proxy (http_proxy, https_proxy, all_proxy)");
  set("all_proxy", "ftp://me:secret@127.0.0.1");
  EXPECT_EQ(why(), "all_proxy: \"127.0.0.1\": a proxy is spoken to by http, https, socks5 or socks5h");
  set("all_proxy", "http://127.0.0.1:3128/path");
  EXPECT_EQ(why(), "all_proxy: \"http://127.0.0.1:3128/path\": a proxy has no path");
}

}  // namespace
}  // namespace tributary
