#include "manifests/live/live_mpd.hh"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "../manifest_files_of.hh"
#include "manifests/live/live_title.hh"

namespace tributary::live_mpd_test {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::ManifestFiles;

constexpr const char* kUrl = "https://live.example/a/channel.mpd";
constexpr UtcTime kStart{std::chrono::milliseconds{1'700'000'000'000}};  // 2023-11-14T22:13:20Z

std::string mpd(const std::string& sets, const std::string& attributes = "", const std::string& elements = "",
                const std::string& period = R"(id="p" start="PT0S")") {
  return fmt::format(
      R"(<MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="dynamic" availabilityStartTime="2023-11-14T22:13:20Z"
      minBufferTime="PT2S" {} profiles="p">{}<Period {}>{}</Period></MPD>)",
      attributes, elements, period, sets);
}

constexpr const char* kTemplate = R"(<AdaptationSet mimeType="video/mp4" codecs="avc1.4d401f">
  <SegmentTemplate timescale="1000" duration="2000" startNumber="1" initialization="$RepresentationID$/init.mp4" media="$RepresentationID$/$Number$.m4s"/>
  <Representation id="high" bandwidth="2000000"/><Representation id="low" bandwidth="500000"/></AdaptationSet>)";

/// `count` segments of 2 s from `first` on.
std::string timeline(int first, int count) {
  return fmt::format(R"(<AdaptationSet mimeType="video/mp4" codecs="avc1.4d401f">
  <SegmentTemplate timescale="1000" startNumber="{}" initialization="i.mp4" media="$RepresentationID$/$Time$.m4s">
  <SegmentTimeline><S t="{}" d="2000" r="{}"/></SegmentTimeline></SegmentTemplate>
  <Representation id="low" bandwidth="500000"/></AdaptationSet>)",
                     first + 1, 2000 * first, count - 1);
}

Opened opened_at(Duration since_start, const std::string& text, ManifestFiles files = {}, ClockOffset origin = {}) {
  const UtcTime now = kStart + std::chrono::floor<std::chrono::milliseconds>(since_start);
  return open_manifest(text, kUrl, files.fetch(), {.now = now, .sent = now, .origin = origin});
}
UtcTime at(Duration since_start) { return kStart + std::chrono::floor<std::chrono::milliseconds>(since_start); }

/// Addresses of the first track of what is added at that time.
std::vector<std::string> added(Opened& opened, Duration since_start) {
  std::vector<std::string> uris;
  for (const GrownSegment& segment : opened.live->news(at(since_start)).added)
    uris.push_back(segment.tracks.at(0).place.uri);
  return uris;
}

std::vector<std::string> due(Opened& opened, Duration since_start) {
  std::vector<std::string> urls;
  for (const WantedFile& file : opened.live->manifest().due(at(since_start))) urls.push_back(file.url);
  return urls;
}

void take(Opened& opened, Duration since_start, const std::string& text) {
  const FetchedFile file{.url = kUrl, .bytes = text};
  opened.live->manifest().take({&file, 1}, at(since_start), at(since_start));
}

TEST(LiveMpd, SegmentsOfATemplateComeByTheClockAndNothingIsFetchedAgain) {
  Opened live = opened_at(7s, mpd(kTemplate));
  const Presentation& title = live.presentation;
  EXPECT_TRUE(title.live);
  EXPECT_FALSE(title.complete);
  ASSERT_EQ(title.tracks.size(), 2U);
  ASSERT_EQ(title.tracks[0].sizes.size(), 3U);
  EXPECT_EQ(title.tracks[1].segment(SegmentIndex{2}).uri, "https://live.example/a/low/3.m4s");
  EXPECT_TRUE(title.tracks[1].is_estimate(SegmentIndex{2}));
  EXPECT_EQ(live.live->manifest().next_due(), std::nullopt);
  const LiveTitle::News news = live.live->news(at(7s));
  EXPECT_THAT(news.added, IsEmpty());
  EXPECT_EQ(news.next, at(8s));
  EXPECT_THAT(added(live, 8s), ElementsAre("https://live.example/a/high/4.m4s"));
  EXPECT_THAT(added(live, 12s), ElementsAre("https://live.example/a/high/5.m4s", "https://live.example/a/high/6.m4s"));
}

