#include "worlds/found_presentation.hh"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "canned_responses.hh"
#include "faulty_origin.hh"
#include "links/link_catalogue.hh"
#include "transport/connections/address_guard.hh"
#include "transport/connections/kept_connections.hh"

namespace tributary {
namespace {

using ::testing::ElementsAre;

constexpr const char* kPlaylist = R"(#EXTM3U
#EXT-X-TARGETDURATION:2
#EXT-X-PLAYLIST-TYPE:VOD
#EXTINF:2,
1.ts
#EXT-X-ENDLIST
)";

/// A master playlist with one variant, so that its opening takes two documents, one after the other.
class FoundPresentationTest : public ::testing::Test {
 protected:
  FoundPresentationTest() {
    search.session.emplace(SessionToCome{loop, {}});
    search.wait = [this](transport::CurlLoop& of_search, std::optional<Duration> at_most) {
      waited_in.push_back(&of_search);
      of_search.wait(at_most);
    };
  }

  FaultyOrigin::Reply answer(const std::string& head) {
    asked.push_back(head.substr(0, head.find(" HTTP")));
    if (asked.back() == "GET /low.m3u8") return {transport::response("200 OK", kPlaylist)};
    return {transport::response(
        "200 OK", "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=100000,CODECS=\"avc1.42c01e\",RESOLUTION=96x54\nlow.m3u8\n")};
  }

