#include "playback/side_loader.hh"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <future>

#include "canned_responses.hh"
#include "faulty_origin.hh"
#include "transport/connections/address_guard.hh"
#include "transport/connections/cookie_jar.hh"
#include "transport/documents/document_fetch.hh"

namespace tributary {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

LinkStatus link(const std::string& name, CostKind cost = CostKind::kFree, LinkUse use = LinkUse::kUse,
                LinkActivity activity = LinkActivity::kIdle) {
  LinkStatus status;
  status.name = name;
  status.use = use;
  status.activity = activity;
  status.cost.kind = cost;
  return status;
}

TEST(SideLoader, LinksAreUsedAsTheUserWants) {
  EXPECT_THAT(links_for_side_files({}), ElementsAre(""));
  EXPECT_THAT(links_for_side_files({link("paid", CostKind::kPaid), link("later", CostKind::kFree, LinkUse::kWhenNeeded),
                                    link("free"), link("off", CostKind::kFree, LinkUse::kDoNotUse),
                                    link("down", CostKind::kFree, LinkUse::kUse, LinkActivity::kDown),
                                    link("used up", CostKind::kMetered, LinkUse::kUse, LinkActivity::kUsedUp)}),
              ElementsAre("free", "later", "paid"));
  EXPECT_THAT(links_for_side_files({link("off", CostKind::kFree, LinkUse::kDoNotUse)}), IsEmpty());
}

TEST(SideLoader, NothingIsFetchedThatNobodyWantsOrWithoutALink) {
  SideFiles files;
  files.stretches.push_back({std::nullopt, 0s});
  for (int i = 0; i < 10; ++i) files.files.push_back({{"http://127.0.0.1:9/x", {}, true}, i * 10s, 10s});
  std::atomic<int> failures = 0;
  SideLoader loader{{.files = files, .base = "http://127.0.0.1:9/"},
                    [](const std::string&, const std::string&) { return nullptr; },
                    {.loaded = [] {}, .failed = [&](const std::string&) { ++failures; }}};
  EXPECT_TRUE(loader.lacks(0s, 20s));
  EXPECT_FALSE(loader.lacks(200s, 220s));
  loader.want(0s, 20s, {});
  EXPECT_TRUE(loader.lacks(0s, 20s));
  EXPECT_THAT(loader.held(0s, 100s), IsEmpty());
  EXPECT_EQ(failures, 0);
  loader.want(0s, 20s, {""});  // nobody listens there
  while (failures == 0) std::this_thread::sleep_for(1ms);
  while (loader.lacks(0s, 20s)) std::this_thread::sleep_for(1ms);  // each is left alone for a while
  std::this_thread::sleep_for(20ms);
  EXPECT_EQ(failures, 1);  // told once
}

TEST(SideLoader, FilesWithinTheirAddressesAreRead) {
  SideFiles files;
  files.stretches.push_back({Resource{"data:,init", {}, true}, 0s});
  files.files.push_back({{"data:text/vtt;base64,V0VCVlRU", {}, true}, 0s, 10s});
  files.files.push_back({{"data:,0123456789", {DataSize{2}, DataSize{5}}, false}, 10s, 10s});
  std::vector<std::string> read;
  SideLoader loader{{.files = files, .base = "http://127.0.0.1:9/"},
                    [&](const std::string& bytes, const std::string& init) {
                      read.push_back(init + " " + bytes);
                      return std::make_shared<const SideContent>();
                    },
                    {.loaded = [] {}, .failed = [](const std::string& why) { ADD_FAILURE() << why; }}};
  loader.want(0s, 20s, {""});  // nobody listens there
  while (loader.held(0s, 20s).size() < 2) std::this_thread::sleep_for(1ms);
  EXPECT_THAT(read, ElementsAre("init WEBVTT", "init 234"));
}

TEST(SideLoader, AFileOfALiveTitleThatIsListedLaterIsWantedAndItsFirstFailureIsNotTold) {
  SideFiles files;
  files.grows = std::make_shared<SideList>();
  std::atomic<int> failures = 0;
  SideLoader loader{{.files = files, .base = "http://127.0.0.1:9/"},
                    [](const std::string&, const std::string&) { return nullptr; },
                    {.loaded = [] {}, .failed = [&](const std::string&) { ++failures; }}};
  EXPECT_FALSE(loader.lacks(0s, 20s));
  SideFiles listed;
  listed.stretches.push_back({std::nullopt, 0s});
  listed.files.push_back({{"http://127.0.0.1:9/x", {}, true}, 0s, 10s});
  files.grows->add(listed);
  EXPECT_TRUE(loader.lacks(0s, 20s));
  const auto try_once = [&] {
    while (!loader.lacks(0s, 20s)) std::this_thread::sleep_for(1ms);
    loader.want(0s, 20s, {""});  // nobody listens there
    while (loader.lacks(0s, 20s)) std::this_thread::sleep_for(1ms);
  };
  try_once();
  while (!loader.lacks(0s, 20s)) std::this_thread::sleep_for(1ms);  // after a second, it may be there
  EXPECT_EQ(failures, 0);
  try_once();
  while (failures == 0) std::this_thread::sleep_for(1ms);
  EXPECT_EQ(failures, 1);
}

/// Fetches /cues from the origin; what was told of a failure, or nothing.
std::string load_cues(const FaultyOrigin& origin, const transport::LinkRules& rules) {
  const std::string folder = fmt::format("http://127.0.0.1:{}/", origin.port());
  SideFiles files;
  files.stretches.push_back({std::nullopt, 0s});
  files.files.push_back({{"cues", {}, true}, 0s, 10s});
  std::promise<std::string> end;
  SideLoader loader{
      {.files = files, .base = folder, .rules = rules},
      [](const std::string&, const std::string&) { return std::make_shared<SideContent>(); },
      {.loaded = [&] { end.set_value(""); }, .failed = [&](const std::string& error) { end.set_value(error); }}};
  loader.want(0s, 10s, {""});
  return end.get_future().get();
}

TEST(SideLoader, FilesComeWithTheCookiesOfTheirTitle) {
  std::string asked;
  const FaultyOrigin origin{[&](const std::string& head) -> FaultyOrigin::Reply {
    asked = head;
    return {transport::response("200 OK", "text", "Set-Cookie: of=title\r\n")};
  }};
  const transport::LinkRules rules{.link = {}, .ca_file = {}, .cookies = std::make_shared<transport::CookieJar>()};
  EXPECT_EQ(load_cues(origin, rules), "");
  EXPECT_THAT(asked, ::testing::Not(HasSubstr("Cookie:")));
  EXPECT_EQ(load_cues(origin, rules), "");
  EXPECT_THAT(asked, HasSubstr("Cookie: of=title"));
}

TEST(SideLoader, FilesOfATitleOfTheInternetDoNotComeFromThisMachine) {
  std::atomic<int> requests = 0;
  const FaultyOrigin origin{[&](const std::string&) -> FaultyOrigin::Reply {
    ++requests;
    return {transport::response("200 OK", "text")};
  }};
  const auto guard = std::make_shared<transport::AddressGuard>("http://example.org/film.mpd");
  const transport::LinkRules rules{.link = {}, .ca_file = {}, .guard = guard};
  EXPECT_EQ(load_cues(origin, rules), "");
  guard->title_is_of_internet();
  EXPECT_THAT(load_cues(origin, rules), HasSubstr("127.0.0.1 is an address of this machine"));
  EXPECT_EQ(requests, 1);
}

}  // namespace
}  // namespace tributary
