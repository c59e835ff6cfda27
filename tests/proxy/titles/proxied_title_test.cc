#include "proxy/titles/proxied_title.hh"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <future>
#include <sstream>
#include <thread>

#include "nginx_server.hh"
#include "temporary_directory.hh"

namespace tributary::proxy {
namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* kPlaylist = R"(#EXTM3U
#EXT-X-VERSION:7
#EXT-X-TARGETDURATION:2
#EXT-X-MAP:URI="init.mp4"
#EXTINF:2,
1.m4s
#EXTINF:2,
2.m4s
#EXTINF:2,
3.m4s
#EXTINF:2,
4.m4s
#EXT-X-ENDLIST
)";

class ProxiedTitleTest : public ::testing::Test {
 protected:
  ProxiedTitleTest() {
    nginx_.put("film.m3u8", kPlaylist);
    for (const char* name : {"init.mp4", "1.m4s", "2.m4s", "3.m4s", "4.m4s"}) nginx_.put(name, std::string(2000, 'x'));
  }

  std::string url(const std::string& name) const { return fmt::format("http://127.0.0.1:{}/{}", nginx_.port(), name); }

  std::shared_ptr<ProxiedTitle> title(ProxyRules rules = {}) {
    return std::make_shared<ProxiedTitle>(1, "", PlayersManifest{url("film.m3u8")}, LinkWishes{}, rules, documents_);
  }

  /// A player gets it whole.
  static Answer play(ProxiedTitle& title, const std::string& target, const Fields& fields = {}) {
    std::promise<Answer> promise;
    title.handle({.method = "GET", .target = target, .fields = fields},
                 [&](Answer answer) { promise.set_value(std::move(answer)); });
    Answer answer = promise.get_future().get();
    EXPECT_EQ(answer.status, 200U);
    const auto* body = std::get_if<FileBody>(&answer.body);
    for (int i = 0; body != nullptr && i < 1000 && body->file->progress().phase == IncomingFile::Phase::kComing; ++i)
      std::this_thread::sleep_for(10ms);
    return answer;
  }

  /// The answer to the player's first segment.
  static bool may_be_kept(ProxiedTitle& title, const Fields& fields = {}) {
    play(title, title.target());
    return std::get<FileBody>(play(title, beside(title, "1.m4s"), fields).body).may_be_kept;
  }
  static std::string beside(const ProxiedTitle& title, const std::string& name) {
    return title.target().substr(0, title.target().rfind('/') + 1) + name;
  }

  /// What the origin was asked for, once that is among it or a second has gone by.
  std::string asked(const std::string& name, const std::string& log_file = "log") const {
    std::string log;
    for (int i = 0; i < 100 && log.find(name) == std::string::npos; ++i) {
      std::this_thread::sleep_for(10ms);
      std::ostringstream text;
      text << std::ifstream{folder_.path() / log_file}.rdbuf();
      log = text.str();
    }
    return log;
  }

  TemporaryDirectory folder_;
  NginxServer nginx_{
      {.directives = fmt::format("access_log {0}/log; access_log {0}/cmcd combined if=$http_cmcd_session;"
                                 "location = /connection {{ return 200 $connection; }}",
                                 folder_.path().string())}};
  Documents documents_;
};

TEST_F(ProxiedTitleTest, APlaylistBringsItsInitSegmentAhead) {
  const auto film = title();
  play(*film, film->target());
  EXPECT_THAT(asked("init.mp4"), HasSubstr("GET /init.mp4"));
}

TEST_F(ProxiedTitleTest, APlayerThatAsksInOrderGetsTheNextSegmentAhead) {
  const auto film = title();
  play(*film, film->target());
  for (const char* name : {"1.m4s", "2.m4s"}) play(*film, beside(*film, name));
  EXPECT_THAT(asked("GET /3.m4s"), Not(HasSubstr("GET /3.m4s")));
  play(*film, beside(*film, "3.m4s"));
  EXPECT_THAT(asked("GET /4.m4s"), HasSubstr("GET /4.m4s"));
}

