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

TEST(LiveMpd, OneThatEndedLongAgoIsOnDemand) {
  for (const char* const end :
       {R"(mediaPresentationDuration="PT12S")", R"(availabilityEndTime="2023-11-14T22:13:32Z")"}) {
    const Opened long_ago = opened_at(1h, mpd(kTemplate, std::string{end} + R"( minimumUpdatePeriod="PT2S")"));
    EXPECT_EQ(long_ago.live, nullptr) << end;
    EXPECT_EQ(long_ago.presentation.live, std::nullopt) << end;
    EXPECT_EQ(long_ago.presentation.tracks.at(0).durations.size(), 6U) << end;
    EXPECT_NE(opened_at(10s, mpd(kTemplate, std::string{end} + R"( minimumUpdatePeriod="PT2S")")).live, nullptr) << end;
  }
}

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

TEST(LiveMpd, WhileTheMpdCannotBeHadOrReadATemplateGoesOn) {
  const std::string good = mpd(kTemplate, R"(minimumUpdatePeriod="PT2S")");
  const FetchedFile gone{.url = kUrl, .failure = "status 404"};
  for (const FetchedFile& bad :
       {gone, FetchedFile{.url = "https://other.example/", .bytes = "<html></html>"},
        FetchedFile{.url = kUrl, .bytes = good.substr(0, good.size() / 2)}, FetchedFile{.url = kUrl, .bytes = ""}}) {
    Opened live = opened_at(6s, good);
    std::vector<std::string> all;
    for (Duration now = 8s; now < 30s; now += 2s) {
      live.live->manifest().due(at(now));
      EXPECT_THROW(live.live->manifest().take({&bad, 1}, at(now), at(now)), UnreadableForNow);
      EXPECT_THAT(due(live, now), ElementsAre(kUrl)) << "it is asked for again";
      for (const std::string& uri : added(live, now)) all.push_back(uri);
    }
    EXPECT_EQ(all.size(), 11U) << bad.bytes;
    EXPECT_EQ(all.back(), "https://live.example/a/high/14.m4s") << bad.bytes;
    take(live, 30s, good);
    EXPECT_THAT(added(live, 30s), ElementsAre("https://live.example/a/high/15.m4s"));
  }
}

