#include <span>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "box_bytes.hh"
#include "manifest_files_of.hh"
#include "presentation/segments/segment_table.hh"

namespace tributary {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::ManifestFiles;
using testing::opened;
using testing::refusal;
using ::testing::SizeIs;

constexpr const char* kMpdUrl = "https://film.example/a/manifest.mpd?token=5";

std::string mpd(const std::string& sets, const std::string& attributes = R"(mediaPresentationDuration="PT12S")") {
  return fmt::format(
      R"(<MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static" minBufferTime="PT2S" {} profiles="p"><Period>{}</Period></MPD>)",
      attributes, sets);
}

constexpr const char* kPictures = R"(<AdaptationSet mimeType="video/mp4" codecs="avc1.4d401f">
  <SegmentTemplate timescale="1000" duration="2000" initialization="$RepresentationID$/init.mp4" media="$RepresentationID$/$Number%03d$.m4s"/>
  <Representation id="high" bandwidth="2000000" width="1280" height="720" frameRate="25"/>
  <Representation id="low" bandwidth="500000" width="640" height="360" frameRate="25"/></AdaptationSet>)";

std::string sound(const std::string& duration) {
  return fmt::format(R"(<AdaptationSet mimeType="audio/mp4" codecs="mp4a.40.2" lang="de">
  <Role schemeIdUri="urn:mpeg:dash:role:2011" value="dub"/>
  <SegmentTemplate timescale="48000" duration="{}" initialization="a/init.mp4" media="a/$Number$.m4s"/>
  <Representation id="much" bandwidth="256000" audioSamplingRate="48000"/>
  <Representation id="enough" bandwidth="128000" audioSamplingRate="48000"/>
  <Representation id="little" bandwidth="64000" audioSamplingRate="48000"/></AdaptationSet>)",
                     duration);
}