  transport::CurlLoop loop;
  std::vector<std::string> asked;
  std::vector<transport::CurlLoop*> waited_in;
  FaultyOrigin origin{[this](const std::string& head) { return answer(head); }};
  PresentationSearch search{fmt::format("http://127.0.0.1:{}/master.m3u8", origin.port()), {"lo"}};
};

TEST_F(FoundPresentationTest, LinksAreConnectedForTheSessionWhenItIsFound) {
  const FoundPresentation found = find_presentation(search);
  EXPECT_THAT(asked, ElementsAre("GET /master.m3u8", "GET /low.m3u8"));
  EXPECT_THAT(waited_in, ::testing::Each(&loop));
  ASSERT_NE(found.preconnections, nullptr);
  EXPECT_TRUE(found.preconnections->is_made("lo"));
  EXPECT_EQ(origin.connections(), 2) << "one for both documents, one for the session";
}

TEST_F(FoundPresentationTest, ALinkForWhenItIsNeededIsNotConnectedAhead) {
  search.use = [](const std::string&) { return LinkUse::kWhenNeeded; };
  const FoundPresentation found = find_presentation(search);
  EXPECT_FALSE(found.preconnections->is_made("lo"));
  EXPECT_EQ(origin.connections(), 1);
}

TEST_F(FoundPresentationTest, WithoutASessionNothingIsConnectedAhead) {
  search.session.reset();
  EXPECT_EQ(find_presentation(search).preconnections, nullptr);
  EXPECT_EQ(origin.connections(), 1);
}

TEST_F(FoundPresentationTest, LaterSearchesUseTheConnectionsOfThoseBefore) {
  search.session.reset();
  search.rules.kept = std::make_shared<transport::KeptConnections>();
  find_presentation(search);
  find_presentation(search);
  EXPECT_EQ(origin.connections(), 1);
  search.rules.kept.reset();
  find_presentation(search);
  EXPECT_EQ(origin.connections(), 2);
}

TEST(FoundPresentation, BehindAProxyOfAllLinksAnAddressOfALinkIsNotOfTheInternet) {
  const FaultyOrigin proxy{
      [](const std::string&) -> FaultyOrigin::Reply { return {transport::response("403 No", "")}; }};
  const auto catalogue = std::make_shared<LinkCatalogue>();
  catalogue->lead_through([&](const std::string&) {
    return std::make_shared<const ConnectProxy>(
        ConnectProxy{.url = fmt::format("http://127.0.0.1:{}", proxy.port()), .addresses = {"127.0.0.1"}});
  });
  PresentationSearch search{"http://[fe80::1%25lo]/film.m3u8", {"lo"}};
  search.rules.catalogue = catalogue;
  search.rules.guard = std::make_shared<transport::AddressGuard>(search.url);
  search.resolve = [](const transport::Origin&) { return std::vector<std::string>{"127.0.0.1"}; };
  EXPECT_THROW(find_presentation(search), std::runtime_error);
  EXPECT_GE(proxy.connections(), 1);
  EXPECT_FALSE(search.rules.guard->refuses_near_ones());
}

TEST(FoundPresentation, TheFirstSegmentOfALiveTitleIsWaitedFor) {
  int asked = 0;
  const FaultyOrigin origin{[&](const std::string&) -> FaultyOrigin::Reply {
    const std::string segment = ++asked < 3 ? "" : "#EXTINF:2,\n1.ts\n";
    return {transport::response("200 OK", "#EXTM3U\n#EXT-X-TARGETDURATION:2\n" + segment)};
  }};
  PresentationSearch search{fmt::format("http://127.0.0.1:{}/list.m3u8", origin.port()), {"lo"}};
  std::vector<std::string> told;
  search.tell = [&](const std::string& what_for) { told.push_back(what_for); };
  EXPECT_EQ(find_presentation(search).presentation.tracks.at(0).sizes.size(), 1U);
  EXPECT_THAT(told, ElementsAre(::testing::HasSubstr("waiting for the first segment")));
}

/// A list of two, one of one, and one that leads to itself.
FaultyOrigin::Reply answer_of_lists(const std::string& head) {
  const auto list = [](const std::string& entries) {
    return FaultyOrigin::Reply{transport::response("200 OK", "#EXTM3U\n" + entries)};
  };
  if (head.starts_with("GET /tv.m3u ")) return list("#EXTINF:-1,One\nfolder/one.m3u\n#EXTINF:-1,All\ntv.m3u\n");
  if (head.starts_with("GET /folder/one.m3u ")) return list("#EXTINF:-1,Only\n../film.m3u8\n");
  if (head.starts_with("GET /self.m3u ")) return list("#EXTINF:-1,Self\nself.m3u\n");
  if (head.starts_with("GET /film.m3u8 ")) return {transport::response("200 OK", kPlaylist)};
  if (head.starts_with("GET /music.m3u ")) return list("#EXTINF:3,Sound\nsound.mp3\n");
  return {transport::response("200 OK", "ID3")};
}

/// The address that is found behind a list, or why there is none.
std::string found_at(const std::string& address) {
  const FaultyOrigin origin{answer_of_lists};
  const std::string root = fmt::format("http://127.0.0.1:{}", origin.port());
  try {
    return find_presentation(PresentationSearch{root + address, {"lo"}}).location.url().substr(root.size());
  } catch (const NoManifestFound& error) {
    return "no manifest: " + error.asked.substr(root.size());
  } catch (const UnreadableManifest& error) {
    return error.what();
  }
}

TEST(FoundPresentation, IsThatOfTheChannelThatTheAddressNames) {
  EXPECT_EQ(found_at("/tv.m3u#channel=1"), "/film.m3u8");
  EXPECT_EQ(found_at("/tv.m3u#channel=all&channel=One"), "/film.m3u8");
  EXPECT_EQ(found_at("/folder/one.m3u"), "/film.m3u8");
  EXPECT_EQ(found_at("/film.m3u8#t=1"), "/film.m3u8");
  EXPECT_EQ(found_at("/music.m3u"), "no manifest: /sound.mp3");
}

TEST(FoundPresentation, IsNoneWithoutAChannel) {
  using ::testing::StartsWith;
  EXPECT_THAT(found_at("/tv.m3u"), StartsWith("this is a list of 2 channels: choose with --channel"));
  EXPECT_THAT(found_at("/tv.m3u#channel=All"),
              StartsWith("this is a list of 2 channels: choose with another --channel"));
  EXPECT_EQ(found_at("/film.m3u8#channel=News"), "this is no list of channels, so there is no channel \"News\"");
  EXPECT_EQ(found_at("/self.m3u"), "the lists of channels lead to one another without an end");
}

TEST(FoundPresentation, APlaylistThatIsNotThereIsLeftOut) {
  const FaultyOrigin origin{[&](const std::string& head) -> FaultyOrigin::Reply {
    if (head.starts_with("GET /1.m3u8 ")) return {transport::response("404 Not Found", "")};
    if (head.starts_with("GET /2.m3u8 ")) return {transport::response("200 OK", kPlaylist)};
    return {transport::response("200 OK",
                                "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=100000\n1.m3u8\n"
                                "#EXT-X-STREAM-INF:BANDWIDTH=200000\n2.m3u8\n")};
  }};
  const PresentationSearch search{fmt::format("http://127.0.0.1:{}/master.m3u8", origin.port()), {"lo"}};
  const FoundPresentation found = find_presentation(search);
  EXPECT_EQ(found.presentation.tracks.size(), 1U);
  EXPECT_THAT(found.left_out, ElementsAre(::testing::HasSubstr("status 404")));
}

TEST(FoundPresentation, AServerThatServesOneConnectionAtATimeGivesAllPlaylists) {
  const FaultyOrigin origin{[&](const std::string& head) -> FaultyOrigin::Reply {
                              if (!head.starts_with("GET /master.m3u8 ")) {
                                std::this_thread::sleep_for(std::chrono::milliseconds{50});  // until the others wait
                                return {transport::response("200 OK", kPlaylist)};
                              }
                              std::string text = "#EXTM3U\n";
                              for (int k = 1; k <= 3; ++k)
                                text += fmt::format(
                                    "#EXT-X-STREAM-INF:BANDWIDTH={}00000,CODECS=\"avc1.42c01e\",RESOLUTION=96x54\n"
                                    "{}.m3u8\n",
                                    k, k);
                              return {transport::response("200 OK", text)};
                            },
                            FaultyOrigin::Serves::kInTurn};
  const PresentationSearch search{fmt::format("http://127.0.0.1:{}/master.m3u8", origin.port()), {"lo"}};
  const FoundPresentation found = find_presentation(search);
  EXPECT_EQ(found.presentation.tracks.size(), 3U);
}

}  // namespace
}  // namespace tributary