TEST_F(ProxiedTitleTest, APlayerThatChangesTheQualityGetsTheNextSegmentOfTheNewOne) {
  nginx_.put("film.m3u8",
             "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=900000,CODECS=\"avc1.4d401f\"\nhigh/list.m3u8\n"
             "#EXT-X-STREAM-INF:BANDWIDTH=300000,CODECS=\"avc1.4d401f\"\nlow/list.m3u8\n");
  for (const std::string rendition : {"high", "low"}) {
    nginx_.put(rendition + "/list.m3u8", kPlaylist);
    for (const char* name : {"init.mp4", "1.m4s", "2.m4s", "3.m4s", "4.m4s"})
      nginx_.put(rendition + "/" + name, std::string(2000, 'x'));
  }
  const auto film = title();
  play(*film, film->target());
  for (const char* name : {"high/list.m3u8", "low/list.m3u8", "high/1.m4s", "high/2.m4s", "low/3.m4s"})
    play(*film, beside(*film, name));
  EXPECT_THAT(asked("GET /low/4.m4s"), HasSubstr("GET /low/4.m4s"));
}

TEST_F(ProxiedTitleTest, APlayerKeepsSegmentsButRangesAndThoseOfLiveTitlesAndThoseChosenForIt) {
  EXPECT_TRUE(may_be_kept(*title()));
  ProxyRules rules;
  rules.lead = true;
  EXPECT_FALSE(may_be_kept(*title(rules)));
  nginx_.put("film.m3u8",
             "#EXTM3U\n#EXT-X-VERSION:7\n#EXT-X-TARGETDURATION:2\n#EXTINF:2,\n#EXT-X-BYTERANGE:1000@0\n"
             "1.m4s\n#EXTINF:2,\n#EXT-X-BYTERANGE:1000@1000\n1.m4s\n#EXT-X-ENDLIST\n");
  EXPECT_FALSE(may_be_kept(*title(), {{"Range", "bytes=0-999"}}));
  const std::string text = kPlaylist;
  nginx_.put("film.m3u8", text.substr(0, text.find("#EXT-X-ENDLIST")));
  EXPECT_FALSE(may_be_kept(*title()));
}

TEST_F(ProxiedTitleTest, AnInterstitialComesThroughTheProxy) {
  nginx_.put("film.m3u8",
             std::string{kPlaylist} + "#EXT-X-DATERANGE:ID=\"a\",X-ASSET-LIST=\"" + url("break.json") + "\"\n");
  nginx_.put("break.json", fmt::format(R"({{"ASSETS": [{{"URI": "{}"}}]}})", url("ad/ad.m3u8")));
  nginx_.put("ad/ad.m3u8", "#EXTM3U\n#EXTINF:2,\n1.m4s\n#EXT-X-ENDLIST\n");
  nginx_.put("ad/1.m4s", "advertisement");
  const auto film = title();
  play(*film, film->target());
  play(*film, beside(*film, "break.json"));
  play(*film, beside(*film, "ad/ad.m3u8"));
  play(*film, beside(*film, "ad/1.m4s"));
  EXPECT_THAT(asked("GET /ad/1.m4s"), HasSubstr("GET /break.json"));
}

TEST_F(ProxiedTitleTest, TheOriginLearnsNothingOfThePlayer) {
  const auto film = title();
  play(*film, film->target());
  play(*film, beside(*film, "1.m4s?CMCD=sid%3D%22player%22"), {{"CMCD-Session", "sid=\"player\""}});
  EXPECT_THAT(asked("GET /1.m4s"), Not(HasSubstr("CMCD")));
  EXPECT_EQ(asked("GET", "cmcd"), "");
}

TEST_F(ProxiedTitleTest, TheOriginLearnsOfTheTitleIfTheUserWantsThat) {
  ProxyRules rules;
  rules.cmcd = true;
  const auto film = title(rules);
  play(*film, film->target());
  play(*film, beside(*film, "1.m4s"));
  EXPECT_THAT(asked("GET /1.m4s", "cmcd"), HasSubstr("GET /1.m4s"));
}

TEST_F(ProxiedTitleTest, PlaylistsComeOverAConnectionThatIsThere) {
  std::promise<std::pair<std::string, std::string>> promise;
  documents_.run([&] {
    const auto connection = [&] { return documents_.get(url("connection"), {}).file->bytes; };
    const std::string first = connection();
    promise.set_value({first, connection()});
  });
  const auto [first, second] = promise.get_future().get();
  EXPECT_NE(first, "");
  EXPECT_EQ(first, second);
}

}  // namespace
}  // namespace tributary::proxy
