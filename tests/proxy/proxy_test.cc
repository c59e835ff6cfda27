#include "proxy/proxy.hh"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>
#include <future>
#include <nlohmann/json.hpp>
#include <sstream>

#include "nginx_server.hh"
#include "temporary_directory.hh"

namespace tributary::proxy {
namespace {

constexpr const char* kIndex = R"({"format": "tributary-index", "version": 1, "type": "vod", "complete": true,
  "generator": "x", "segmentDuration": 2.0, "manifests": {"dash": "film.mpd"},
  "tracks": [{"id": "low", "kind": "video", "group": "video", "codec": "avc1.64001e", "mime": "video/mp4",
     "timescale": 10, "offset": 0, "width": 640, "height": 360, "frameRate": [25, 1],
     "bitrate": {"target": 750000, "max": 901000, "average": 748000, "peak": 901000},
     "init": {"uri": "low/init.mp4", "bytes": 742}, "uri": "low/{n:05}.m4s", "first": 1, "start": 0,
     "durations": [[20, 2], [5, 1]], "bytes": [187003, 225250, 61002]}]})";

class ProxyTest : public ::testing::Test {
 protected:
  ProxyTest() { proxy_.served_at("http://127.0.0.1:1/token"); }

  Proxy::Opened open(const std::string& name) {
    std::promise<Proxy::Opened> promise;
    proxy_.open(fmt::format("http://127.0.0.1:{}/{}", nginx_.port(), name),
                [&](const Proxy::Opened& opened) { promise.set_value(opened); });
    return promise.get_future().get();
  }
  Answer answer(const std::string& target) {
    std::promise<Answer> answered;
    proxy_.handle({.method = "GET", .target = target, .fields = {}},
                  [&](Answer answer) { answered.set_value(std::move(answer)); });
    return answered.get_future().get();
  }
  /// The status that a page is sent first.
  nlohmann::json told() {
    std::promise<std::string> promise;
    std::promise<Answer> answered;
    proxy_.handle({.method = "GET", .target = "/events", .fields = {}},
                  [&](Answer answer) { answered.set_value(std::move(answer)); });
    const Answer answer = answered.get_future().get();
    std::get<EventStream>(answer.body).begin([&](const std::string& piece) {
      promise.set_value(piece);
      return false;
    });
    const std::string piece = promise.get_future().get();
    return nlohmann::json::parse(piece.substr(piece.find('{')));
  }
  std::string log() const {
    std::ostringstream text;
    text << std::ifstream{folder_.path() / "log"}.rdbuf();
    return text.str();
  }

  TemporaryDirectory folder_;
  NginxServer nginx_{{.directives = fmt::format("access_log {}/log;", folder_.path().string())}};
  Proxy proxy_{[] { return LinkWishes{}; }, {}, "1"};
};

/// The session that one title's server began is nothing to the other title.
TEST(Proxy, ATitleSendsNoCookieOfAnother) {
  const std::string playlist = R"("#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXTINF:2,\n1.ts\n")";
  const NginxServer nginx{
      {.directives = fmt::format("location = /private.m3u8 {{ add_header Set-Cookie session=a; return 200 {0}; }} "
                                 "location = /other.m3u8 {{ if ($cookie_session) {{ return 403; }} return 200 {0}; }}",
                                 playlist)}};
  Proxy proxy{[] { return LinkWishes{}; }, {}, "1"};
  proxy.served_at("http://127.0.0.1:1/token");
  for (const char* const name : {"private.m3u8", "other.m3u8"}) {
    std::promise<Proxy::Opened> opened;
    proxy.open(fmt::format("http://127.0.0.1:{}/{}", nginx.port(), name),
               [&](const Proxy::Opened& answer) { opened.set_value(answer); });
    EXPECT_EQ(opened.get_future().get().error, "") << name;
  }
}

