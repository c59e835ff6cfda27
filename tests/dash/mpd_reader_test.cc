#include "dash/reading/mpd_reader.hh"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "dash/bounds.hh"
#include "dash/reading/media_kind.hh"
#include "mpd_text.hh"

namespace tributary::dash {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::SizeIs;

/// A set with this start tag and content, in a static MPD; the set begins in line 3.
std::string set_text(std::string_view attributes, std::string_view content) {
  return mpd_text(R"(mediaPresentationDuration="PT10S")",
                  fmt::format("<Period>\n<AdaptationSet {}>\n{}\n</AdaptationSet>\n</Period>", attributes, content));
}

AdaptationSet set_of(std::string_view attributes, std::string_view content) {
  return read_mpd(set_text(attributes, content)).periods.at(0).sets.at(0);
}

TEST(MpdReader, ReadsTheAttributesOfTheMpd) {
  const Mpd mpd = read_mpd(R"(<?xml version="1.0"?>
<MPD type="dynamic" availabilityStartTime="2026-01-02T03:04:05Z" publishTime="2026-01-02T03:04:06+01:00"
     minimumUpdatePeriod="PT2S" timeShiftBufferDepth="PT1M" suggestedPresentationDelay="PT6S" minBufferTime="PT1S"
     mediaPresentationDuration="PT2H" availabilityEndTime="2026-01-03T00:00:00Z" unknown="x">
  <ProgramInformation lang="en"><Source>s</Source><Title> Fjord &amp; Fell </Title></ProgramInformation>
  <ProgramInformation lang="nb"><Title>Fjord og fjell</Title></ProgramInformation>
  <Location> https://a.example/live.mpd </Location><Location><![CDATA[https://b.example/live.mpd?a=1&b=2]]></Location>
  <PatchLocation ttl="60">patch.mpp</PatchLocation>
  <UTCTiming schemeIdUri="urn:mpeg:dash:utc:http-iso:2014" value="https://a.example/time"/>
  <UTCTiming schemeIdUri="urn:mpeg:dash:utc:direct:2014" value="2026-01-02T03:04:05Z"/>
  <BaseURL serviceLocation="A" availabilityTimeOffset="1.5">https://a.example/</BaseURL>
  <BaseURL serviceLocation="B">https://b.example/</BaseURL>
  <Period id="p" start="PT0S"/>
</MPD>)");
  EXPECT_TRUE(mpd.dynamic);
  EXPECT_EQ(mpd.title, "Fjord & Fell");
  EXPECT_EQ(mpd.availability_start, utc_from("2026-01-02T03:04:05Z"));
  EXPECT_EQ(mpd.availability_end, utc_from("2026-01-03T00:00:00Z"));
  EXPECT_EQ(mpd.publish_time, utc_from("2026-01-02T02:04:06Z"));
  EXPECT_EQ(mpd.minimum_update_period, 2s);
  EXPECT_EQ(mpd.time_shift_buffer_depth, 60s);
  EXPECT_EQ(mpd.suggested_presentation_delay, 6s);
  EXPECT_EQ(mpd.min_buffer_time, 1s);
  EXPECT_EQ(mpd.presentation_duration, 2h);
  EXPECT_THAT(mpd.locations, ElementsAre("https://a.example/live.mpd", "https://b.example/live.mpd?a=1&b=2"));
  EXPECT_THAT(mpd.patch_locations, ElementsAre("patch.mpp"));
  EXPECT_THAT(mpd.utc_timings, ElementsAre(Descriptor{"urn:mpeg:dash:utc:http-iso:2014", "https://a.example/time"},
                                           Descriptor{"urn:mpeg:dash:utc:direct:2014", "2026-01-02T03:04:05Z"}));
  EXPECT_EQ(mpd.base_urls, (BaseUrls{{"https://a.example/", "A", 1500ms}, {"https://b.example/", "B", 0s}}));
  EXPECT_EQ(mpd.periods.at(0).id, "p");
}

TEST(MpdReader, ElementsAreKnownByTheirLocalNames) {
  const Mpd mpd = read_mpd(R"(<dash:MPD xmlns:dash="urn:mpeg:dash:schema:mpd:2011" mediaPresentationDuration="PT4S">
<dash:Period><dash:AdaptationSet contentType="audio"><dash:Representation id="a">
<dash:SegmentTemplate media="$Number$" duration="2"/></dash:Representation></dash:AdaptationSet>
</dash:Period></dash:MPD>)");
  EXPECT_TRUE(std::holds_alternative<TemplateAddressing>(first_representation(mpd).addressing));
}

TEST(MpdReader, RepresentationsInheritFromTheirSet) {
  const AdaptationSet set = set_of(
      R"(id="3" mimeType="video/mp4" codecs="avc1.4d401e" width="640" height="360" frameRate="30000/1001" lang="de")",
      R"(<Label>Kamera 2</Label><Role schemeIdUri="urn:mpeg:dash:role:2011" value="main"/>
      <Accessibility schemeIdUri="urn:scte:dash:cc:cea-608:2015" value="CC1=eng"/>
      <SupplementalProperty schemeIdUri="urn:x" value="1"/>
      <Representation id="a" bandwidth="500000"><SupplementalProperty schemeIdUri="urn:y"/></Representation>
      <Representation id="b" bandwidth="900000" codecs="avc1.64001f" width="1280" height="720" frameRate="25"/>)");
  EXPECT_EQ(set.id, "3");
  EXPECT_EQ(set.kind, MediaKind::kVideo);
  EXPECT_EQ(set.lang, "de");
  EXPECT_EQ(set.label, "Kamera 2");
  EXPECT_THAT(set.roles, ElementsAre(Descriptor{"urn:mpeg:dash:role:2011", "main"}));
  EXPECT_THAT(set.accessibility, ElementsAre(Descriptor{"urn:scte:dash:cc:cea-608:2015", "CC1=eng"}));
  ASSERT_THAT(set.representations, SizeIs(2));
  const Representation &a = set.representations[0], &b = set.representations[1];
  EXPECT_EQ(a.place, "line 7, Period[0]/AdaptationSet[0]/Representation[0]");
  EXPECT_EQ(a.bandwidth, 500'000);
  EXPECT_EQ(a.mime_type, "video/mp4");
  EXPECT_EQ(a.codecs, "avc1.4d401e");
  EXPECT_EQ(a.width, 640);
  EXPECT_EQ(a.frame_rate, (FrameRate{30'000, 1'001}));
  EXPECT_THAT(a.supplemental_properties, ElementsAre(Descriptor{"urn:x", "1"}, Descriptor{"urn:y", ""}));
  EXPECT_EQ(b.mime_type, "video/mp4");
  EXPECT_EQ(b.codecs, "avc1.64001f");
  EXPECT_EQ(b.height, 720);
  EXPECT_EQ(b.frame_rate, (FrameRate{25, 1}));
}

TEST(MpdReader, SoundStatesRateAndChannels) {
  const auto sound = [](std::string_view scheme, std::string_view value) {
    return set_of(R"(mimeType="audio/mp4" audioSamplingRate="24000 48000")",
                  fmt::format("<Representation id=\"a\"><AudioChannelConfiguration schemeIdUri=\"{}\" value=\"{}\"/>"
                              "</Representation>",
                              scheme, value))
        .representations.at(0);
  };
  EXPECT_EQ(sound("urn:x", "2").audio_sampling_rate, 48'000);
  EXPECT_EQ(sound("urn:x", "2").channels, std::nullopt);
  EXPECT_EQ(sound("urn:mpeg:dash:23003:3:audio_channel_configuration:2011", "6").channels, 6);
  EXPECT_EQ(sound("urn:mpeg:dash:23003:3:audio_channel_configuration:2011", "many").channels, std::nullopt);
  EXPECT_EQ(sound("urn:mpeg:mpegB:cicp:ChannelConfiguration", "7").channels, 8);
  EXPECT_EQ(sound("urn:mpeg:mpegB:cicp:ChannelConfiguration", "99").channels, std::nullopt);
  EXPECT_EQ(sound("tag:dolby.com,2014:dash:audio_channel_configuration:2011", "F801").channels, 6);
  EXPECT_EQ(sound("tag:dolby.com,2014:dash:audio_channel_configuration:2011", "A000").channels, 2);
}

TEST(MpdReader, TheKindOfASetFollowsFromWhatItStates) {
  EXPECT_EQ(media_kind("", "video/mp4", "avc1.64001f,mp4a.40.2"), MediaKind::kVideo);
  EXPECT_EQ(media_kind("text", "application/mp4", "stpp"), MediaKind::kText);
  EXPECT_EQ(media_kind("", "application/mp4", "stpp.ttml.im1t"), MediaKind::kText);
  EXPECT_EQ(media_kind("", "application/mp4", "wvtt"), MediaKind::kText);
  EXPECT_EQ(media_kind("", "application/ttml+xml", ""), MediaKind::kText);
  EXPECT_EQ(media_kind("", "text/vtt", ""), MediaKind::kText);
  EXPECT_EQ(media_kind("", "image/jpeg", ""), MediaKind::kImage);
  EXPECT_EQ(media_kind("", "", "mp4a.40.2"), MediaKind::kAudio);
  EXPECT_EQ(media_kind("application", "application/octet-stream", ""), MediaKind::kOther);
}

TEST(MpdReader, AddressingIsInheritedOverThreeLevels) {
  const Mpd mpd = read_mpd(mpd_text(R"(mediaPresentationDuration="PT10S")", R"(<Period>
    <SegmentTemplate timescale="1000" presentationTimeOffset="7" initialization="period.mp4" duration="5000"/>
    <AdaptationSet mimeType="video/mp4"><SegmentTemplate media="$Number$.m4s" startNumber="3" duration="2000"/>
    <Representation id="a"/>
    <Representation id="b"><SegmentTemplate startNumber="9" initialization="b.mp4"><SegmentTimeline><S d="4000" r="1"/>
      </SegmentTimeline></SegmentTemplate></Representation>
    <Representation id="c"><BaseURL>c.mp4</BaseURL><SegmentBase indexRange="100-199"/></Representation>
    </AdaptationSet></Period>)"));
  const auto& representations = mpd.periods.at(0).sets.at(0).representations;
  const auto& a = std::get<TemplateAddressing>(representations.at(0).addressing);
  EXPECT_EQ(a.times.timescale, 1'000u);
  EXPECT_EQ(a.times.presentation_time_offset, 7);
  EXPECT_EQ(a.times.start_number, 3);
  EXPECT_EQ(a.times.duration, 2'000);
  EXPECT_EQ(*a.init, UriTemplate{"period.mp4"});
  const auto& b = std::get<TemplateAddressing>(representations.at(1).addressing);
  EXPECT_EQ(b.times.start_number, 9);
  EXPECT_EQ(b.times.duration, std::nullopt);
  EXPECT_EQ(*b.times.timeline, (Timeline{{0, 4'000, 2}}));
  EXPECT_EQ(*b.init, UriTemplate{"b.mp4"});
  EXPECT_EQ(*b.media, UriTemplate{"$Number$.m4s"});
  const auto& c = std::get<IndexedAddressing>(representations.at(2).addressing);
  EXPECT_EQ(c.index.range, (ByteRange{DataSize{100}, DataSize{200}}));
}

TEST(MpdReader, ADurationTakesThePlaceOfAnOuterTimeline) {
  const Mpd mpd = read_mpd(set_text(R"(mimeType="video/mp4")", R"(
    <SegmentTemplate media="$Number$"><SegmentTimeline><S d="1"/></SegmentTimeline></SegmentTemplate>
    <Representation id="a"><SegmentTemplate duration="2"/></Representation>)"));
  const auto& times = std::get<TemplateAddressing>(first_representation(mpd).addressing).times;
  EXPECT_EQ(times.duration, 2);
  EXPECT_EQ(times.timeline, nullptr);
}

TEST(MpdReader, SegmentBaseStatesIndexAndInit) {
  const auto addressing = [](std::string_view text) {
    return first_representation(read_mpd(static_text(text))).addressing;
  };
  const auto both = std::get<IndexedAddressing>(
      addressing(R"(<SegmentBase timescale="90000" presentationTimeOffset="180000" indexRange="862-1733">
                    <Initialization range="0-861"/></SegmentBase>)"));
  EXPECT_EQ(both.timescale, 90'000u);
  EXPECT_EQ(both.presentation_time_offset, 180'000);
  EXPECT_EQ(both.index, (FilePart{"", ByteRange{DataSize{862}, DataSize{1'734}}}));
  EXPECT_EQ(both.init, (FilePart{"", ByteRange{DataSize{0}, DataSize{862}}}));
  const auto elsewhere = std::get<IndexedAddressing>(addressing(
      R"(<SegmentBase><Initialization sourceURL="i.mp4"/><RepresentationIndex sourceURL="x.sidx"/></SegmentBase>)"));
  EXPECT_EQ(elsewhere.index, (FilePart{"x.sidx", {}}));
  EXPECT_EQ(elsewhere.init, (FilePart{"i.mp4", {}}));
  EXPECT_TRUE(std::holds_alternative<WholeFile>(addressing("<SegmentBase/>")));
  EXPECT_TRUE(std::holds_alternative<WholeFile>(addressing("")));
}

TEST(MpdReader, AvailabilityOffsetsOfAllLevelsAddUp) {
  const Mpd mpd = read_mpd(mpd_text(R"(type="dynamic" availabilityStartTime="2026-01-01T00:00:00Z")", R"(
    <BaseURL availabilityTimeOffset="1">a/</BaseURL><BaseURL availabilityTimeOffset="100">b/</BaseURL>
    <Period start="PT0S"><AdaptationSet><BaseURL availabilityTimeOffset="0.25">c/</BaseURL>
    <SegmentTemplate media="$Number$" duration="2" availabilityTimeOffset="0.5" availabilityTimeComplete="false"/>
    <Representation id="a"/><Representation id="b"><SegmentTemplate availabilityTimeOffset="INF"/></Representation>
    </AdaptationSet></Period>)"));
  const auto& both = mpd.periods.at(0).sets.at(0).representations;
  EXPECT_EQ(both.at(0).availability_offset, 1750ms);
  EXPECT_FALSE(both.at(0).availability_complete);
  EXPECT_EQ(both.at(1).availability_offset, 1250ms + kLongestOffset);
}

TEST(MpdReader, SetsWithUnknownEssentialPropertiesAreLeftOut) {
  const Mpd mpd = read_mpd(mpd_text(R"(mediaPresentationDuration="PT10S")", R"(<Period>
<AdaptationSet mimeType="video/mp4"><EssentialProperty schemeIdUri="urn:vr"/><Representation id="360"/></AdaptationSet>
<AdaptationSet mimeType="video/mp4"><Representation id="a"><EssentialProperty schemeIdUri="urn:b"/></Representation>
<Representation id="b"/><Representation id="c" dependencyId="b"/></AdaptationSet>
<AdaptationSet mimeType="video/mp4"><Representation id="x"><EssentialProperty schemeIdUri="urn:b"/>
</Representation></AdaptationSet></Period>)"));
  ASSERT_THAT(mpd.periods.at(0).sets, SizeIs(1));
  EXPECT_EQ(first_representation(mpd).id, "b");
  EXPECT_THAT(
      mpd.left_out,
      ElementsAre("line 4, Period[0]/AdaptationSet[1]/Representation[0]: its EssentialProperty urn:b is not known",
                  "line 5, Period[0]/AdaptationSet[1]/Representation[2]: it depends on another representation",
                  "line 6, Period[0]/AdaptationSet[2]/Representation[0]: its EssentialProperty urn:b is not known",
                  "line 6, Period[0]/AdaptationSet[2]: none of its representations can be played",
                  "line 3, Period[0]/AdaptationSet[0]: its EssentialProperty urn:vr is not known"));
}

TEST(MpdReader, APictureWithAnUnknownEssentialPropertyIsNeeded) {
  constexpr std::string_view kSound = R"(<AdaptationSet mimeType="audio/mp4"><Representation id="s"/></AdaptationSet>)";
  const auto refused = [&](std::string_view mime) {
    return refusal_of(mpd_text(R"(mediaPresentationDuration="PT10S")",
                               fmt::format("<Period>{}\n<AdaptationSet mimeType=\"{}\"><EssentialProperty "
                                           "schemeIdUri=\"urn:vr\"/><Representation/></AdaptationSet></Period>",
                                           kSound, mime)));
  };
  EXPECT_EQ(refused("video/mp4"), "line 3, Period[0]/AdaptationSet[1]: its EssentialProperty urn:vr is not known");
  EXPECT_EQ(refused("audio/mp4"), "accepted");
  EXPECT_EQ(refused("image/png"), "accepted");
}

/// A set of pictures whose segments are sequences of four files.
std::string sequences(std::string_view properties) {
  return fmt::format(R"(<AdaptationSet mimeType="video/mp4"><EssentialProperty schemeIdUri="urn:mpeg:dash:ssr:2023"/>{}
<SegmentTemplate media="$Number$_$SubNumber$" duration="2" k="4"/><Representation id="h" bandwidth="2"/>
<Representation id="l" bandwidth="1"/></AdaptationSet>)",
                     properties);
}

TEST(MpdReader, SegmentSequencesArePlayedWhereNothingElseIs) {
  constexpr std::string_view kWhole = R"(<AdaptationSet mimeType="video/mp4"><Representation id="w"/></AdaptationSet>)";
  const auto read = [](std::string_view sets) {
    return read_mpd(mpd_text(R"(mediaPresentationDuration="PT10S")", fmt::format("<Period>{}</Period>", sets)));
  };
  const auto ids = [](const Mpd& mpd) {
    std::vector<std::string> all;
    for (const Representation& one : mpd.periods.at(0).sets.at(0).representations) all.push_back(one.id);
    return all;
  };
  const Mpd both = read(sequences("") + std::string{kWhole});
  EXPECT_THAT(both.periods.at(0).sets, SizeIs(1));
  EXPECT_THAT(ids(both), ElementsAre("w"));
  EXPECT_THAT(both.left_out, ElementsAre("line 2, Period[0]/AdaptationSet[0]: its segments are sequences, and another "
                                         "set has whole ones"));

  const Mpd anew = read(sequences(R"(<SegmentSequenceProperties sapType="1" cadence="1"/>)"));
  EXPECT_THAT(ids(anew), ElementsAre("h", "l"));
  for (const char* properties : {"", R"(<SegmentSequenceProperties sapType="1" cadence="4"/>)",
                                 R"(<SegmentSequenceProperties sapType="0" cadence="1"/>)"}) {
    const Mpd dependent = read(sequences(properties));
    EXPECT_THAT(ids(dependent), ElementsAre("l"));
    EXPECT_THAT(dependent.left_out,
                ElementsAre("line 3, Period[0]/AdaptationSet[0]/Representation[0]: its segments are "
                            "sequences, within which no quality can follow another"));
  }
}

TEST(MpdReader, AFaultyElementIsLeftOutWhereOthersOfItsKindRemain) {
  const Mpd mpd = read_mpd(mpd_text(R"(mediaPresentationDuration="PT10S")", R"(<Period>
<AdaptationSet mimeType="video/mp4"><SegmentTemplate media="$Number$" duration="2"/>
<Representation id="a"><SegmentBase indexRange="9-3"/></Representation><Representation id="b"/></AdaptationSet>
<AdaptationSet mimeType="video/mp4"><SegmentTemplate media="$Foo$" duration="2"/><Representation id="c"/></AdaptationSet>
<AdaptationSet contentType="text"><Representation id="d"><SegmentTemplate/></Representation></AdaptationSet>
</Period>)"));
  ASSERT_THAT(mpd.periods.at(0).sets, SizeIs(1));
  EXPECT_EQ(first_representation(mpd).id, "b");
  EXPECT_THAT(
      mpd.left_out,
      ElementsAre("line 4, Period[0]/AdaptationSet[0]/Representation[0]/SegmentBase: \"indexRange\" is 9-3, not a "
                  "range of bytes such as 0-999",
                  "line 5, Period[0]/AdaptationSet[1]/SegmentTemplate: \"media\" has an unknown $Foo$",
                  "line 6, Period[0]/AdaptationSet[2]/Representation[0]: its SegmentTemplate has no \"media\""));
}

TEST(MpdReader, AnIndexOfWebmIsNotRead) {
  constexpr std::string_view kIndexed = R"(<Representation id="a"><SegmentBase indexRange="9-99"/></Representation>)";
  EXPECT_THAT(refusal_of(set_text("mimeType=\"video/webm\"", kIndexed)), HasSubstr("only a sidx is read"));
  EXPECT_EQ(refusal_of(set_text("mimeType=\"video/mp4\"", kIndexed)), "accepted");
}

TEST(MpdReader, AFaultThatLeavesNoPictureOrNoSoundIsRefused) {
  const auto refused = [](std::string_view faulty, std::string_view sound) {
    return refusal_of(
        mpd_text(R"(mediaPresentationDuration="PT10S")",
                 fmt::format("<Period>\n<AdaptationSet {}><Representation id=\"a\" {}>"
                             "<SegmentBase indexRange=\"9-3\"/></Representation></AdaptationSet>\n{}</Period>",
                             faulty, sound,
                             R"(<AdaptationSet mimeType="text/vtt"><Representation/></AdaptationSet>
<AdaptationSet mimeType="video/mp4"><EssentialProperty schemeIdUri="http://dashif.org/guidelines/trickmode"/>
<Representation/></AdaptationSet>)")));
  };
  EXPECT_THAT(refused("contentType=\"video\"", ""), HasSubstr("line 3, Period[0]/AdaptationSet[0]/Representation[0]/"));
  EXPECT_THAT(refused("", "mimeType=\"audio/mp4\""), HasSubstr("AdaptationSet[0]/Representation[0]/"));
  EXPECT_EQ(refused("contentType=\"text\"", ""), "accepted");
  EXPECT_EQ(refused("", ""), "accepted");
}

TEST(MpdReader, KnownEssentialPropertiesAreMarked) {
  const AdaptationSet trick = set_of(R"(mimeType="video/mp4")", R"(
    <EssentialProperty schemeIdUri="http://dashif.org/guidelines/trickmode" value="1"/><Representation id="t"/>)");
  EXPECT_TRUE(trick.trick_mode);
  const AdaptationSet thumbnails = set_of(R"(mimeType="image/jpeg")", R"(<Representation id="t">
    <EssentialProperty schemeIdUri="http://dashif.org/guidelines/thumbnail_tile" value="10x20"/></Representation>)");
  EXPECT_FALSE(thumbnails.trick_mode);
  EXPECT_EQ(thumbnails.kind, MediaKind::kImage);
  EXPECT_EQ(thumbnails.representations.at(0).tiles, (Tiles{10, 20}));
  const AdaptationSet bright = set_of(R"(mimeType="video/mp4")", R"(
    <EssentialProperty schemeIdUri="urn:mpeg:mpegB:cicp:TransferCharacteristics" value="16"/>
    <Representation id="t"/>)");
  EXPECT_FALSE(bright.trick_mode);
}

TEST(MpdReader, ElementsThatStandElsewhere) {
  const auto with = [](std::string_view period) {
    return mpd_text(R"(mediaPresentationDuration="PT10S" xmlns:xlink="http://www.w3.org/1999/xlink")",
                    fmt::format("<Period id=\"first\" start=\"PT0S\"/>\n{}", period));
  };
  EXPECT_THAT(read_mpd(with(R"(<Period xlink:href="urn:mpeg:dash:resolve-to-zero:2013"/>)")).periods, SizeIs(1));
  EXPECT_THAT(
      read_mpd(with(R"(<Period xlink:href="https://x.example/p" start="PT5S"><AdaptationSet/></Period>)")).periods,
      SizeIs(2));
  EXPECT_EQ(refusal_of(with(R"(<Period xlink:href="https://x.example/p"/>)")),
            "line 3, Period[1]: it stands elsewhere, at https://x.example/p, and is not fetched from there");
}

TEST(MpdReader, EachFaultIsNamedWithItsPlace) {
  const auto refused = [](std::string_view addressing) { return refusal_of(static_text(addressing)); };
  const std::string at = "line 5, Period[0]/AdaptationSet[0]/SegmentTemplate";
  EXPECT_EQ(refused(R"(<SegmentTemplate media="a.m4s" duration="2"/>)"), at + ": \"media\" has no $Number$ or $Time$");
  EXPECT_EQ(refused(R"(<SegmentTemplate media="$Foo$" duration="2"/>)"), at + ": \"media\" has an unknown $Foo$");
  EXPECT_EQ(refused(R"(<SegmentTemplate media="$Number$" duration="0"/>)"),
            at + ": \"duration\" is 0, not a whole number from 1 to 1152921504606846976");
  EXPECT_EQ(refused(R"(<SegmentTemplate media="$Number$" duration="2" timescale="0"/>)"),
            at + ": \"timescale\" is 0, not a whole number from 1 to 1000000000");
  EXPECT_EQ(refused(R"(<SegmentTemplate media="$Number$" duration="-2"/>)"),
            at + ": \"duration\" is -2, not a whole number from 1 to 1152921504606846976");
  EXPECT_EQ(refused(R"(<SegmentTemplate media="$Number$" duration="99999999999999999999"/>)"),
            at + ": \"duration\" is 99999999999999999999, not a whole number from 1 to 1152921504606846976");
  EXPECT_EQ(refused(R"(<SegmentTemplate media="$Number$" duration="2" initialization="$Time$.mp4"/>)"),
            at + ": \"initialization\" has a $Number$, $Time$ or $SubNumber$");
  EXPECT_EQ(refused(R"(<SegmentTemplate duration="2"/>)"),
            "line 4, Period[0]/AdaptationSet[0]/Representation[0]: its SegmentTemplate has no \"media\"");
  EXPECT_EQ(refused("<SegmentList duration=\"2\"/>"),
            "line 4, Period[0]/AdaptationSet[0]/Representation[0]: its SegmentList has no SegmentURL");
  EXPECT_EQ(refused(R"(<SegmentList><SegmentURL media="a"/><SegmentURL media="b"/></SegmentList>)"),
            "line 4, Period[0]/AdaptationSet[0]/Representation[0]: its SegmentList has neither \"duration\" nor "
            "SegmentTimeline");
  EXPECT_EQ(
      refused(R"(<SegmentBase indexRange="9-3"/>)"),
      "line 5, Period[0]/AdaptationSet[0]/SegmentBase: \"indexRange\" is 9-3, not a range of bytes such as 0-999");
  for (const char* const range : {"", "5", "-5", "a-b", "0-9223372036854775807", "1--1"}) {
    EXPECT_THAT(refused(fmt::format("<SegmentBase indexRange=\"{}\"/>", range)), HasSubstr("not a range of bytes"));
  }
}

TEST(MpdReader, AValueThatOnlyHelpsRefusesNothing) {
  const auto accepted = [](std::string_view attributes, std::string_view set) {
    return refusal_of(mpd_text(attributes, fmt::format("<Period><AdaptationSet mimeType=\"video/mp4\"><Representation "
                                                       "{}/></AdaptationSet></Period>",
                                                       set)));
  };
  for (const char* const attributes :
       {"type=\"live\"", "type=\"\"", "minBufferTime=\"\"", "minBufferTime=\"2 s\"", "publishTime=\"now\"",
        "availabilityStartTime=\"\"", "availabilityEndTime=\"never\"", "suggestedPresentationDelay=\"-PT1S\"",
        "timeShiftBufferDepth=\"all\"", "mediaPresentationDuration=\"unknown\"", "profiles=\"\""})
    EXPECT_EQ(accepted(attributes, ""), "accepted") << attributes;
  for (const char* const set : {"bandwidth=\"\"", "bandwidth=\"high\"", "bandwidth=\"-1\"", "bandwidth=\"300000.5\"",
                                "width=\"0\"", "height=\"auto\"", "frameRate=\"30/1.001\"", "frameRate=\"\"",
                                "audioSamplingRate=\"48 kHz\"", "mimeType=\"\"", "codecs=\"\""})
    EXPECT_EQ(accepted("", set), "accepted") << set;
}

TEST(MpdReader, ATextOfUtf16IsRead) {
  std::string text;
  for (const char c : "<?xml version='1.0' encoding='UTF-16'?>" + mpd_text("", "<Period id='p'/>")) {
    text += c;
    text += '\0';
  }
  EXPECT_TRUE(looks_like_mpd("\xff\xfe" + text));
  EXPECT_EQ(read_mpd("\xff\xfe" + text).periods.at(0).id, "p");
}

TEST(MpdReader, NumbersWithDecimalsAreTheNearestWholeOnes) {
  const Mpd mpd = read_mpd(
      static_text(R"(<SegmentTemplate media="$Number$" duration="2000.0" timescale="1e3" startNumber="1.0"/>)"));
  const auto& times = std::get<TemplateAddressing>(mpd.periods[0].sets[0].representations[0].addressing).times;
  EXPECT_EQ(times.duration, 2000);
  EXPECT_EQ(times.timescale, 1000u);
  EXPECT_EQ(times.start_number, 1);
}

TEST(MpdReader, ASegmentWithoutLengthIsPassedOver) {
  const Mpd mpd = read_mpd(static_text(
      R"(<SegmentTemplate media="$Number$" duration="0"><SegmentTimeline><S t="0" d="5" r="7"/><S d="0"/></SegmentTimeline></SegmentTemplate>)"));
  const auto& times = std::get<TemplateAddressing>(mpd.periods[0].sets[0].representations[0].addressing).times;
  EXPECT_EQ(*times.timeline, (Timeline{{.start = 0, .duration = 5, .count = 8}}));
}

TEST(MpdReader, FaultsOfTimelinesAreNamedWithTheirPlace) {
  const auto refused = [](std::string_view entries) {
    return refusal_of(static_text(fmt::format(
        "<SegmentTemplate media=\"$Time$\"><SegmentTimeline>\n{}</SegmentTimeline></SegmentTemplate>", entries)));
  };
  const std::string at = "line 6, Period[0]/AdaptationSet[0]/SegmentTemplate/SegmentTimeline/S";
  EXPECT_EQ(refused("<S t=\"0\"/>"), at + "[0]: \"d\" is missing");
  EXPECT_EQ(refused("<S d=\"-1\"/>"), at + "[0]: \"d\" is -1, not a whole number from 0 to 1152921504606846976");
  EXPECT_EQ(refused("<S t=\"5\" d=\"5\"/><S t=\"4\" d=\"1\"/>"), at + "[1]: \"t\" is not after the S before it");
  EXPECT_EQ(refused("<S t=\"0\" d=\"5\" r=\"2\"/><S t=\"10\" d=\"1\"/>"),
            at + "[1]: \"t\" is not after the segment before it");
  EXPECT_EQ(refused("<S d=\"5\" r=\"-1\"/><S d=\"1\"/>"),
            at + "[1]: \"t\" is missing, after an S that repeats without a number");
  EXPECT_EQ(refused("<S d=\"1\" r=\"200000\"/>"), at + "[0]: more than 200000 segments");
  EXPECT_EQ(refused("<S d=\"1\" r=\"100000\"/><S d=\"1\" r=\"100000\"/>"), at + "[1]: more than 200000 segments");
  EXPECT_EQ(refused("<S d=\"1\" r=\"-1\"/><S t=\"1000000000000\" d=\"1\"/>"), at + "[1]: more than 200000 segments");
  EXPECT_EQ(refused("<S d=\"1000000000000000000\" r=\"9\"/>"), at + "[0]: its end is beyond all times");
  EXPECT_EQ(refused("<S p=\"1\"/>"), at + "[0]: no Pattern has the id 1");
  const std::string pattern = "<Pattern id=\"1\"><P d=\"5\" r=\"1\"/></Pattern>";
  EXPECT_EQ(refused(pattern + "<S p=\"1\" pE=\"2\"/>"), at + "[0]: \"pE\" is 2, not a whole number from 0 to 1");
  EXPECT_EQ(refused(pattern + "<S p=\"1\" r=\"-1\"/>"), at + "[0]: it repeats a Pattern without end");
  EXPECT_EQ(refused(pattern + "<S p=\"1\" r=\"200000\"/>"), at + "[0]: it repeats a Pattern without end");
  EXPECT_EQ(refused(pattern + "<S p=\"1\"/><S p=\"1\" r=\"199999\"/>"), at + "[1]: more than 200000 segments");
  EXPECT_THAT(refused("<Pattern id=\"1\"/>"), HasSubstr("Pattern[0]: it has no P"));
  EXPECT_THAT(refused("<Pattern id=\"1\"><P/></Pattern>"), HasSubstr("Pattern[0]/P[0]: \"d\" is missing"));
}

TEST(MpdReader, FaultsOfTheMpdAreNamedWithTheirPlace) {
  EXPECT_EQ(refusal_of("<MPD>\n<Period start=\"PT0S\" start2=\"\"/>\n<Period start=\"1\"/></MPD>"),
            "line 3, Period[1]: \"start\" is 1, not a time such as PT1H2M3.5S, of 100 years at the most");
  EXPECT_EQ(refusal_of("<MPD type=\"dynamic\" availabilityStartTime=\"now\"/>"),
            "line 1, MPD: \"availabilityStartTime\" is now, not a date and time such as 2026-01-02T03:04:05Z");
  EXPECT_EQ(refusal_of("<MPD/>"), "line 1, MPD: it has no Period");
  EXPECT_EQ(refusal_of("<Patch/>"), "line 1, MPD: the root element is no MPD");
  EXPECT_EQ(refusal_of("<MPD>\n<Period id=\"" + std::string(1'025, 'x') + "\"/></MPD>"),
            "line 2, Period[0]: \"id\" is longer than 1024 bytes");
  EXPECT_EQ(refusal_of("<MPD>\n<BaseURL>" + std::string(8'193, 'x') + "</BaseURL></MPD>"),
            "line 2, BaseURL[0]: it is longer than 8192 bytes");
  for (const auto names :
       {R"(media="$RepresentationID$$Number$")", R"(media="$Number$" initialization="$RepresentationID$")"}) {
    EXPECT_EQ(
        refusal_of(set_text("", fmt::format(R"(<Representation/><SegmentTemplate {} duration="2"/>)", names))),
        "line 4, Period[0]/AdaptationSet[0]/Representation[0]: \"id\" is missing, which the names of segments need");
  }
  for (const auto* const stated : {"", "bandwidth=\"\"", "bandwidth=\"fast\"", "bandwidth=\"-1\""}) {
    EXPECT_EQ(refusal_of(set_text("", fmt::format(R"(<Representation id="v" {}/><SegmentTemplate media="$Number$"
                                                    initialization="$Bandwidth$" duration="2"/>)",
                                                  stated))),
              "line 4, Period[0]/AdaptationSet[0]/Representation[0]: \"bandwidth\" states no number, and the names of "
              "segments need one for $Bandwidth$");
  }
  EXPECT_EQ(
      refusal_of(set_text("", "<Representation id=\"\x1b[1m\"><SegmentBase timescale=\"\x1b\"/></Representation>")),
      "line 4, Period[0]/AdaptationSet[0]/Representation[0]/SegmentBase: \"timescale\" is \\x1b, not a whole number "
      "from 1 to 1000000000");
}

TEST(MpdReader, TextsThatAreNoXmlAreNamedWithTheirPlace) {
  EXPECT_THAT(refusal_of(""), HasSubstr("line 1, column 1: this is not XML: "));
  EXPECT_THAT(refusal_of("<MPD>\n<Period>\n</MPD>"), HasSubstr("line 3, column "));
}

TEST(MpdReader, AttributesMayLackTheBlankBetweenThem) {
  // As in content of livesim2; Go's reader accepts this, pugixml does not.
  const Mpd mpd = read_mpd(
      "<?xml version=\"1.0\"?><!-- a=\"1\"b=\"2\" --><MPD type='static'id=\"a>b\"x=\"\">\n"
      "<BaseURL><![CDATA[<a=\"1\"b=\"2\"]]></BaseURL><Period id=\"1\"start=\"PT5S\"/></MPD>");
  EXPECT_EQ(mpd.base_urls.at(0).url, "<a=\"1\"b=\"2\"");
  EXPECT_EQ(mpd.periods.at(0).start, 5s);
  EXPECT_EQ(mpd.periods.at(0).place, "line 2, Period[0]");
  EXPECT_EQ(refusal_of("<MPD id=\"1\"type=\"static\">\n<Period start=\"1\"id=\"p\"/></MPD>"),
            "line 2, Period[0]: \"start\" is 1, not a time such as PT1H2M3.5S, of 100 years at the most");
  for (const std::string_view text :
       {"<MPD a=\"1\"b", "<MPD a=\"1\"b=\"", "<MPD a=\"1\"b=2><", "<MPD a=\"1\"b=\"\"><!--"}) {
    EXPECT_THAT(refusal_of(std::string{text}), HasSubstr("line 1, column ")) << text;
  }
}

TEST(MpdReader, HostileTextsAreRefused) {
  EXPECT_EQ(refusal_of(std::string(kMostText + 1, ' ')), "it has more than 16777216 bytes");
  EXPECT_EQ(refusal_of(std::string(kMostTags + 1, '<')), "it has more than 2000000 tags");
  std::string text;
  for (std::size_t i = 0; i <= kMostPeriods; ++i) text += "<Period start=\"PT0S\"/>\n";
  EXPECT_EQ(refusal_of(mpd_text("", text)), "line 1002, Period[1000]: more than 1000 periods");
  text.clear();
  for (std::size_t i = 0; i <= kMostSets; ++i) text += "<AdaptationSet/>\n";
  EXPECT_EQ(refusal_of(mpd_text("", "<Period>\n" + text + "</Period>")),
            "line 1003, Period[0]/AdaptationSet[1000]: more than 1000 sets in one period");
  text.clear();
  for (std::size_t i = 0; i <= kMostRepresentations; ++i) text += "<Representation/>\n";
  EXPECT_THAT(refusal_of(set_text("", text)), EndsWith("Representation[20000]: more than 20000 representations"));
  text.clear();
  for (std::size_t i = 0; i < 2'000; ++i) text += "<SupplementalProperty schemeIdUri=\"urn:x\"/>\n";
  for (std::size_t i = 0; i <= 10'000; ++i) text += "<Representation/>\n";
  EXPECT_THAT(refusal_of(set_text("", text)), EndsWith("what it inherits takes too much memory"));
  text.clear();
  for (int i = 0; i < 100'000; ++i) text += fmt::format("<ContentProtection schemeIdUri=\"{}\"/>", i);
  EXPECT_THAT(refusal_of(set_text("", text)), EndsWith("more than 32 kinds of ContentProtection"));
  text.clear();
  for (int i = 0; i < 500'000; ++i) text += "<a>";
  EXPECT_THAT(refusal_of("<MPD>" + text), HasSubstr("this is not XML"));
  std::string deep = text;
  for (int i = 0; i < 500'000; ++i) deep += "</a>";
  EXPECT_EQ(refusal_of("<MPD>" + deep + "<Period start=\"PT0S\"/></MPD>"), "accepted");
}

TEST(MpdReader, EntitiesAreNotExpanded) {
  const Mpd mpd = read_mpd(R"(<!DOCTYPE MPD [<!ENTITY a "aaaaaaaaaa"><!ENTITY b SYSTEM "file:///etc/passwd">]>
<MPD><BaseURL>&a;&b;&amp;</BaseURL><Period start="PT0S"/></MPD>)");
  EXPECT_EQ(mpd.base_urls.at(0).url, "&a;&b;&");
}

TEST(LooksLikeMpd, ByTheRootElement) {
  EXPECT_TRUE(looks_like_mpd("<MPD>"));
  EXPECT_TRUE(
      looks_like_mpd("\xef\xbb\xbf  <?xml version=\"1.0\"?>\n<!-- <html> -->\r\n<!DOCTYPE MPD>\n<MPD\nxmlns=\"x\""));
  EXPECT_TRUE(looks_like_mpd("<ns1:MPD xmlns:ns1=\"x\""));
  for (const char* const text : {"", "MPD", "<MPD", "<MPDX>", "<html><MPD>", "#EXTM3U", "{\"format\"", "<!-- <MPD>",
                                 "<?xml", "<Patch>", "<a:b:MPD>"}) {
    EXPECT_FALSE(looks_like_mpd(text)) << text;
  }
}

}  // namespace
}  // namespace tributary::dash