TEST(MpdPresentation, HasALadderOfPicturesAndASound) {
  const Presentation title = opened(mpd(kPictures + sound("96000")), kMpdUrl).presentation;
  ASSERT_THAT(title.tracks, SizeIs(3));
  const Track& high = title.tracks[0];
  EXPECT_EQ(high.segment(SegmentIndex{1}).uri, "https://film.example/a/high/002.m4s");
  EXPECT_TRUE(high.segment(SegmentIndex{1}).estimated);
  EXPECT_EQ(high.init->uri, "https://film.example/a/high/init.mp4");
  EXPECT_TRUE(high.init->estimated);
  EXPECT_EQ(high.sizes.front(), DataSize{500'000});
  EXPECT_EQ(high.width, 1280);
  EXPECT_EQ(title.tracks[2].id, "enough");
  EXPECT_EQ(title.tracks[2].label.language, "de");
  EXPECT_TRUE(title.tracks[2].label.has(TrackRole::kDub));
  const SegmentTable table{title};
  EXPECT_EQ(table.quality_name(QualityIndex{0}), "low");
  EXPECT_EQ(table.segment_count(), 6U);
}

TEST(MpdPresentation, ATitleIsOneLineOfBoundedLength) {
  const auto title_of = [](const std::string& stated) {
    std::string text = mpd(kPictures);
    text.insert(text.find("<Period>"), "<ProgramInformation><Title>" + stated + "</Title></ProgramInformation>");
    return opened(text, kMpdUrl).presentation.title;
  };
  EXPECT_EQ(opened(mpd(kPictures), kMpdUrl).presentation.title, "");
  EXPECT_EQ(title_of("Fjord\nog\xff fjell"), "Fjord og\uFFFD fjell");
  EXPECT_EQ(title_of(std::string(1'001, 'x')), "") << "no title, but no reason not to play";
}

TEST(MpdPresentation, SoundHasAGridOfItsOwn) {
  const SegmentTable table{opened(mpd(kPictures + sound("240000")), kMpdUrl).presentation};  // 5 s
  std::vector<std::size_t> sounds;
  for (std::size_t i = 0; i < table.segment_count(); ++i)
    sounds.push_back(table.parts(static_cast<SegmentIndex>(i), QualityIndex{0}).size() - 1);
  EXPECT_THAT(sounds, ElementsAre(1, 0, 1, 0, 0, 1));
  EXPECT_EQ(table.grid().first_for(std::chrono::seconds{7}), SegmentIndex{2}) << "where the sound of 5 to 10 s comes";
}

TEST(MpdPresentation, AnIndexStatesSizes) {
  const std::string sidx = box("sidx", big_endian(0, 4) + big_endian(1, 4) + big_endian(1000, 4) + big_endian(0, 4) +
                                           big_endian(0, 4) + big_endian(0, 2) + big_endian(2, 2) +
                                           big_endian(7000, 4) + big_endian(6000, 4) + big_endian(0x90000000U, 4) +
                                           big_endian(8000, 4) + big_endian(6000, 4) + big_endian(0x90000000U, 4));
  ManifestFiles files{{{"https://cdn.example/film/low.mp4", std::string(800, ' ') + sidx}}};
  const std::string set = fmt::format(
      R"(<AdaptationSet mimeType="video/mp4" codecs="avc1.4d401f"><BaseURL>https://cdn.example/film/</BaseURL>
      <Representation id="low" bandwidth="500000"><BaseURL>low.mp4</BaseURL>
      <SegmentBase timescale="1000" indexRange="800-{}"><Initialization range="0-799"/></SegmentBase></Representation></AdaptationSet>)",
      800 + sidx.size() - 1);
  const Presentation title = opened(mpd(set), kMpdUrl, files).presentation;
  const Track& low = title.tracks.at(0);
  const auto end = static_cast<std::int64_t>(800 + sidx.size());
  EXPECT_EQ(low.segment(SegmentIndex{1}),
            (Resource{"https://cdn.example/film/low.mp4", {DataSize{end + 7000}, DataSize{end + 15000}}, false}));
  EXPECT_EQ(low.init->range.size(), DataSize{800});
  EXPECT_FALSE(low.is_estimate(SegmentIndex{0}));
}

std::string sidx_of(std::int64_t time, std::int64_t offset,
                    const std::vector<std::pair<std::uint32_t, bool>>& references) {
  std::string body = big_endian(0, 4) + big_endian(1, 4) + big_endian(1000, 4) +
                     big_endian(static_cast<std::uint64_t>(time), 4) +
                     big_endian(static_cast<std::uint64_t>(offset), 4) + big_endian(references.size(), 4);
  for (const auto& [size, further] : references)
    body += big_endian((further ? 0x8000'0000u : 0) | size, 4) + big_endian(2000, 4) + big_endian(0x9000'0000u, 4);
  return box("sidx", body);
}

std::string indexed_set(std::string_view attributes, std::string_view index) {
  return fmt::format(R"(<AdaptationSet mimeType="video/mp4"><Representation id="low" bandwidth="500000">
      <BaseURL>low.mp4</BaseURL><SegmentBase timescale="1000" {}><Initialization range="0-799"/>{}</SegmentBase>
      </Representation></AdaptationSet>)",
                     attributes, index);
}

/// Two qualities and a sound, each a file with an index.
std::string indexed_film() {
  const auto one = [](const char* id) {
    return fmt::format(R"(<Representation id="{0}" bandwidth="500000"><BaseURL>{0}.mp4</BaseURL>
      <SegmentBase timescale="1000"><RepresentationIndex sourceURL="{0}.idx"/></SegmentBase></Representation>)",
                       id);
  };
  return mpd(fmt::format(R"(<AdaptationSet mimeType="video/mp4" codecs="avc1.4d401f">{}{}</AdaptationSet>
    <AdaptationSet mimeType="audio/mp4" codecs="mp4a.40.2">{}</AdaptationSet>)",
                         one("low"), one("high"), one("sound")));
}

TEST(MpdPresentation, ATrackWhoseIndexCannotBeHadOrReadIsLeftOutAsLongAsAPictureRemains) {
  const std::string index = sidx_of(0, 0, {{1000, false}, {500, false}}), at = "https://film.example/a/";
  ManifestFiles files{{{at + "low.idx", index}, {at + "high.idx", index}, {at + "sound.idx", index}}};
  EXPECT_EQ(opened(indexed_film(), kMpdUrl, files).presentation.tracks.size(), 3U);
  for (const std::string& bad : {"low.idx", "high.idx", "sound.idx"}) {
    ManifestFiles some = files;
    some.files.erase(at + bad);
    const Opened without = opened(indexed_film(), kMpdUrl, some);
    EXPECT_EQ(without.presentation.tracks.size(), 2U) << bad;
    EXPECT_THAT(without.left_out, ElementsAre(HasSubstr("there is no such file"))) << bad;
    some.files[at + bad] = "<html>gone</html>";
    EXPECT_EQ(opened(indexed_film(), kMpdUrl, some).presentation.tracks.size(), 2U) << bad;
  }
  files.files.erase(at + "low.idx");
  files.files.erase(at + "high.idx");
  EXPECT_THROW(opened(indexed_film(), kMpdUrl, files), ManifestError);
  files.files.erase(at + "sound.idx");
  EXPECT_THROW(opened(indexed_film(), kMpdUrl, files), std::runtime_error);
}

TEST(MpdPresentation, AnIndexInAFileOfItsOwnCountsFromTheBeginningOfTheMedia) {
  ManifestFiles files{{{"https://film.example/a/low.idx", sidx_of(0, 800, {{1000, false}, {500, false}})}}};
  const Presentation title =
      opened(mpd(indexed_set("", R"(<RepresentationIndex sourceURL="low.idx"/>)")), kMpdUrl, files).presentation;
  const Track& track = title.tracks.at(0);
  EXPECT_EQ(track.segment(SegmentIndex{0}).range, (ByteRange{DataSize{800}, DataSize{1800}}));
  EXPECT_EQ(track.segment(SegmentIndex{1}).range, (ByteRange{DataSize{1800}, DataSize{2300}}));
  EXPECT_EQ(track.segment(SegmentIndex{1}).uri, "https://film.example/a/low.mp4");
}

TEST(MpdPresentation, IndexesMayFormAChain) {
  std::string chain;
  for (int i = 9; i >= 0; --i) {
    std::vector<std::pair<std::uint32_t, bool>> references{{10'000, false}};
    if (!chain.empty()) references.emplace_back(static_cast<std::uint32_t>(chain.size()), true);
    chain = sidx_of(2000 * i, 0, references) + std::string(10'000, '.') + chain;
  }
  ManifestFiles files{{{"https://film.example/a/low.mp4", std::string(800, ' ') + chain}}};
  const auto end = 800 + sidx_of(0, 0, {{1, false}, {1, true}}).size();
  const Presentation title =
      opened(mpd(indexed_set(fmt::format(R"(indexRange="800-{}")", end - 1), "")), kMpdUrl, files).presentation;
  const Track& track = title.tracks.at(0);
  ASSERT_EQ(track.durations.size(), 10U);
  EXPECT_EQ(track.segment(SegmentIndex{0}).range.begin, DataSize{static_cast<std::int64_t>(end)});
  EXPECT_EQ(track.segment(SegmentIndex{9}).range.size(), DataSize{10'000});
}

TEST(MpdPresentation, BaseUrlsOfOneLevelAreAlternatives) {
  const auto in_two_places = [](const std::string& period) {
    return fmt::format(
        R"(<MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static" minBufferTime="PT2S" mediaPresentationDuration="PT12S"
        profiles="p"><BaseURL>film/</BaseURL><BaseURL>https://cdn.example/copy/</BaseURL><Period>{}</Period></MPD>)",
        period);
  };
  const AlternativeAddresses by_number = opened(in_two_places(kPictures), kMpdUrl).alternatives;
  EXPECT_THAT(by_number.all_of("https://film.example/a/film/low/001.m4s"),
              ElementsAre("https://film.example/a/film/low/001.m4s", "https://cdn.example/copy/low/001.m4s"));
  const std::string whole_files = R"(<AdaptationSet mimeType="video/mp4" codecs="avc1.4d401f">
      <Representation id="low" bandwidth="500000"><BaseURL>low.mp4</BaseURL><BaseURL>other.mp4</BaseURL></Representation>
      </AdaptationSet>)";
  const AlternativeAddresses of_files = opened(in_two_places(whole_files), kMpdUrl).alternatives;
  EXPECT_THAT(of_files.all_of("https://film.example/a/film/low.mp4"),
              ElementsAre("https://film.example/a/film/low.mp4", "https://film.example/a/film/other.mp4",
                          "https://cdn.example/copy/low.mp4", "https://cdn.example/copy/other.mp4"));
  EXPECT_EQ(opened(mpd(kPictures), kMpdUrl).alternatives, AlternativeAddresses{});
}

TEST(MpdPresentation, AnIndexIsFetchedFromAnotherPlaceIfTheFirstDoesNotHaveIt) {
  const std::string sidx = box("sidx", big_endian(0, 4) + big_endian(1, 4) + big_endian(1000, 4) + big_endian(0, 4) +
                                           big_endian(0, 4) + big_endian(0, 2) + big_endian(1, 2) +
                                           big_endian(7000, 4) + big_endian(6000, 4) + big_endian(0x90000000U, 4));
  ManifestFiles files{{{"https://b.example/low.mp4", std::string(800, ' ') + sidx}}};
  const std::string set = fmt::format(
      R"(<AdaptationSet mimeType="video/mp4" codecs="avc1.4d401f">
      <BaseURL>https://a.example/</BaseURL><BaseURL>https://b.example/</BaseURL>
      <Representation id="low" bandwidth="500000"><BaseURL>low.mp4</BaseURL>
      <SegmentBase timescale="1000" indexRange="800-{}"/></Representation></AdaptationSet>)",
      800 + sidx.size() - 1);
  const Opened title = opened(mpd(set), kMpdUrl, files);
  EXPECT_EQ(title.presentation.tracks.at(0).segment(SegmentIndex{0}).uri, "https://a.example/low.mp4");
}

TEST(MpdPresentation, QualitiesThatCannotBeSwitchedToAreLeftOut) {
  const std::string odd = R"(<AdaptationSet mimeType="video/mp4" codecs="avc1.4d401f">
  <Representation id="a" bandwidth="500000"><SegmentTemplate timescale="1" duration="2" media="a$Number$"/></Representation>
  <Representation id="b" bandwidth="900000"><SegmentTemplate timescale="1" duration="3" media="b$Number$"/></Representation></AdaptationSet>)";
  const Opened title = opened(mpd(odd), kMpdUrl);
  EXPECT_THAT(title.presentation.tracks, SizeIs(1));
  EXPECT_THAT(title.left_out, ElementsAre(HasSubstr("has 4 segments, and a has 6")));
}

TEST(MpdPresentation, HasABoundedNumberOfTracks) {
  std::string set = R"(<AdaptationSet mimeType="video/mp4" codecs="avc1.4d401f">
  <SegmentTemplate timescale="1" duration="2" media="$RepresentationID$-$Number$"/>)";
  for (int i = 1; i <= 70; ++i) set += fmt::format(R"(<Representation id="q{}" bandwidth="{}"/>)", i, 100'000 * i);
  const Opened title = opened(mpd(set + "</AdaptationSet>" + sound("96000")), kMpdUrl);
  EXPECT_THAT(title.presentation.tracks, SizeIs(65));
  EXPECT_THAT(title.left_out, SizeIs(6));
}

/// A period with pictures alone: one quality in 25 ticks a second, from tick 1000 on.
std::string advertisement(int seconds) {
  return fmt::format(R"(<Period duration="PT{}S"><AdaptationSet mimeType="video/mp4" codecs="avc1.4d401f">
  <SegmentTemplate timescale="25" presentationTimeOffset="1000" duration="50" initialization="ad/init.mp4" media="ad/$Number$.m4s"/>
  <Representation id="ad" bandwidth="900000" width="640" height="360" frameRate="25"/></AdaptationSet></Period>)",
                     seconds);
}

std::string film_period(int seconds) {
  return fmt::format("<Period duration=\"PT{}S\">{}{}</Period>", seconds, kPictures, sound("96000"));
}

std::string mpd_of_periods(const std::string& periods) {
  return fmt::format(
      R"(<MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static" minBufferTime="PT2S" profiles="p">{}</MPD>)",
      periods);
}

TEST(MpdPresentation, PeriodsAreStretches) {
  const Presentation title =
      opened(mpd_of_periods(film_period(5) + advertisement(4) + film_period(4)), kMpdUrl).presentation;
  ASSERT_THAT(title.tracks, SizeIs(3));
  for (const Track& track : std::span{title.tracks}.first(2)) {
    EXPECT_EQ(track.timescale, 1000U);
    EXPECT_THAT(track.durations, ElementsAre(2000, 2000, 1000, 2000, 2000, 2000, 2000));
    ASSERT_THAT(track.stretches, SizeIs(2));
    EXPECT_EQ(track.segment(SegmentIndex{3}).uri, "https://film.example/a/ad/1.m4s");
    EXPECT_EQ(track.stretches[0].first, SegmentIndex{3});
    EXPECT_EQ(track.stretches[0].init->uri, "https://film.example/a/ad/init.mp4");
    EXPECT_EQ(track.stretches[0].offset, 40'000 - 5'000) << "tick 1000 of 25 a second is at 5 s";
    EXPECT_EQ(track.stretches[1].offset, -9'000);
    EXPECT_EQ(track.segment(SegmentIndex{5}).uri, "https://film.example/a/" + track.id + "/001.m4s");
  }
  EXPECT_EQ(title.tracks[0].sizes[3], DataSize{225'000}) << "by the advertisement's own bitrate";
  const Track& sound = title.tracks[2];
  EXPECT_THAT(sound.durations, ElementsAre(96'000, 96'000, 240'000, 96'000, 96'000)) << "silent meanwhile";
  EXPECT_THAT(sound.stretches, SizeIs(1));
  const SegmentTable table{title};
  EXPECT_EQ(table.grid().end(), std::chrono::seconds{13});
  EXPECT_EQ(table.starts_at(2, sound.stretches[0].first), std::chrono::seconds{9});
}

TEST(MpdPresentation, TimesThatNoTimescaleOfAllPeriodsHoldsAreRefused) {
  std::string late = advertisement(4);
  late.replace(late.find("\"1000\""), 6, "\"4000000000000000000\"");
  EXPECT_THAT(refusal(mpd_of_periods(film_period(4) + late)),
              HasSubstr("the time 4000000000000000000 with the timescale 25 is beyond all times"));
}

TEST(MpdPresentation, TheFirstPeriodMayHaveFewerQualitiesAndNoSound) {
  const Presentation title = opened(mpd_of_periods(advertisement(4) + film_period(4)), kMpdUrl).presentation;
  ASSERT_THAT(title.tracks, SizeIs(3));
  EXPECT_EQ(title.tracks[0].id, "high");
  EXPECT_EQ(title.tracks[0].init->uri, "https://film.example/a/ad/init.mp4");
  EXPECT_EQ(title.tracks[0].offset, 40'000);
  EXPECT_EQ(title.tracks[2].start, 4U * 48'000);
}

TEST(MpdPresentation, EachPeriodNeedsPictures) {
  const std::string silent = fmt::format("<Period duration=\"PT4S\">{}</Period>", sound("96000"));
  EXPECT_THAT(refusal(mpd_of_periods(film_period(4) + silent)), HasSubstr("Period[1]: there is no picture"));
}

TEST(MpdPresentation, OfSoundAloneTheFirstSetIsTheLadder) {
  const auto set = [](const std::string& more) {
    return fmt::format(R"(<AdaptationSet mimeType="audio/mp4" codecs="mp4a.40.2">
  <SegmentTemplate timescale="1000" duration="2000" initialization="i.mp4" media="$RepresentationID$/$Number$.m4s"/>
  {}</AdaptationSet>)",
                       more);
  };
  const Opened radio =
      opened(mpd(set(R"(<Representation id="a" bandwidth="64000"/><Representation id="b" bandwidth="256000"/>
  <Representation id="c" bandwidth="400000" codecs="ec-3"/>)") +
                 set(R"(<Representation id="d" bandwidth="64000"/>)")),
             kMpdUrl);
  const SegmentTable table{radio.presentation};
  EXPECT_EQ(table.quality_count(), 2U);
  EXPECT_EQ(table.quality_name(QualityIndex{1}), "b");
  EXPECT_EQ(table.sound(), std::nullopt);
  EXPECT_THAT(radio.left_out, ElementsAre(HasSubstr("another codec"), HasSubstr("one sound only")));
}

TEST(MpdPresentation, WhatCannotBePlayedIsRefusedBeforeAnythingIsFetched) {
  const std::string locked = R"(<AdaptationSet mimeType="video/mp4" codecs="avc1.4d401f">
  <ContentProtection schemeIdUri="urn:mpeg:dash:mp4protection:2011" value="cenc"/>
  <ContentProtection schemeIdUri="urn:uuid:edef8ba9-79d6-4ace-a3c8-27dcd51d21ed"/>
  <Representation id="a" bandwidth="500000"><BaseURL>a.mp4</BaseURL><SegmentBase indexRange="800-900"/></Representation></AdaptationSet>)";
  ManifestFiles files;
  EXPECT_THAT(refusal(mpd(locked), kMpdUrl, files), HasSubstr("Widevine"));
  EXPECT_THAT(
      refusal("<MPD type=\"dynamic\" availabilityStartTime=\"2026-01-01T00:00:00Z\"><Period start=\"PT0S\"/></MPD>"),
      HasSubstr("Period[0]: there is no picture"));
}

}  // namespace
}  // namespace tributary