TEST_F(ProxyTest, ThePageKnowsTheKindOfATitleBeforeAPlayerAsks) {
  nginx_.put("film.m3u8", "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nlow.m3u8\n");
  nginx_.put("news.m3u8", "#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXTINF:2,\n1.ts\n");
  nginx_.put("news.mpd", "<MPD xmlns=\"urn:mpeg:dash:schema:mpd:2011\" type=\"dynamic\"/>");
  nginx_.put("index.json", kIndex);
  for (const char* name : {"film.m3u8", "news.m3u8", "news.mpd", "index.json"}) EXPECT_NE(open(name).local, "") << name;
  const nlohmann::json status = told();
  std::vector<std::string> kinds;
  for (const auto& title : status.at("titles"))
    kinds.push_back(fmt::format("{} {}{}", title.at("name").get<std::string>(), title.at("kind").get<std::string>(),
                                title.at("live").get<bool>() ? " live" : ""));
  EXPECT_EQ(kinds,
            (std::vector<std::string>{"film.m3u8 hls", "news.m3u8 hls live", "news.mpd dash live", "film.mpd dash"}));
  EXPECT_NE(log().find("GET /film.m3u8"), std::string::npos);
  EXPECT_EQ(log().find("low.m3u8"), std::string::npos) << "the manifest itself is enough";
}

TEST_F(ProxyTest, AFolderIsPlayedByItsManifest) {
  nginx_.put("film/master.m3u8", "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nlow.m3u8\n");
  EXPECT_TRUE(open("film").local.ends_with("/film/master.m3u8"));
}

TEST_F(ProxyTest, AFileOfPictureIsHandedOutInPieces) {
  const std::string film = std::string{"\0\0\0\x18", 4} + "ftypisom" + std::string(3'000'000, 'x');
  nginx_.put("film", film);
  const Proxy::Opened opened = open("film");
  ASSERT_NE(opened.local, "") << opened.error;
  std::promise<Answer> answered;
  proxy_.handle({.method = "GET", .target = opened.local.substr(opened.local.find("/1/")), .fields = {}},
                [&](Answer answer) { answered.set_value(std::move(answer)); });
  const Answer answer = answered.get_future().get();
  EXPECT_EQ(answer.status, 200U);
  EXPECT_NE(std::get<FileBody>(answer.body).pieces, nullptr);
  EXPECT_EQ(told().at("titles").at(0).at("kind"), "file");
  nginx_.put("page", "<html>");
  EXPECT_NE(open("page").error.find("a web page"), std::string::npos);
}

TEST_F(ProxyTest, EachChannelOfAListIsOpenedWhenAPlayerAsksForIt) {
  nginx_.put("tv.m3u",
             "#EXTM3U\n#EXTINF:-1 tvg-id=\"a\",News, all day\nnews.m3u8\n#EXTINF:-1,Film\nfilm.m3u8\n"
             "#EXTINF:-1,Radio\nudp://239.0.0.1:1\n#EXTINF:-1,Gone\ngone.m3u8\n#EXTINF:-1,More\nmore.m3u\n");
  nginx_.put("more.m3u", "#EXTM3U\n#EXTINF:-1,News\nnews.m3u8\n#EXTINF:-1,Film\nfilm.m3u8\n");
  for (const char* name : {"news.m3u8", "film.m3u8"})
    nginx_.put(name, "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nlow.m3u8\n");
  const Proxy::Opened opened = open("tv.m3u");
  EXPECT_EQ(opened.local, "http://127.0.0.1:1/token/1/channels.m3u") << opened.error;
  EXPECT_EQ(std::get<std::string>(answer("/1/channels.m3u").body),
            "#EXTM3U\n#EXTINF:-1,News, all day\nchannel/1\n#EXTINF:-1,Film\nchannel/2\n"
            "#EXTINF:-1,Gone\nchannel/3\n#EXTINF:-1,More\nchannel/4\n");
  EXPECT_EQ(log().find("news.m3u8"), std::string::npos) << "nobody has asked for it";
  const Answer news = answer("/1/channel/1");
  EXPECT_EQ(news.status, 302U);
  EXPECT_TRUE(field(news.fields, "Location").value_or("").ends_with("/news.m3u8"));
  EXPECT_EQ(answer(field(news.fields, "Location").value_or("").substr(6)).status, 200U);
  EXPECT_EQ(field(answer("/1/channel/1").fields, "Location"), field(news.fields, "Location"));
  EXPECT_EQ(answer("/1/channel/3").status, 502U);
  EXPECT_EQ(field(answer("/1/channel/4").fields, "Location"), "/token/3/channels.m3u");
  for (const char* none : {"/1/channel/0", "/1/channel/5", "/1/channel/x", "/1/other"})
    EXPECT_EQ(answer(none).status, 404U);
  EXPECT_EQ(told().at("titles").size(), 3U);
  proxy_.close(1);
  EXPECT_EQ(answer("/1/channel/2").status, 404U);
}

}  // namespace
}  // namespace tributary::proxy