TEST(LiveMpd, TheWindowAtTheBeginningIsTheTimeShiftBuffer) {
  Opened live = opened_at(100s, mpd(kTemplate, R"(timeShiftBufferDepth="PT10S" suggestedPresentationDelay="PT7S")"));
  EXPECT_EQ(live.presentation.tracks[0].sizes.size(), 5U);
  EXPECT_EQ(live.presentation.tracks[0].start, 90'000U);
  EXPECT_EQ(live.presentation.suggested_delay, Duration{7s});
  EXPECT_EQ(live.live->news(at(103s)).window_begin, Duration{93s});
}

TEST(LiveMpd, SegmentsThatGrowAreNotAskedFor) {
  std::string early = kTemplate;
  early.insert(early.find("timescale"), R"(availabilityTimeOffset="1.5" availabilityTimeComplete="false" )");
  EXPECT_EQ(opened_at(7s, mpd(early)).presentation.tracks[0].sizes.size(), 3U);
}

TEST(LiveMpd, ATemplateIsFetchedAgainForAsLongAsItMayChange) {
  Opened live = opened_at(7s, mpd(kTemplate, R"(minimumUpdatePeriod="PT5S")"));
  EXPECT_THAT(due(live, 11s), IsEmpty());
  EXPECT_THAT(due(live, 12s), ElementsAre(kUrl));
  take(live, 12s, mpd(kTemplate, "", "<Location>https://other.example/b/channel.mpd</Location>"));
  EXPECT_EQ(live.live->manifest().next_due(), std::nullopt);
}

TEST(LiveMpd, LocationSaysWhereTheNextOneIs) {
  Opened live = opened_at(
      7s, mpd(kTemplate, R"(minimumUpdatePeriod="PT5S")", "<Location>https://other.example/b/channel.mpd</Location>"));
  EXPECT_THAT(due(live, 12s), ElementsAre("https://other.example/b/channel.mpd"));
}

TEST(LiveMpd, ATimelineGrowsWhenItIsFetchedAgain) {
  Opened live = opened_at(10500ms, mpd(timeline(0, 5), R"(minimumUpdatePeriod="PT0S")"));
  EXPECT_EQ(live.presentation.tracks[0].sizes.size(), 5U);
  EXPECT_THAT(added(live, 11900ms), IsEmpty());
  EXPECT_THAT(due(live, 11900ms), IsEmpty()) << "the next one is there at 12 s";
  EXPECT_THAT(due(live, 12001ms), ElementsAre(kUrl));
  take(live, 12001ms, mpd(timeline(0, 5), R"(minimumUpdatePeriod="PT0S")"));
  EXPECT_THAT(due(live, 12050ms), IsEmpty());
  EXPECT_THAT(due(live, 12200ms), ElementsAre(kUrl)) << "it is late, so that we look again";
  take(live, 12200ms, mpd(timeline(3, 3), R"(minimumUpdatePeriod="PT0S")"));
  const LiveTitle::News news = live.live->news(at(12200ms));
  ASSERT_EQ(news.added.size(), 1U);
  EXPECT_EQ(news.added[0].tracks[0].place.uri, "https://live.example/a/low/10000.m4s");
  EXPECT_EQ(news.window_begin, Duration{6s});
  EXPECT_FALSE(news.complete);
}

TEST(LiveMpd, AStaticMpdEndsIt) {
  Opened live = opened_at(10500ms, mpd(timeline(0, 5), R"(minimumUpdatePeriod="PT0S")"));
  std::string last = mpd(timeline(0, 6), R"(mediaPresentationDuration="PT12S")");
  last.replace(last.find("dynamic"), 7, "static");
  take(live, 12500ms, last);
  const LiveTitle::News news = live.live->news(at(12500ms));
  EXPECT_EQ(news.added.size(), 1U);
  EXPECT_TRUE(news.complete);
  EXPECT_EQ(live.live->manifest().next_due(), std::nullopt);
}

TEST(LiveMpd, EndsWithItsPeriodWhereNothingMayChange) {
  Opened live = opened_at(7s, mpd(kTemplate, R"(mediaPresentationDuration="PT10S")"));
  EXPECT_FALSE(live.live->news(at(9s)).complete);
  EXPECT_TRUE(live.live->news(at(10s)).complete);
}

TEST(LiveMpd, WhatCannotBeReadIsFetchedAgainAndNothingIsForgotten) {
  Opened live = opened_at(10500ms, mpd(timeline(0, 5), R"(minimumUpdatePeriod="PT0S")"));
  EXPECT_THROW(take(live, 12s, "<MPD type=\"dynamic\""), UnreadableForNow);
  take(live, 13s, mpd(timeline(0, 6), R"(minimumUpdatePeriod="PT0S")"));
  EXPECT_THAT(added(live, 13s), ElementsAre("https://live.example/a/low/10000.m4s"));
}

TEST(LiveMpd, ARefusalHasAReason) {
  Opened live = opened_at(10500ms, mpd(timeline(0, 5), R"(minimumUpdatePeriod="PT0S")"));
  EXPECT_THROW(take(live, 12s, mpd(timeline(0, 6), R"(minimumUpdatePeriod="PT0S")", "", R"(id="q" start="PT0S")")),
               ManifestError);
  std::string other = timeline(0, 6);
  other.replace(other.find("\"low\""), 5, "\"new\"");
  Opened again = opened_at(10500ms, mpd(timeline(0, 5), R"(minimumUpdatePeriod="PT0S")"));
  EXPECT_THROW(take(again, 12s, mpd(other, R"(minimumUpdatePeriod="PT0S")")), ManifestError);
  EXPECT_THROW(opened_at(0s, mpd(kTemplate)), ManifestError) << "no segment is there yet";
}

TEST(LiveMpd, ASegmentThatIsNotThereIsAReasonToLookAgain) {
  Opened live = opened_at(7s, mpd(kTemplate, R"(minimumUpdatePeriod="PT500S")"));
  EXPECT_EQ(live.live->manifest().next_due(), at(507s));
  live.live->manifest().look_again();
  EXPECT_EQ(live.live->manifest().next_due(), at(10s));
}

// ---- The clock of the origin, which is 100 s ahead of ours

std::string timing(const std::string& scheme, const std::string& value) {
  return fmt::format(R"(<UTCTiming schemeIdUri="urn:mpeg:dash:utc:{}:2014" value="{}"/>)", scheme, value);
}

TEST(LiveMpd, AServiceOfTimeTellsTheClockOfTheOrigin) {
  constexpr const char* kThen = "2023-11-14T22:15:07.5Z";  // 107.5 s
  EXPECT_EQ(opened_at(7s, mpd(kTemplate, "", timing("direct", kThen))).presentation.tracks[0].sizes.size(), 53U);
  for (const std::string scheme : {"http-xsdate", "http-iso"}) {
    // Files of this test are fetched at our time zero, which is nobody's time.
    Opened live =
        opened_at(7s, mpd(kTemplate, "", timing("ntp", "time.example") + timing(scheme, "https://a.example/none now")),
                  {{{"https://live.example/a/now", "1970-01-01T00:01:40.000Z\n"}}});
    EXPECT_EQ(live.presentation.tracks[0].sizes.size(), 53U) << scheme;
    EXPECT_TRUE(live.live->clock_is_known());
  }
}

TEST(LiveMpd, WithoutOneTheDateOfTheAnswerDoes) {
  ClockOffset date;
  date.add(Duration{100s}, Duration{}, Duration{});
  Opened live = opened_at(7s, mpd(kTemplate, "", timing("http-head", "https://a.example/none")), {}, date);
  EXPECT_EQ(live.presentation.tracks[0].sizes.size(), 53U);
  EXPECT_FALSE(live.live->clock_is_known());
}

}  // namespace
}  // namespace tributary::live_mpd_test
