#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "program/options/command_line.hh"

namespace tributary {
namespace {

using Names = std::vector<std::string>;

struct LinkOption {
  explicit LinkOption(const std::string& line) {
    CLI::App app;
    add_network_options(app, options);
    try {
      app.parse(line, false);
    } catch (const CLI::ParseError& wrong) {
      error = wrong.what();
    }
  }
  NetworkOptions options;
  const Names& links = options.links;
  const TermsOfLinks& terms = options.terms;
  const NamedLinks& expected = options.expected;
  std::string error;
};

TEST(LinkOption, NamesAloneAreTheOnlyLinks) {
  EXPECT_EQ(LinkOption{"--link wlan0 --link wwan0"}.links, (Names{"wlan0", "wwan0"}));
  EXPECT_TRUE(LinkOption{""}.links.empty());
}

TEST(LinkOption, ACostByItselfExcludesNoOtherLink) {
  const LinkOption costs{"--link wwan0=paid:0.01/MB"};
  EXPECT_TRUE(costs.links.empty());
  EXPECT_DOUBLE_EQ(costs.terms.at("wwan0").price_per_mb, 0.01);
  EXPECT_EQ((LinkOption{"--link wlan0 --link wwan0=backup"}.links), (Names{"wlan0", "wwan0"}));
}

TEST(LinkOption, NamedLinksAreExpectedAndOptionalOnesAreNot) {
  const LinkOption both{"--link wlan0 --link-optional wwan0 --link eth0=backup"};
  EXPECT_THAT(both.links, ::testing::UnorderedElementsAre("wlan0", "wwan0", "eth0"));
  EXPECT_THAT(both.expected.usable, ::testing::UnorderedElementsAre("wlan0", "eth0"));
  EXPECT_TRUE(both.expected.existing.empty());
  const LinkOption costs{"--link wwan0=backup --link-optional usb0=paid:1/GB"};
  EXPECT_TRUE(costs.links.empty() && costs.expected.usable.empty());
  EXPECT_EQ(costs.expected.existing, Names{"wwan0"});
  EXPECT_EQ(costs.terms.size(), 2U);
  EXPECT_EQ(LinkOption{"--link-optional wwan0"}.links, Names{"wwan0"});
  EXPECT_EQ(LinkOption{"--link wwan0=free --link-optional wwan0=free"}.error,
            "--link-optional: wwan0: its cost was said before");
}

TEST(NamedLinks, WhatIsMissingIsSaidBeforeAnythingBegins) {
  const std::vector<std::string> here{"127.0.0.1"};
  EXPECT_NO_THROW(expect_links({.usable = {"lo"}, .existing = {"lo"}}, here));
  EXPECT_NO_THROW(expect_links({}, here));
  const auto error_of = [](auto expect) -> std::string {
    try {
      expect();
    } catch (const NamedLinksUnusable& error) {
      return error.what();
    }
    return {};
  };
  for (const NamedLinks& named : {NamedLinks{.usable = {"lo", "nosuch0"}}, NamedLinks{.existing = {"nosuch0"}}}) {
    const std::string error = error_of([&] { expect_links(named, here); });
    EXPECT_THAT(error, ::testing::HasSubstr("nosuch0: there is no such link; this machine has "));
    EXPECT_THAT(error, ::testing::HasSubstr("--link-optional"));
    EXPECT_EQ(error_of([&] { expect_links(named); }), error);
  }
  const NamedLinks loopback{.usable = {"lo"}, .existing = {"lo"}};
  EXPECT_THAT(error_of([&] { expect_links(loopback, {"192.0.2.1"}); }),
              ::testing::HasSubstr("lo: no route to the origin"));
  EXPECT_NO_THROW(expect_links(loopback)) << "no origin is known";
}

TEST(LinkOption, WhatIsWrongIsSaidWithTheLink) {
  EXPECT_EQ(
      LinkOption{"--link wwan0=paid"}.error,
      "--link: wwan0: \"paid\": expected free, backup, metered, metered:500MB, metered:500MB@5th or paid:0.01/MB");
  EXPECT_EQ(LinkOption{"--link wwan0=metered:500MB@0th"}.error,
            "--link: wwan0: \"0th\": expected a day of the month, 1st to 31st");
  EXPECT_EQ(LinkOption{"--link =free"}.error, "--link: \"=free\": expected NAME or NAME=COST");
  EXPECT_EQ(LinkOption{"--link a=free --link a=backup"}.error, "--link: a: its cost was said before");
}

}  // namespace
}  // namespace tributary
