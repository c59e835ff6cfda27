#include "proxy/titles/title_manifests.hh"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tributary::proxy {
namespace {

using namespace literals;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr UtcTime kNow{std::chrono::milliseconds{1'704'067'800'000}};

std::string url(const std::string& name) { return "https://cdn.example/film/" + name; }

Documents::Fetched fetched(const std::string& name, const std::string& text) {
  return {.file = FetchedFile{.url = url(name), .bytes = text}, .why = {}};
}

constexpr auto kMaster =
    "#EXTM3U\n#EXT-X-INDEPENDENT-SEGMENTS\n"
    "#EXT-X-STREAM-INF:BANDWIDTH=700000,RESOLUTION=320x180,CODECS=\"avc1.64000d\"\nlow.m3u8\n"
    "#EXT-X-STREAM-INF:BANDWIDTH=4000000,RESOLUTION=1280x720,CODECS=\"avc1.64001f\"\nhigh.m3u8\n";
constexpr auto kLow = "#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXTINF:4,\nlow-1.ts\n#EXTINF:4,\nlow-2.ts\n#EXT-X-ENDLIST\n";
constexpr auto kHigh =
    "#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXTINF:4,\nhigh-1.ts\n#EXTINF:4,\nhigh-2.ts\n#EXT-X-ENDLIST\n";
constexpr auto kLive = "#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXTINF:4,\nlive-1.ts\n";

TitleManifests title() { return {"/1", "/token", PlayersManifest{.url = url("master.m3u8")}}; }

TEST(TitleManifests, KnowsFilesOfManifestsThatItHasTakenIn) {
  TitleManifests title = proxy::title();
  EXPECT_THAT(title.target(), HasSubstr("/master.m3u8"));
  EXPECT_EQ(title.asked("/1/0/nowhere.ts"), std::nullopt);
  ASSERT_TRUE(title.asked(title.target()));
  EXPECT_EQ(title.asked(title.target())->url, url("master.m3u8"));
  EXPECT_EQ(title.asked(title.target())->kind, FileKind::kManifest);
  EXPECT_EQ(title.file(url("low-1.ts"), std::nullopt, kNow), std::nullopt);
  ASSERT_TRUE(title.take_in(url("low.m3u8"), fetched("low.m3u8", kLow)));
  const auto first = title.file(url("low-1.ts"), std::nullopt, kNow);
  ASSERT_TRUE(first);
  EXPECT_EQ(title.next(*first, kNow)->url, url("low-2.ts"));
}

TEST(TitleManifests, TellsTheLastErrorUntilAManifestComes) {
  TitleManifests title = proxy::title();
  EXPECT_EQ(title.take_in(url("master.m3u8"), {.file = {}, .status = 503, .why = "nobody answers"}), std::nullopt);
  EXPECT_EQ(title.facts().error, "nobody answers");
  EXPECT_EQ(title.take_in(url("master.m3u8"), fetched("master.m3u8", "<html>")), std::nullopt);
  EXPECT_THAT(title.facts().error, HasSubstr("master.m3u8"));
  EXPECT_TRUE(title.take_in(url("master.m3u8"), fetched("master.m3u8", kMaster)));
  EXPECT_EQ(title.facts().error, "");
}

TEST(TitleManifests, IsLiveOnceAPlaylistIs) {
  TitleManifests title = proxy::title();
  title.take_in(url("low.m3u8"), fetched("low.m3u8", kLow));
  EXPECT_FALSE(title.facts().live);
  title.take_in(url("live.m3u8"), fetched("live.m3u8", kLive));
  title.take_in(url("low.m3u8"), fetched("low.m3u8", kLow));
  EXPECT_TRUE(title.facts().live);
}

TEST(TitleManifests, PlayersThatAreLedAreToldOfTheHighestQuality) {
  TitleManifests title = proxy::title();
  auto master = *title.take_in(url("master.m3u8"), fetched("master.m3u8", kMaster));
  EXPECT_EQ(title.playlists_for(url("master.m3u8")).size(), 2U);
  title.look_at(url("low.m3u8"), {.url = url("low.m3u8"), .bytes = kLow});
  title.look_at(url("high.m3u8"), {.url = url("high.m3u8"), .bytes = kHigh});
  for (const Leading::Doubt& doubt : title.doubts(url("master.m3u8"), kNow)) title.judge(doubt, std::nullopt);
  const auto rungs = title.lead(url("master.m3u8"), master, kNow);
  ASSERT_TRUE(rungs);
  ASSERT_EQ(rungs->size(), 2U);
  EXPECT_LT(rungs->front().bitrate, rungs->back().bitrate);
  EXPECT_THAT(master.text, HasSubstr("high.m3u8"));
  EXPECT_THAT(master.text, Not(HasSubstr("low.m3u8")));
  EXPECT_EQ(title.facts().not_led, "");
  EXPECT_EQ(title.qualities(*title.file(url("high-1.ts"), std::nullopt, kNow), kNow).size(), 2U);
  EXPECT_EQ(title.bitrate_of(SpendFor{"2160p"}), rungs->back().bitrate);
}

TEST(TitleManifests, PlayersChooseWhereAPlaylistCannotBeRead) {
  TitleManifests title = proxy::title();
  auto master = *title.take_in(url("master.m3u8"), fetched("master.m3u8", kMaster));
  title.look_at(url("low.m3u8"), {.url = url("low.m3u8"), .bytes = "<html>"});
  title.look_at(url("high.m3u8"), {.url = url("high.m3u8"), .bytes = kHigh});
  EXPECT_EQ(title.facts().error, "");  // players do not ask for it
  EXPECT_EQ(title.lead(url("master.m3u8"), master, kNow), std::nullopt);
  EXPECT_NE(title.facts().not_led, "");
  EXPECT_THAT(master.text, HasSubstr("low.m3u8"));
}

TEST(TitleManifests, OneQualityIsNotLed) {
  TitleManifests title{"/1", "", PlayersManifest{.url = url("low.m3u8")}};
  auto playlist = *title.take_in(url("low.m3u8"), fetched("low.m3u8", kLow));
  EXPECT_EQ(title.lead(url("low.m3u8"), playlist, kNow), std::nullopt);
  EXPECT_EQ(title.facts().not_led, "it has one quality");
}

}  // namespace
}  // namespace tributary::proxy