TEST(LiveMpd, TheWindowAtTheBeginningIsTheTimeShiftBuffer) {
  Opened live = opened_at(100s, mpd(kTemplate, R"(timeShiftBufferDepth="PT10S" suggestedPresentationDelay="PT7S")"));
  EXPECT_EQ(live.presentation.tracks[0].sizes.size(), 5U);
  EXPECT_EQ(live.presentation.tracks[0].start, 90'000U);
  EXPECT_EQ(live.presentation.suggested_delay, Duration{7s});
  EXPECT_EQ(live.live->news(at(103s)).window_begin, Duration{93s});
}

/// With a template, as many segments as one likes need no more than one attribute.
TEST(LiveMpd, AWindowHasABoundInTimeAndInSegments) {
  const auto segments_of = [](const std::string& length) {
    std::string text = kTemplate;
    text.replace(text.find("2000"), 4, length);
    return opened_at(1'000'000s, mpd(text)).presentation.tracks[0].sizes.size();
  };
  EXPECT_EQ(segments_of("1000"), 6U * 3'600);  // six hours
  EXPECT_EQ(segments_of("1"), 25'000U);
}

/// Of the four files of each segment, all count as there when the last one is.
TEST(LiveMpd, SegmentSequencesArePlayedFileByFile) {
  std::string parts = kTemplate;
  parts.replace(parts.find("$Number$"), 8, "$Number$_$SubNumber$");
  parts.insert(parts.find("timescale"), R"(k="4" )");
  Opened live = opened_at(3900ms, mpd(parts));
  ASSERT_EQ(live.presentation.tracks.size(), 1U);
  EXPECT_EQ(live.presentation.tracks[0].segment(SegmentIndex{3}).uri, "https://live.example/a/low/1_3.m4s");
  EXPECT_EQ(live.presentation.tracks[0].durations, std::vector<std::uint64_t>(4, 500));
  EXPECT_THAT(added(live, 3950ms), IsEmpty());
  EXPECT_THAT(added(live, 4000ms),
              ElementsAre("https://live.example/a/low/2_0.m4s", "https://live.example/a/low/2_1.m4s",
                          "https://live.example/a/low/2_2.m4s", "https://live.example/a/low/2_3.m4s"));
}

Opened by_parts_at(Duration since_start, const std::string& text) {
  const UtcTime now = at(since_start);
  return open_manifest(text, kUrl, ManifestFiles{}.fetch(), {.now = now, .sent = now, .by_parts = true});
}

TEST(LiveMpd, ByPartsAFileOfASequenceIsThereWhenItEnds) {
  std::string parts = kTemplate;
  parts.replace(parts.find("$Number$"), 8, "$Number$_$SubNumber$");
  parts.insert(parts.find("timescale"), R"(k="4" availabilityTimeOffset="-0.1" )");
  Opened live = by_parts_at(5100ms, mpd(std::string{kTemplate} + parts, "",
                                        R"(<ServiceDescription><Latency target="2100"/></ServiceDescription>)"));
  EXPECT_TRUE(live.presentation.in_parts);
  EXPECT_EQ(live.presentation.suggested_delay, Duration{2100ms});
  const Track& track = live.presentation.tracks.at(0);
  EXPECT_EQ(live.presentation.tracks.size(), 2U) << "the set with whole segments has the same media";
  EXPECT_EQ(track.segment(static_cast<SegmentIndex>(track.sizes.size() - 1)).uri,
            "https://live.example/a/high/3_1.m4s");
  EXPECT_THAT(track.continues, ElementsAre(false, true, true, true, false, true, true, true, false, true));
  EXPECT_THAT(added(live, 5590ms), IsEmpty());
  EXPECT_EQ(live.live->news(at(5590ms)).next, at(5600ms));
  EXPECT_THAT(added(live, 5600ms), ElementsAre("https://live.example/a/high/3_2.m4s"));
}

TEST(LiveMpd, ByPartsASegmentThatGrowsComesInPieces) {
  std::string early = kTemplate;
  early.insert(early.find("timescale"), R"(availabilityTimeOffset="1.5" availabilityTimeComplete="false" )");
  Opened live = by_parts_at(5100ms, mpd(early));
  EXPECT_TRUE(live.presentation.in_parts);
  const Track& track = live.presentation.tracks.at(0);
  EXPECT_THAT(track.durations, ElementsAre(2000, 2000, 500, 500)) << "what is whole when the title begins stays whole";
  EXPECT_EQ(track.piece(SegmentIndex{1}), std::nullopt);
  EXPECT_EQ(track.piece(SegmentIndex{3}), (FilePiece{1, 4}));
  EXPECT_EQ(track.segment(SegmentIndex{3}).uri, track.segment(SegmentIndex{2}).uri);
  EXPECT_THAT(track.continues, ElementsAre(false, false, false, true));
  EXPECT_THAT(added(live, 7000ms),
              ElementsAre("https://live.example/a/high/3.m4s", "https://live.example/a/high/3.m4s",
                          "https://live.example/a/high/4.m4s", "https://live.example/a/high/4.m4s"));
  const auto news = live.live->news(at(7500ms)).added;
  ASSERT_EQ(news.size(), 1U);
  EXPECT_EQ(news[0].tracks[0].piece, (FilePiece{2, 4}));
}

/// It was captured at 22:13:19.5, and counts as there from 22:13:20 on.
TEST(LiveMpd, ATargetCountsFromTheCapture) {
  std::string early = kTemplate;
  early.insert(early.find("timescale"), R"(availabilityTimeOffset="1.5" availabilityTimeComplete="false" )");
  early.insert(early.find("<SegmentTemplate"),
               R"(<ProducerReferenceTime id="0" wallClockTime="2023-11-14T22:13:21.5Z" presentationTime="2000"/>)");
  for (const auto& [target, expected] : {std::pair{"3000", 2500ms}, {"600", 300ms}}) {
    const std::string service =
        fmt::format(R"(<ServiceDescription><Latency target="{}"/></ServiceDescription>)", target);
    EXPECT_EQ(by_parts_at(5100ms, mpd(early, "", service)).presentation.suggested_delay, Duration{expected}) << target;
  }
}

/// The length of a chunk is not told, or is that of a frame.
TEST(LiveMpd, PiecesHaveALengthThatCanBePlayed) {
  for (const auto& [offset, count] : {std::pair{"INF", 4U}, {"1.96", 10U}, {"1.2", 3U}}) {
    std::string early = kTemplate;
    early.insert(early.find("timescale"),
                 fmt::format(R"(availabilityTimeOffset="{}" availabilityTimeComplete="false" )", offset));
    const Opened live = by_parts_at(5900ms, mpd(early));
    EXPECT_EQ(live.presentation.tracks.at(0).pieces.back().count, count) << offset;
  }
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
  std::string other = timeline(0, 6);
  other.replace(other.find("\"low\""), 5, "\"new\"");
  Opened again = opened_at(10500ms, mpd(timeline(0, 5), R"(minimumUpdatePeriod="PT0S")"));
  EXPECT_THROW(take(again, 12s, mpd(other, R"(minimumUpdatePeriod="PT0S")")), ManifestError);
  EXPECT_THROW(opened_at(0s, mpd(kTemplate)), NothingPublishedYet);
}

TEST(LiveMpd, ASegmentThatIsNotThereIsAReasonToLookAgain) {
  Opened live = opened_at(7s, mpd(kTemplate, R"(minimumUpdatePeriod="PT500S")"));
  EXPECT_EQ(live.live->manifest().next_due(), at(507s));
  live.live->manifest().look_again();
  EXPECT_EQ(live.live->manifest().next_due(), at(10s));
}

// ---- Periods

/// A period with pictures of 2 s, of these names, and a sound in `language` beside them; none: it is silent.
std::string period(const std::string& times, const std::vector<std::string>& pictures, const std::string& folder,
                   const std::string& language = "en", int timescale = 1000, int offset = 0) {
  std::string sets = R"(<AdaptationSet mimeType="video/mp4" codecs="avc1.4d401f">)";
  const std::string address = fmt::format(
      R"(<SegmentTemplate timescale="{0}" duration="{1}" presentationTimeOffset="{2}" initialization="{3}/$RepresentationID$/i.mp4" media="{3}/$RepresentationID$/$Number$.m4s"/>)",
      timescale, 2 * timescale, offset, folder);
  sets += address;
  for (std::size_t i = 0; i < pictures.size(); ++i)
    sets += fmt::format(R"(<Representation id="{}" bandwidth="{}"/>)", pictures[i], 500'000 * (i + 1));
  sets += "</AdaptationSet>";
  if (!language.empty())
    sets += fmt::format(
        R"(<AdaptationSet mimeType="audio/mp4" codecs="mp4a.40.2" lang="{}">{}<Representation id="{}" bandwidth="64000"/></AdaptationSet>)",
        language, address, language);
  return fmt::format("<Period {}>{}</Period>", times, sets);
}
std::string mpd_of(const std::string& periods, const std::string& attributes = "") {
  return fmt::format(
      R"(<MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="dynamic" availabilityStartTime="2023-11-14T22:13:20Z"
      minBufferTime="PT2S" {} profiles="p">{}</MPD>)",
      attributes, periods);
}

/// The addresses of what is added to a track; behind them "!" and the init segment where a stretch begins. "-": silence.
std::vector<std::string> told(const LiveTitle::News& news, std::uint32_t track) {
  std::vector<std::string> texts;
  for (const GrownSegment& segment : news.added) {
    for (const TrackSegment& one : segment.tracks) {
      if (one.track != track) continue;
      texts.push_back(one.place.uri.empty() ? "-" : one.place.uri.substr(23));
      if (one.stretch && one.stretch->init) texts.back() += "!" + one.stretch->init->uri.substr(23);
    }
  }
  return texts;
}

TEST(LiveMpd, ThePeriodsOfTheWindowAreStretchesOfTheTitle) {
  const Opened live =
      opened_at(11s, mpd_of(period(R"(id="a" start="PT0S" duration="PT4S")", {"low", "high"}, "a") +
                            period(R"(id="b" start="PT4S")", {"low", "high"}, "b", "en", 90'000, 900'000)));
  const Presentation& title = live.presentation;
  ASSERT_EQ(title.tracks.size(), 3U);
  for (const Track& track : title.tracks) {
    ASSERT_EQ(track.sizes.size(), 5U) << track.id;
    EXPECT_EQ(track.timescale, 90'000U);
    EXPECT_EQ(track.init->uri, "https://live.example/a/a/" + track.id + "/i.mp4");
    ASSERT_EQ(track.stretches.size(), 1U);
    EXPECT_EQ(track.stretches[0].first, SegmentIndex{2});
    EXPECT_EQ(track.stretches[0].init->uri, "https://live.example/a/b/" + track.id + "/i.mp4");
    EXPECT_EQ(track.stretches[0].offset, 900'000 - 4 * 90'000);
  }
  EXPECT_EQ(title.tracks[1].segment(SegmentIndex{2}).uri, "https://live.example/a/b/high/1.m4s");
}

TEST(LiveMpd, APeriodThatIsAnnouncedBeginsByTheClock) {
  Opened live = opened_at(5s, mpd_of(period(R"(id="a" start="PT0S")", {"low", "high"}, "a") +
                                     period(R"(id="ad" start="PT8S" duration="PT4S")", {"x", "y", "z"}, "ad") +
                                     period(R"(id="c" start="PT12S")", {"low", "high"}, "c")));
  ASSERT_EQ(live.presentation.tracks.size(), 3U);
  LiveTitle::News news = live.live->news(at(8s));
  ASSERT_EQ(news.added.size(), 2U);
  EXPECT_EQ(news.next, at(10s));
  EXPECT_EQ(live.live->news(at(9s)).added.size(), 0U);
  news = live.live->news(at(14s));
  ASSERT_EQ(news.added.size(), 3U);
  EXPECT_THAT(told(news, 0), ElementsAre("ad/x/1.m4s!ad/x/i.mp4", "ad/x/2.m4s", "c/low/1.m4s!c/low/i.mp4"));
  EXPECT_THAT(told(news, 1), ElementsAre("ad/y/1.m4s!ad/y/i.mp4", "ad/y/2.m4s", "c/high/1.m4s!c/high/i.mp4"))
      << "of three qualities, those with the nearest bitrates";
  EXPECT_THAT(told(news, 2), ElementsAre("ad/en/1.m4s!ad/en/i.mp4", "ad/en/2.m4s", "c/en/1.m4s!c/en/i.mp4"));
  EXPECT_EQ(news.added[2].start, 12s);
  EXPECT_EQ(news.added[2].tracks[0].stretch->offset, -12'000 * 1) << "ticks of the title";
}

TEST(LiveMpd, APeriodMayComeWithAnUpdateAndAnotherLeave) {
  const std::string update = R"(minimumUpdatePeriod="PT2S" timeShiftBufferDepth="PT6S")";
  Opened live = opened_at(5s, mpd_of(period(R"(id="a" start="PT0S")", {"low"}, "a"), update));
  EXPECT_EQ(live.live->news(at(60s)).added.size(), 2U) << "nobody knows whether the period goes on";
  EXPECT_EQ(live.live->news(at(60s)).next, std::nullopt);
  take(live, 60s, mpd_of(period(R"(id="b" start="PT52S")", {"low"}, "b"), update));
  const LiveTitle::News news = live.live->news(at(60s));
  ASSERT_EQ(news.added.size(), 4U);
  EXPECT_TRUE(news.added[0].lost);
  EXPECT_EQ(news.added[0].duration, 46s) << "what nobody has listed";
  EXPECT_THAT(told(news, 0), ElementsAre("-", "b/low/2.m4s!b/low/i.mp4", "b/low/3.m4s", "b/low/4.m4s"));
  EXPECT_EQ(news.window_begin, 54s);
  EXPECT_EQ(news.next, at(62s));
}

TEST(LiveMpd, APeriodWhoseTimelineIsEmptyYetDoesNotEndTheTitle) {
  const std::string update = R"(minimumUpdatePeriod="PT2S")";
  const auto periods = [](int segments) {
    std::string next = timeline(5, segments);
    if (segments == 0) next.replace(next.find("<S t"), next.find("/></SegmentTimeline") + 2 - next.find("<S t"), "");
    return fmt::format(R"(<Period id="a" start="PT0S">{}</Period><Period id="b" start="PT10S">{}</Period>)",
                       timeline(0, 5), next);
  };
  Opened live = opened_at(10500ms, mpd_of(periods(0), update));
  EXPECT_EQ(live.presentation.tracks[0].sizes.size(), 5U);
  EXPECT_FALSE(live.live->news(at(10500ms)).complete);
  EXPECT_THAT(due(live, 12600ms), ElementsAre(kUrl));
  std::string with_one = mpd_of(periods(1), update);
  with_one.replace(with_one.rfind("timescale=\"1000\""), 16, "timescale=\"1000\" presentationTimeOffset=\"10000\"");
  take(live, 12600ms, with_one);
  EXPECT_THAT(told(live.live->news(at(12600ms)), 0), ElementsAre("low/10000.m4s!i.mp4"));
}

TEST(LiveMpd, APeriodWithoutSoundIsSilentAndOneWithoutPicturesRefused) {
  Opened live = opened_at(
      5s, mpd_of(period(R"(id="a" start="PT0S")", {"low"}, "a") + period(R"(id="b" start="PT6S")", {"low"}, "b", "") +
                 period(R"(id="c" start="PT10S")", {"low"}, "c") + period(R"(id="d" start="PT14S")", {}, "d")));
  const LiveTitle::News news = live.live->news(at(12s));
  ASSERT_EQ(news.added.size(), 4U);
  EXPECT_FALSE(news.added[1].lost);
  EXPECT_THAT(told(news, 0),
              ElementsAre("a/low/3.m4s", "b/low/1.m4s!b/low/i.mp4", "b/low/2.m4s", "c/low/1.m4s!c/low/i.mp4"));
  EXPECT_THAT(told(news, 1), ElementsAre("a/en/3.m4s", "-", "-", "c/en/1.m4s!c/en/i.mp4"));
  EXPECT_THROW(live.live->news(at(17s)), ManifestError);
}

TEST(LiveMpd, SoundAloneIsALadder) {
  const auto radio = [](const std::string& times, const std::string& folder) {
    std::string text = period(times, {"low", "high"}, folder, "");
    text.replace(text.find("video/mp4"), 9, "audio/mp4");
    return text.replace(text.find("avc1.4d401f"), 11, "mp4a.40.2");
  };
  Opened live = opened_at(5s, mpd_of(radio(R"(id="a" start="PT0S")", "a") + radio(R"(id="b" start="PT6S")", "b")));
  ASSERT_EQ(live.presentation.tracks.size(), 2U);
  EXPECT_EQ(live.presentation.tracks[1].id, "high");
  const LiveTitle::News news = live.live->news(at(8s));
  EXPECT_THAT(told(news, 1), ElementsAre("a/high/3.m4s", "b/high/1.m4s!b/high/i.mp4"));
}

TEST(LiveMpd, APeriodWithAnotherAvailabilityStartBeginsWhereItsClockSays) {
  const std::string update = R"(minimumUpdatePeriod="PT2S")";
  Opened live = opened_at(5s, mpd_of(period(R"(id="a" start="PT0S")", {"low"}, "a"), update));
  std::string anew = mpd_of(period(R"(id="b" start="PT0S")", {"low"}, "b"), update);
  anew.replace(anew.find("22:13:20Z"), 9, "22:13:26Z");
  take(live, 9s, anew);
  const LiveTitle::News news = live.live->news(at(9s));
  ASSERT_EQ(news.added.size(), 2U);
  EXPECT_TRUE(news.added[0].lost);
  EXPECT_THAT(told(news, 0), ElementsAre("-", "b/low/1.m4s!b/low/i.mp4"));
  EXPECT_EQ(news.added[1].start, 6s);
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
