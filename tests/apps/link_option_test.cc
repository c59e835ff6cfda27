#include <gtest/gtest.h>

#include "apps/common/command_line.hh"

namespace tributary {
namespace {

using Names = std::vector<std::string>;

struct LinkOption {
  explicit LinkOption(const std::string& line) {
    CLI::App app;
    std::string ca_file;
    transport::HttpVersion http{};
    add_network_options(app, links, terms, ca_file, http);
    try {
      app.parse(line, false);
    } catch (const CLI::ParseError& wrong) {
      error = wrong.what();
    }
  }
  Names links;
  TermsOfLinks terms;
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
