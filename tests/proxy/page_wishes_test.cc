#include "proxy/page_wishes.hh"

#include <gtest/gtest.h>

namespace tributary::proxy {
namespace {

PageWish wish(const std::string& target, const std::string& body) {
  return read_wish({.method = "POST", .target = target, .body = body});
}

unsigned refused(const std::string& target, const std::string& body) {
  const PageWish read = wish(target, body);
  const auto* bad = std::get_if<BadWish>(&read);
  EXPECT_TRUE(bad == nullptr || !bad->why.empty());
  return bad != nullptr ? bad->status : 0;
}

TEST(PageWishes, ATitleIsOpenedByItsAddress) {
  EXPECT_EQ(std::get<OpenWish>(wish("/open", R"({"url": "https://a.example/x.mpd"})")).url, "https://a.example/x.mpd");
  EXPECT_EQ(std::get<OpenWish>(wish("/open", R"({"url": 7})")).url, std::get<OpenWish>(wish("/open", "{}")).url);
}

TEST(PageWishes, ALinkIsUsedAsTheUserWants) {
  const auto read = std::get<LinkWish>(wish("/link", R"({"name": "wlan0", "use": "when-needed"})"));
  EXPECT_EQ(read.link, "wlan0");
  EXPECT_EQ(read.use, LinkUse::kWhenNeeded);
  EXPECT_EQ(refused("/link", R"({"name": "wlan0", "use": "always"})"), 400u);
  EXPECT_EQ(refused("/link", R"({"use": "use"})"), 400u);
}

TEST(PageWishes, ATitleIsClosedByItsNumber) {
  EXPECT_EQ(std::get<CloseWish>(wish("/close", R"({"number": 3})")).number, 3u);
  EXPECT_EQ(refused("/close", R"({"number": -3})"), 400u);
  EXPECT_EQ(refused("/close", R"({"number": "3"})"), 400u);
  EXPECT_EQ(refused("/close", "{}"), 400u);
}

TEST(PageWishes, AllElseIsRefused) {
  EXPECT_EQ(refused("/open", "no JSON"), 400u);
  EXPECT_EQ(refused("/open", "[]"), 400u);
  EXPECT_EQ(refused("/nothing", "{}"), 404u);
}

}  // namespace
}  // namespace tributary::proxy
