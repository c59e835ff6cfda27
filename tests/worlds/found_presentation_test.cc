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
