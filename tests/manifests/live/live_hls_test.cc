#include "manifests/live/live_hls.hh"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "../manifest_files_of.hh"
#include "live_hls_title.hh"
#include "manifests/live/live_title.hh"

namespace tributary::live_hls_test {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::ManifestFiles;

/// Segments of 2 s with these media sequence numbers. `date`: seconds of the first one, after 22:13.
std::string playlist(int first, int last, std::optional<int> date = {}, const std::string& end = "") {
  std::string text = fmt::format("#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXT-X-MEDIA-SEQUENCE:{}\n", first);
  if (date) text += fmt::format("#EXT-X-PROGRAM-DATE-TIME:2023-11-14T22:13:{:02}.000Z\n", *date);
  for (int i = first; i <= last; ++i) text += fmt::format("#EXTINF:2,\n{}.ts\n", i);
  return text + end;
}

struct Lists {
  std::string low, high, sound;
};

Opened opened(const Lists& lists) {
  ManifestFiles files{{{"https://live.example/a/low/list.m3u8", lists.low},
                       {"https://live.example/a/high/list.m3u8", lists.high},
                       {"https://live.example/a/sound/list.m3u8", lists.sound}}};
  std::erase_if(files.files, [](const auto& file) { return file.second == "404"; });
  return open_manifest(kMaster, kUrl, files.fetch(), {.now = kStart, .sent = kStart});
}

/// The address of the first segment of each track behind the folder of the title.
std::vector<std::string> first_of(const Presentation& title) {
  std::vector<std::string> uris;
  for (const Track& track : title.tracks)
    uris.push_back(track.segment(SegmentIndex{0}).uri.substr(std::string{"https://live.example/a/"}.size()));
  return uris;
}

/// All playlists are fetched again at that time, and told.
LiveTitle::News reload(Opened& opened, Duration since_start, const Lists& lists) {
  std::vector<FetchedFile> files;
  for (const WantedFile& file : opened.live->manifest().due(at(since_start)))
    files.push_back({.url = file.url,
                     .bytes = file.url.find("/low/") != std::string::npos    ? lists.low
                              : file.url.find("/high/") != std::string::npos ? lists.high
                                                                             : lists.sound});
  opened.live->manifest().take(files, at(since_start), at(since_start));
  return opened.live->news(at(since_start));
}

TEST(LiveHls, IsALadderWithASoundThatGrowsWhenAllPlaylistsDo) {
  Opened live = opened({playlist(7, 10), playlist(7, 10), playlist(7, 10)});
  EXPECT_TRUE(live.presentation.live);
  EXPECT_TRUE(live.presentation.times_are_measured);
  ASSERT_EQ(live.presentation.tracks.size(), 3U);
  EXPECT_EQ(live.presentation.tracks[0].sizes.size(), 4U);
  EXPECT_THAT(reload(live, 2s, {playlist(8, 11), playlist(7, 10), playlist(8, 11)}).added, IsEmpty());
  const LiveTitle::News news = reload(live, 3s, {playlist(8, 11), playlist(8, 11), playlist(8, 11)});
  ASSERT_EQ(news.added.size(), 1U);
  EXPECT_EQ(news.added[0].tracks.size(), 3U);
  EXPECT_EQ(news.added[0].tracks[1].place.uri, "https://live.example/a/high/11.ts");
  EXPECT_EQ(news.added[0].start, 8s);
  EXPECT_EQ(news.window_begin, Duration{2s});
  EXPECT_FALSE(news.complete);
}

TEST(LiveHls, PlaylistsAreFetchedAgainAfterATargetDurationOrHalfOfIt) {
  Opened live = opened({playlist(7, 10), playlist(7, 10), playlist(7, 10)});
  EXPECT_THAT(due(live, 1900ms), IsEmpty());
  reload(live, 2s, {playlist(8, 11), playlist(7, 10), playlist(8, 11)});
  EXPECT_THAT(due(live, 2900ms), IsEmpty());
  EXPECT_THAT(due(live, 3s), ElementsAre("https://live.example/a/high/list.m3u8"));
}

TEST(LiveHls, DatesJoinPlaylistsWhateverTheirNumbers) {
  const Opened live = opened({playlist(7, 10, 20), playlist(107, 110, 22), playlist(3, 8, 18)});
  EXPECT_THAT(first_of(live.presentation), ElementsAre("low/8.ts", "high/107.ts", "sound/5.ts"));
}

TEST(LiveHls, WithoutDatesADiscontinuityThatBothListDoes) {
  const auto behind_a_break = [](int first, int before, int last) {
    std::string text = playlist(first, last);
    text.insert(text.find(fmt::format("#EXTINF:2,\n{}.ts", before + 1)), "#EXT-X-DISCONTINUITY\n");
    return text;
  };
  const Opened live = opened({behind_a_break(7, 8, 12), behind_a_break(100, 104, 107), behind_a_break(1, 1, 5)});
  EXPECT_THAT(first_of(live.presentation), ElementsAre("low/7.ts", "high/103.ts", "sound/1.ts"));
  EXPECT_EQ(live.presentation.tracks[0].sizes.size(), 5U) << "the others are not there yet in the second one";
  for (std::size_t i = 0; i < 2; ++i) {
    ASSERT_EQ(live.presentation.tracks[i].stretches.size(), 1U);
    EXPECT_EQ(live.presentation.tracks[i].stretches[0].first, SegmentIndex{2});
  }
  EXPECT_EQ(live.presentation.tracks[2].stretches[0].first, SegmentIndex{1});
}

TEST(LiveHls, EqualNumbersJoinPlaylistsThatEndAlike) {
  const Opened live = opened({playlist(7, 10), playlist(6, 9), playlist(8, 11)});
  EXPECT_THAT(first_of(live.presentation), ElementsAre("low/7.ts", "high/7.ts", "sound/8.ts"));
}

TEST(LiveHls, OtherNumbersMeanNothingThere) {
  const Opened live = opened({playlist(7, 10), playlist(10, 13), playlist(100, 103)});
  EXPECT_THAT(first_of(live.presentation), ElementsAre("low/7.ts", "high/10.ts", "sound/100.ts"));
}

TEST(LiveHls, EndsWithItsPlaylists) {
  constexpr const char* kEnd = "#EXT-X-ENDLIST\n";
  Opened live = opened({playlist(7, 10), playlist(7, 10), playlist(7, 10)});
  const std::string last = playlist(8, 11, {}, kEnd);
  const LiveTitle::News news = reload(live, 2s, {last, last, last});
  EXPECT_EQ(news.added.size(), 1U);
  EXPECT_TRUE(news.complete);
  EXPECT_EQ(live.live->manifest().next_due(), std::nullopt);
}

TEST(LiveHls, AnOlderPlaylistChangesNothing) {
  Opened live = opened({playlist(7, 10), playlist(7, 10), playlist(7, 10)});
  EXPECT_THAT(reload(live, 2s, {playlist(6, 9), playlist(6, 9), playlist(6, 9)}).added, IsEmpty());
  EXPECT_EQ(reload(live, 4s, {playlist(8, 11), playlist(8, 11), playlist(8, 11)}).added.size(), 1U);
}

TEST(LiveHls, WhatLeftThePlaylistsUnseenIsLost) {
  Opened live = opened({playlist(7, 10), playlist(7, 10), playlist(7, 10)});
  const LiveTitle::News news = reload(live, 20s, {playlist(14, 15), playlist(14, 15), playlist(14, 15)});
  ASSERT_EQ(news.added.size(), 3U);
  EXPECT_TRUE(news.added[0].lost);
  EXPECT_EQ(news.added[0].duration, 6s);
  EXPECT_EQ(news.added[1].start, 14s);
}

TEST(LiveHls, AGapIsLost) {
  std::string gap = playlist(8, 11);
  gap.insert(gap.find("#EXTINF:2,\n11.ts"), "#EXT-X-GAP\n");
  Opened live = opened({playlist(7, 10), playlist(7, 10), playlist(7, 10)});
  const LiveTitle::News news = reload(live, 2s, {gap, gap, gap});
  ASSERT_EQ(news.added.size(), 1U);
  EXPECT_TRUE(news.added[0].lost);
}

/// The same with a line before a segment.
std::string with(std::string text, const std::string& line, int before) {
  text.insert(text.find(fmt::format("#EXTINF:2,\n{}.ts", before)), line + "\n");
  return text;
}

/// The stretches that segments of a track begin: their init sections, "-" without one; nothing where they go on.
std::vector<std::string> begun(const LiveTitle::News& news, std::uint32_t track) {
  std::vector<std::string> texts;
  for (const GrownSegment& segment : news.added) {
    for (const TrackSegment& one : segment.tracks) {
      if (one.track != track) continue;
      texts.push_back(!one.stretch ? "" : one.stretch->init ? one.stretch->init->uri.substr(23) : "-");
    }
  }
  return texts;
}

TEST(LiveHls, ADiscontinuityBeginsAStretch) {
  Opened live = opened({playlist(7, 10), playlist(7, 10), playlist(7, 10)});
  const std::string cut = with(playlist(8, 13), "#EXT-X-DISCONTINUITY", 12);
  const LiveTitle::News news = reload(live, 2s, {cut, cut, cut});
  for (const std::uint32_t track : {0U, 1U, 2U}) EXPECT_THAT(begun(news, track), ElementsAre("", "-", ""));
  // The break has left the playlists, as its number says.
  const std::string later = with(playlist(12, 15), "#EXT-X-DISCONTINUITY-SEQUENCE:1", 12);
  EXPECT_THAT(begun(reload(live, 4s, {later, later, later}), 0), ElementsAre("", ""));
}

TEST(LiveHls, SoDoesAnotherInitSectionAlsoBehindSegmentsThatNobodySaw) {
  const std::string first = with(playlist(7, 10), "#EXT-X-MAP:URI=\"i.mp4\"", 7);
  Opened live = opened({first, first, first});
  EXPECT_EQ(live.presentation.tracks[0].init->uri, "https://live.example/a/low/i.mp4");
  const std::string other = with(with(playlist(8, 12), "#EXT-X-MAP:URI=\"i.mp4\"", 8), "#EXT-X-MAP:URI=\"ad.mp4\"", 12);
  EXPECT_THAT(begun(reload(live, 2s, {other, other, other}), 1), ElementsAre("", "high/ad.mp4"));
  const std::string back = with(playlist(14, 15), "#EXT-X-MAP:URI=\"i.mp4\"", 14);
  EXPECT_THAT(begun(reload(live, 4s, {back, back, back}), 1), ElementsAre("", "high/i.mp4", ""))
      << "13 is lost, and begins nothing";
}

TEST(LiveHls, DatesOfABreakAreItsOwn) {
  Opened live = opened({playlist(7, 10, 20), playlist(7, 10, 20), playlist(7, 10, 20)});
  const std::string ad = "#EXT-X-DISCONTINUITY\n#EXT-X-PROGRAM-DATE-TIME:2019-01-01T00:00:00.000Z";
  const std::string during = with(playlist(8, 12, 22), ad, 11);
  const LiveTitle::News news = reload(live, 2s, {during, during, during});
  ASSERT_EQ(news.added.size(), 2U);
  EXPECT_EQ(news.added[0].start, 8s);
  EXPECT_EQ(news.added[1].start, 10s);
  const std::string end = "#EXT-X-DISCONTINUITY\n#EXT-X-PROGRAM-DATE-TIME:2023-11-14T22:13:32.000Z";
  const std::string after = with(with(playlist(9, 14, 24), ad, 11), end, 13);
  const LiveTitle::News more = reload(live, 4s, {after, after, after});
  ASSERT_EQ(more.added.size(), 2U);
  EXPECT_EQ(more.added[0].start, 12s);
  EXPECT_THAT(begun(more, 2), ElementsAre("-", ""));
}

TEST(LiveHls, BreaksOfSoundAndPictureAreTheSame) {
  Opened live = opened({playlist(7, 10), playlist(7, 10), playlist(7, 10)});
  const std::string cut = with(playlist(8, 12), "#EXT-X-DISCONTINUITY", 12);
  std::string rounded = cut;
  rounded.replace(rounded.find("#EXTINF:2,\n11.ts"), 10, "#EXTINF:1.7,");
  const LiveTitle::News news = reload(live, 2s, {cut, cut, rounded});
  ASSERT_EQ(news.added.size(), 2U);
  std::uint64_t ticks = 0;
  for (const GrownSegment& segment : news.added) {
    for (const TrackSegment& one : segment.tracks) ticks += one.track == 2U ? one.ticks : 0;
  }
  EXPECT_EQ(ticks, 4U * kHlsTimescale) << "the hole belongs to the sound before the break";
}

TEST(LiveHls, AVariantThatBreaksElsewhereIsLeftOut) {
  const std::string first = with(playlist(7, 11), "#EXT-X-DISCONTINUITY", 10);
  const Opened live =
      opened({with(first, "#EXT-X-DISCONTINUITY", 8), with(first, "#EXT-X-DISCONTINUITY", 9), playlist(7, 11)});
  EXPECT_EQ(live.presentation.tracks.size(), 2U);
  EXPECT_THAT(live.left_out, ElementsAre(HasSubstr("goes on otherwise (a discontinuity) at other segments")));
}

// ---- Keys

constexpr const char* kKey = "0123456789abcdef";
std::string key_line(const std::string& uri) {
  return fmt::format("#EXT-X-KEY:METHOD=AES-128,URI=\"https://keys.example/{}\"", uri);
}

void take(Opened& opened, Duration since_start, const std::vector<std::string>& files) {
  std::vector<FetchedFile> fetched;
  for (const WantedFile& file : opened.live->manifest().due(at(since_start)))
    fetched.push_back({.url = file.url, .bytes = files.at(fetched.size())});
  opened.live->manifest().take(fetched, at(since_start), at(since_start));
}

/// A media playlist alone, whose segments from 7 on have the key "one".
Opened encrypted() {
  ManifestFiles keys{{{"https://keys.example/one", kKey}}};
  return open_manifest(with(playlist(7, 9), key_line("one"), 7), "https://live.example/a/list.m3u8", keys.fetch(),
                       {.now = kStart, .sent = kStart});
}

TEST(LiveHls, AKeyIsFetchedWhenAPlaylistNamesIt) {
  Opened live = encrypted();
  EXPECT_EQ(live.presentation.tracks[0].segment(SegmentIndex{2}).cipher->key[1], std::byte{'1'});
  EXPECT_EQ(live.presentation.tracks[0].segment(SegmentIndex{2}).cipher->vector[15], std::byte{9});
  take(live, 2s, {with(with(playlist(8, 12), key_line("one"), 8), key_line("two"), 11)});
  EXPECT_THAT(live.live->news(at(2s)).added, IsEmpty()) << "the key is missing";
  EXPECT_EQ(live.live->manifest().next_due(), at(2s));
  EXPECT_THAT(due(live, 2s), ElementsAre("https://keys.example/two"));
  take(live, 3s, {"fedcba9876543210"});
  const LiveTitle::News news = live.live->news(at(3s));
  ASSERT_EQ(news.added.size(), 3U);
  EXPECT_EQ(news.added[0].tracks[0].place.cipher->key[1], std::byte{'1'});
  EXPECT_EQ(news.added[2].tracks[0].place.cipher->key[1], std::byte{'e'});
  EXPECT_THAT(due(live, 4s), ElementsAre("https://live.example/a/list.m3u8"));
}

TEST(LiveHls, KeysAndInitSectionsMayBeWithinTheirAddresses) {
  constexpr auto kWithin =
      "#EXT-X-KEY:METHOD=AES-128,URI=\"data:,0123456789abcdef\",IV=0x1\n#EXT-X-MAP:URI=\"data:video/mp4;base64,AAEC\"";
  ManifestFiles none;
  Opened live = open_manifest(with(playlist(7, 9), kWithin, 7), "https://live.example/a/list.m3u8", none.fetch(),
                              {.now = kStart, .sent = kStart});
  const Track& track = live.presentation.tracks[0];
  ASSERT_TRUE(track.init && track.segment(SegmentIndex{1}).cipher);
  EXPECT_EQ(track.init->uri, "data:video/mp4;base64,AAEC");
  EXPECT_EQ(track.init->range.size(), DataSize{3});
  constexpr auto kOthers =
      "#EXT-X-KEY:METHOD=AES-128,URI=\"data:,fedcba9876543210\",IV=0x1\n#EXT-X-MAP:URI=\"data:video/mp4;base64,AAED\"";
  take(live, 2s, {with(with(playlist(8, 11), kWithin, 8), kOthers, 11)});
  EXPECT_THAT(due(live, 2s), IsEmpty()) << "nothing is missing";
  const LiveTitle::News news = live.live->news(at(2s));
  ASSERT_EQ(news.added.size(), 2U);
  EXPECT_EQ(news.added[0].tracks[0].place.cipher->key[1], std::byte{'1'});
  EXPECT_EQ(news.added[1].tracks[0].place.cipher->key[1], std::byte{'e'});
  ASSERT_TRUE(news.added[1].tracks[0].stretch && news.added[1].tracks[0].stretch->init);
  EXPECT_EQ(news.added[1].tracks[0].stretch->init->uri, "data:video/mp4;base64,AAED");
}

TEST(LiveHls, AKeyOfAnotherLengthStopsTheTitle) {
  Opened live = encrypted();
  take(live, 2s, {with(playlist(8, 12), key_line("two"), 8)});
  EXPECT_THROW(take(live, 2s, {"short"}), ManifestError);
}

TEST(LiveHls, APlaylistThatIsTakenInBesideOneThatCannotBeReadIsNotForgotten) {
  Opened live = opened({playlist(7, 10), playlist(7, 10), playlist(7, 10)});
  EXPECT_THROW(take(live, 2s, {playlist(8, 11), "#EXTM3U\n", ""}), UnreadableForNow);
  EXPECT_EQ(live.live->manifest().next_due(), at(2s)) << "of the others; nothing is waited for";
  EXPECT_THAT(due(live, 2s),
              ElementsAre("https://live.example/a/high/list.m3u8", "https://live.example/a/sound/list.m3u8"));
}

TEST(LiveHls, APlaylistThatIsBeingWrittenIsFetchedAgain) {
  Opened live = opened({playlist(7, 10), playlist(7, 10), playlist(7, 10)});
  EXPECT_THROW(reload(live, 2s, {"#EXTM3U\n", playlist(8, 11), playlist(8, 11)}), UnreadableForNow);
  EXPECT_EQ(reload(live, 3s, {playlist(8, 11), playlist(8, 11), playlist(8, 11)}).added.size(), 1U);
}

// ---- Playlists that cannot be followed

constexpr const char* kGone = "404";  // stands for a playlist that is not there

/// As reload(), with playlists that fail. Nothing is thrown for those that are asked for again soon.
LiveTitle::News go_on(Opened& opened, Duration since_start, const Lists& lists) {
  std::vector<FetchedFile> files;
  for (const WantedFile& file : opened.live->manifest().due(at(since_start))) {
    const std::string& text = file.url.find("/low/") != std::string::npos    ? lists.low
                              : file.url.find("/high/") != std::string::npos ? lists.high
                                                                             : lists.sound;
    files.push_back({.url = file.url, .bytes = text});
    if (text == kGone) files.back() = {.url = file.url, .failure = file.url + ": status 404"};
  }
  try {
    if (!files.empty()) opened.live->manifest().take(files, at(since_start), at(since_start));
  } catch (const UnreadableForNow&) {
  }
  return opened.live->news(at(since_start));
}

/// The files of the segments that are added in this time, of all tracks, when playlists grow every two seconds. Those that `bad` makes
/// are put in the place of good ones.
std::vector<std::string> added_while(Opened& opened, std::chrono::seconds begin, std::chrono::seconds end,
                                     const std::function<void(Lists& lists)>& bad) {
  std::vector<std::string> texts;
  for (Duration now = begin; now < end; now += 500ms) {
    const int last = 10 + static_cast<int>(now / 2s);
    Lists lists{playlist(last - 3, last), playlist(last - 3, last), playlist(last - 3, last)};
    bad(lists);
    for (const GrownSegment& segment : go_on(opened, now, lists).added) {
      std::string text = segment.lost ? "lost" : "";
      for (const TrackSegment& told : segment.tracks)
        text +=
            " " + (told.place.uri.empty() ? "-" : told.place.uri.substr(std::string{"https://live.example/a/"}.size()));
      texts.push_back(text);
    }
  }
  return texts;
}

const std::vector<std::pair<std::string, std::string>> kBadPlaylists{
    {kGone, "there is no such file"},
    {"<html>gone</html>", "line 1"},
    {"", "high/list.m3u8"},
    {"#EXTM3U\n#EXT-X-TARGETDURATION:2\n", "there is no segment"}};

TEST(LiveHls, APlaylistThatFailsIsLeftOutAndComesBack) {
  for (const auto& [bad, why] : kBadPlaylists) {
    Opened live = opened({playlist(7, 10), playlist(7, 10), playlist(7, 10)});
    const auto without = added_while(live, 2s, 8s, [&, text = bad](Lists& lists) { lists.high = text; });
    EXPECT_EQ(without.size(), 3U) << bad;
    EXPECT_EQ(without.back(), " low/13.ts low/13.ts sound/13.ts") << bad;
    EXPECT_THAT(live.live->manifest().notes(), ElementsAre(HasSubstr("left out: 360p: "))) << bad;
    const auto back = added_while(live, 8s, 20s, [](Lists&) {});
    EXPECT_EQ(back.back(), " low/19.ts high/19.ts sound/19.ts") << bad;
    EXPECT_EQ(back.size(), 6U) << bad;
    EXPECT_THAT(live.live->manifest().notes(), ElementsAre("360p can be played again")) << bad;
  }
}

TEST(LiveHls, SoIsOneThatWasBadFromTheBeginning) {
  for (const auto& [bad, why] : kBadPlaylists) {
    Opened live = opened({playlist(7, 10), bad, playlist(7, 10)});
    EXPECT_THAT(live.left_out, ElementsAre(HasSubstr("360p: "))) << bad;
    EXPECT_THAT(live.left_out, ElementsAre(HasSubstr(why))) << bad;
    EXPECT_THAT(first_of(live.presentation), ElementsAre("low/7.ts", "low/7.ts", "sound/7.ts")) << bad;
    EXPECT_THAT(added_while(live, 2s, 4s, [&, text = bad](Lists& lists) { lists.high = text; }),
                ElementsAre(" low/11.ts low/11.ts sound/11.ts"))
        << bad;
    EXPECT_EQ(added_while(live, 4s, 14s, [](Lists&) {}).back(), " low/16.ts high/16.ts sound/16.ts") << bad;
    EXPECT_THAT(live.live->manifest().notes(), ElementsAre("360p can be played again")) << bad;
  }
}

TEST(LiveHls, TheFirstQualityMayBeTheBadOne) {
  Opened live = opened({kGone, playlist(7, 10), playlist(7, 10)});
  EXPECT_THAT(first_of(live.presentation), ElementsAre("high/7.ts", "high/7.ts", "sound/7.ts"));
  EXPECT_EQ(added_while(live, 2s, 14s, [](Lists&) {}).back(), " low/16.ts high/16.ts sound/16.ts");
  EXPECT_EQ(added_while(live, 14s, 24s, [](Lists& lists) { lists.low = kGone; }).back(),
            " high/21.ts high/21.ts sound/21.ts");
}

TEST(LiveHls, ASoundMayBeBadAtFirstAndLater) {
  Opened live = opened({playlist(7, 10), playlist(7, 10), kGone});
  EXPECT_EQ(live.presentation.tracks.size(), 3U);
  EXPECT_THAT(added_while(live, 2s, 4s, [](Lists& lists) { lists.sound = kGone; }),
              ElementsAre(" low/11.ts high/11.ts -"));
  EXPECT_EQ(added_while(live, 4s, 14s, [](Lists&) {}).back(), " low/16.ts high/16.ts sound/16.ts");
  EXPECT_EQ(added_while(live, 14s, 24s, [](Lists& lists) { lists.sound = kGone; }).back(), " low/21.ts high/21.ts -");
  EXPECT_THAT(live.live->manifest().notes(), ElementsAre("sound can be played again", HasSubstr("left out: sound: ")));
}

TEST(LiveHls, APlaylistThatGrowsNoMoreIsLeftOutAndComesBackWhenItIsAsFarAsTheOthers) {
  Opened live = opened({playlist(7, 10), playlist(7, 10), playlist(7, 10)});
  EXPECT_EQ(added_while(live, 2s, 12s, [](Lists& lists) { lists.high = playlist(7, 10); }).back(),
            " low/15.ts low/15.ts sound/15.ts");
  EXPECT_THAT(live.live->manifest().notes(), ElementsAre(HasSubstr("left out: 360p: no segment was added for")));
  EXPECT_EQ(added_while(live, 12s, 22s, [](Lists& lists) { lists.high = playlist(9, 12); }).back(),
            " low/20.ts low/20.ts sound/20.ts")
      << "it has grown, and is far behind";
  EXPECT_EQ(added_while(live, 22s, 34s, [](Lists&) {}).back(), " low/26.ts high/26.ts sound/26.ts");
}

TEST(LiveHls, IfAllStandStillAllAreWaitedFor) {
  Opened live = opened({playlist(7, 10), playlist(7, 10), playlist(7, 10)});
  EXPECT_THAT(added_while(live, 2s, 30s, [](Lists& lists) { lists = {kGone, kGone, kGone}; }), IsEmpty());
  EXPECT_THAT(live.live->manifest().notes(), IsEmpty());
  EXPECT_EQ(added_while(live, 30s, 34s, [](Lists&) {}).back(), " low/26.ts high/26.ts sound/26.ts");
}

TEST(LiveHls, OneThatCannotBeDecryptedFromNowOnIsLeftOut) {
  Opened live = opened({playlist(7, 10), playlist(7, 10), playlist(7, 10)});
  const auto sealed = [](Lists& lists) { lists.high += "#EXT-X-KEY:METHOD=SAMPLE-AES,URI=\"k\"\n#EXTINF:2,\nx.ts\n"; };
  EXPECT_EQ(added_while(live, 2s, 10s, sealed).back(), " low/14.ts low/14.ts sound/14.ts");
}

TEST(LiveHls, PicturesThatAreAllEmptyOrBadHaveNothingYet) {
  const std::string empty = "#EXTM3U\n#EXT-X-TARGETDURATION:2\n";
  EXPECT_THROW(opened({empty, empty, empty}), NothingPublishedYet);
  EXPECT_THROW(opened({kGone, empty, playlist(7, 10)}), NothingPublishedYet);
  ManifestFiles none;
  EXPECT_THROW(open_manifest(empty, "https://live.example/a/list.m3u8", none.fetch(), {.now = kStart, .sent = kStart}),
               NothingPublishedYet);
}

TEST(LiveHls, WithoutAPictureThereIsNoTitle) {
  try {
    opened({kGone, "<html>", playlist(7, 10)});
    FAIL();
  } catch (const std::runtime_error& error) {
    EXPECT_THAT(error.what(), HasSubstr("there is no such file")) << "of the first one";
  }
}

// ---- An encoder that begins anew

/// The same as playlist(), with other names.
std::string other_files(int first, int last, std::optional<int> date = {}) {
  std::string text = playlist(first, last, date);
  for (std::size_t at = 0; (at = text.find(".ts", at)) != std::string::npos; at += 9) text.replace(at, 3, "-anew.ts");
  return text;
}

/// What is added: the first files, or "lost", and when each begins.
std::vector<std::string> told(const LiveTitle::News& news) {
  std::vector<std::string> texts;
  for (const GrownSegment& segment : news.added) {
    std::string uri = segment.tracks.front().place.uri;
    texts.push_back(fmt::format("{}@{:.0f}{}", segment.lost ? "lost" : uri.substr(uri.rfind('/') + 1),
                                to_seconds(segment.start), segment.tracks.front().stretch ? "!" : ""));
  }
  return texts;
}

Lists all(const std::string& list) { return {list, list, list}; }

TEST(LiveHls, NumbersThatGoBackAndNameOtherFilesBeginAnew) {
  Opened live = opened(all(playlist(0, 3)));
  const LiveTitle::News news = go_on(live, 2s, all(other_files(0, 1)));
  EXPECT_THAT(told(news), ElementsAre("0-anew.ts@8!", "1-anew.ts@10"));
  EXPECT_THAT(begun(news, 1), ElementsAre("-", ""));
  EXPECT_THAT(begun(news, 2), ElementsAre("-", ""));
  EXPECT_THAT(live.live->manifest().notes(), ElementsAre(HasSubstr("180p began anew")));
  EXPECT_THAT(told(go_on(live, 4s, all(other_files(0, 2)))), ElementsAre("2-anew.ts@12"));
}

TEST(LiveHls, SoDoNumbersThatGoBackAndGrow) {
  Opened live = opened(all(playlist(100, 103)));
  EXPECT_THAT(told(go_on(live, 2s, all(playlist(0, 1)))), IsEmpty()) << "a cache may have an old one";
  EXPECT_THAT(told(go_on(live, 4s, all(playlist(0, 2)))), ElementsAre("0.ts@8!", "1.ts@10", "2.ts@12"));
  EXPECT_THAT(told(go_on(live, 6s, all(playlist(0, 3)))), ElementsAre("3.ts@14"));
}

TEST(LiveHls, OlderPlaylistsOfACacheDoNot) {
  Opened live = opened(all(playlist(100, 103)));
  for (const int last : {101, 102, 101, 102})
    EXPECT_THAT(told(go_on(live, 2s, all(playlist(last - 3, last)))), IsEmpty());
  EXPECT_THAT(told(go_on(live, 4s, all(playlist(101, 104)))), ElementsAre("104.ts@8"));
  EXPECT_THAT(live.live->manifest().notes(), IsEmpty());
}

TEST(LiveHls, NumbersThatJumpFarBeginAnew) {
  Opened live = opened(all(playlist(7, 10)));
  EXPECT_THAT(told(go_on(live, 2s, all(playlist(1'700'000, 1'700'001)))),
              ElementsAre("1700000.ts@8!", "1700001.ts@10"));
}

TEST(LiveHls, ByDatesWhatAnEncoderMissedIsLost) {
  Opened live = opened(all(playlist(100, 103, 20)));
  EXPECT_THAT(told(go_on(live, 14s, all(playlist(0, 1, 32)))), ElementsAre("lost@8", "0.ts@12!", "1.ts@14"));
}

TEST(LiveHls, QualitiesThatBeginAnewOneAfterTheOtherGoTogether) {
  for (const bool dated : {false, true}) {
    const auto date = [&](int second) { return dated ? std::optional{second} : std::nullopt; };
    Opened live = opened(all(playlist(0, 3, date(20))));
    EXPECT_THAT(
        told(go_on(live, 2s, {other_files(0, 1, date(28)), playlist(0, 3, date(20)), other_files(0, 1, date(28))})),
        IsEmpty());
    const LiveTitle::News news = go_on(live, 4s, all(other_files(0, 2, date(28))));
    EXPECT_THAT(told(news), ElementsAre("0-anew.ts@8!", "1-anew.ts@10", "2-anew.ts@12")) << dated;
    for (const GrownSegment& segment : news.added) {
      const auto name = [&](std::size_t track) {
        return segment.tracks.at(track).place.uri.substr(segment.tracks.at(track).place.uri.rfind('/'));
      };
      EXPECT_EQ(name(0), name(1)) << dated;
    }
  }
}

TEST(LiveHls, AMediaPlaylistAloneIsFetchedAgainItself) {
  ManifestFiles none;
  Opened live = open_manifest(playlist(7, 10, 20), "https://live.example/a/list.m3u8", none.fetch(),
                              {.now = kStart, .sent = kStart});
  EXPECT_THAT(due(live, 2s), ElementsAre("https://live.example/a/list.m3u8"));
  EXPECT_EQ(live.presentation.live->availability_start, UtcTime{std::chrono::milliseconds{1'700'000'000'000}})
      << "22:13:20";
}

TEST(LiveHls, DatesKeepTheTimelineFromDrifting) {
  Opened live = opened({playlist(7, 10, 20), playlist(7, 10, 20), playlist(7, 10, 20)});
  const std::string late = playlist(11, 11, 28).replace(playlist(11, 11, 28).find(".000Z"), 5, ".300Z");
  const LiveTitle::News news = reload(live, 2s, {late, late, late});
  ASSERT_EQ(news.added.size(), 1U);
  EXPECT_EQ(news.added[0].start, 8s);
  EXPECT_EQ(news.added[0].duration, 2300ms) << "a small hole belongs to the segment behind it";
}

}  // namespace
}  // namespace tributary::live_hls_test
