#include "proxy/open_titles.hh"

#include <gtest/gtest.h>

namespace tributary::proxy {
namespace {

using Channel = OpenTitles::Channel;
using Target = OpenTitles::Target;

class OpenTitlesTest : public ::testing::Test {
 protected:
  OpenTitles::Added add_title() {
    const auto added = titles_.add([this](std::size_t number) {
      const PlayersManifest manifest{.url = "http://127.0.0.1:9/film.m3u8"};
      return std::make_shared<ProxiedTitle>(number, "", manifest, LinkWishes{}, ProxyRules{}, documents_);
    });
    return added.value_or(OpenTitles::Added{});
  }
  OpenTitles::Added add_list() {
    std::vector<ListedChannel> channels(3);
    channels[0].url = "http://127.0.0.1:9/one.m3u8";
    channels[1].url = "http://127.0.0.1:9/two.m3u8";
    return titles_.add_list("http://127.0.0.1:9/list.m3u", channels, true).value_or(OpenTitles::Added{});
  }
  static std::string first_channel(const OpenTitles::Added& list) {
    return "/" + std::to_string(list.number) + "/channel/1";
  }

  Documents documents_;
  OpenTitles titles_;
};

TEST_F(OpenTitlesTest, TargetsBelongToTheirTitles) {
  const auto one = add_title(), two = add_title();
  EXPECT_NE(one.number, two.number);
  EXPECT_EQ(titles_.title_of(one.target), one.title);
  EXPECT_EQ(titles_.title_of(two.target), two.title);
  for (const char* target : {"/", "/page.js", "/99/film.m3u8", "/1", "/1x/film.m3u8"})
    EXPECT_EQ(titles_.title_of(target), nullptr) << target;
  titles_.close(one.number);
  EXPECT_EQ(titles_.title_of(one.target), nullptr);
  EXPECT_EQ(titles_.title_of(two.target), two.title);
}

TEST_F(OpenTitlesTest, AreNotMoreThanCanBeHeld) {
  for (int i = 0; i < 64; ++i) ASSERT_NE(add_list().number, 0u);
  const std::size_t last = add_title().number;
  EXPECT_EQ(add_list().number, 0u);
  titles_.close(last);
  EXPECT_EQ(add_list().number, 0u);  // a title is no list
  titles_.close(1);
  EXPECT_NE(add_list().number, 0u);
}

TEST_F(OpenTitlesTest, AChannelHasToBeOpenedOnce) {
  const auto list = add_list();
  EXPECT_TRUE(std::holds_alternative<OpenTitles::ListText>(titles_.at_list(list.target).value()));
  const std::string target = first_channel(list);
  const auto channel = std::get<Channel>(titles_.at_list(target).value());
  EXPECT_EQ(channel.url, "http://127.0.0.1:9/one.m3u8");
  EXPECT_TRUE(channel.of_internet);
  const auto title = add_title();
  EXPECT_EQ(titles_.became(channel, title.number).value().target, title.target);
  EXPECT_EQ(std::get<Target>(titles_.at_list(target).value()).target, title.target);
  titles_.close(title.number);
  EXPECT_TRUE(std::holds_alternative<Channel>(titles_.at_list(target).value()));
  EXPECT_FALSE(titles_.at_list("/" + std::to_string(list.number) + "/nothing"));
  EXPECT_FALSE(titles_.at_list(title.target));
}

TEST_F(OpenTitlesTest, TwoThatAskForAChannelAtTheSameTimeGetOneTitle) {
  const auto channel = std::get<Channel>(titles_.at_list(first_channel(add_list())).value());
  const auto first = add_title(), second = add_title();
  titles_.became(channel, first.number);
  EXPECT_EQ(titles_.became(channel, second.number).value().target, first.target);
  EXPECT_EQ(titles_.title_of(second.target), nullptr);  // it was closed
}

TEST_F(OpenTitlesTest, AChannelOfAListThatWasClosedLeadsToItsTitleAllTheSame) {
  const auto list = add_list();
  const auto channel = std::get<Channel>(titles_.at_list(first_channel(list)).value());
  titles_.close(list.number);
  const auto title = add_title();
  EXPECT_EQ(titles_.became(channel, title.number).value().target, title.target);
  titles_.close(title.number);
  EXPECT_FALSE(titles_.became(channel, title.number));
}

}  // namespace
}  // namespace tributary::proxy
