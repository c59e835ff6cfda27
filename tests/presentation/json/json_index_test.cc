#include "presentation/json/json_index.hh"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <ctime>
#include <fstream>
#include <iterator>
#include <limits>
#include <nlohmann/json.hpp>
#include <random>

#include "refusal.hh"
#include "units/split_mix.hh"

namespace tributary {
namespace {

using namespace literals;
using namespace std::chrono_literals;
using nlohmann::json;
using ::testing::HasSubstr;
using ::testing::StartsWith;

Track picture(const std::string& id, DataRate rate) {
  Track track;
  track.id = id;
  track.group = "video";
  track.codec = "avc1.64001e";
  track.mime = "video/mp4";
  track.timescale = 12800;
  track.offset = 1024;
  track.width = 640;
  track.height = 360;
  track.frame_rate_num = 25;
  track.color = ColorCodes{9, 16, 9};
  track.bitrate = {rate, 2 * rate, rate, 1.5 * rate};
  track.init = Resource{id + "/init.mp4", {0_B, 742_B}, true};
  track.uri = id + "/{n:05}.m4s";
  track.durations = {25600, 25600, 25600, 9216};
  track.sizes = {180_kB, 190_kB, 170_kB, 60_kB};
  track.frames = id + "/frames.json";
  return track;
}

Track sound() {
  Track track;
  track.id = "audio";
  track.kind = TrackKind::kAudio;
  track.group = "audio";
  track.codec = "mp4a.40.2";
  track.mime = "audio/mp4";
  track.timescale = 48000;
  track.offset = 3840;
  track.sample_rate = 48000;
  track.channels = 2;
  track.label = {"nb", "Kommentar: \"alle\" <to>", {TrackRole::kDub, TrackRole::kCommentary}};
  track.bitrate = {128_kbps, 130_kbps, 127_kbps, 129_kbps};
  track.init = Resource{"sound.mp4", {100_B, 700_B}, false};
  track.uri = "sound.mp4";
  track.durations = {96256, 95232, 96256, 34816};
  track.sizes = {31_kB, 30_kB, 31_kB, 11_kB};
  track.file_offsets = {700_B, 31700_B, 70000_B, 101_kB};
  return track;
}

Presentation football() {
  Presentation presentation;
  presentation.title = "Fjord \"Blå\"";
  presentation.chapters = {{{}, "Kick-off"}, {61500ms, ""}};
  presentation.generator = "a test";
  presentation.hls = "master.m3u8";
  presentation.sheets = ThumbnailSheets{.uri = "thumbnails/{n:05}.jpg",
                                        .columns = 5,
                                        .rows = 4,
                                        .width = 160,
                                        .height = 90,
                                        .timescale = 12800,
                                        .ticks = 76800,
                                        .pictures = 27,
                                        .sizes = {90_kB, 30_kB}};
  presentation.tracks = {picture("low", 750_kbps), picture("high", 2150_kbps), sound()};
  return presentation;
}

std::string text_of(const Presentation& presentation) {
  return write_index(presentation, "2026-01-02T03:04:05Z", "2026-01-02T03:04:06Z");
}

/// The football index, changed at one JSON pointer; null takes the member away.
std::string changed(const std::string& pointer, const json& value) {
  json document = json::parse(text_of(football()));
  document[json::json_pointer{pointer}] = value;
  return document.dump();
}

std::string refusal(const std::string& text) {
  return refusal_of<IndexError>(text, [](const std::string& index) { read_index(index); });
}

TEST(JsonIndex, WhatIsWrittenReadsBack) {
  EXPECT_EQ(read_index(text_of(football())), football());
  Presentation live = football();
  live.live = LiveWindow{*utc_from("2026-01-02T03:04:05.678Z"), 30, 10, 2, std::chrono::milliseconds{61250}};
  live.complete = false;
  live.nominal_segment_seconds = 2.002;
  for (Track& track : live.tracks) {
    track.durations.clear();
    track.sizes.clear();
    track.file_offsets.clear();
    track.uri = track.id + "{n}";
    track.first_number = 897616784;
    track.start = 897616784ull * 2 * track.timescale;
  }
  EXPECT_EQ(read_index(text_of(live)), live);
}

/// Anything that a presentation may be, mostly at the bounds.
Presentation any_presentation(SplitMix& random) {
  constexpr auto kMost = std::numeric_limits<std::int64_t>::max();
  const auto up_to = [&](std::int64_t most) {
    const auto some = static_cast<std::int64_t>(random.next() >> (1 + random.below(63)));
    return random.below(4) == 0 ? most : some % (most == kMost ? most : most + 1);
  };
  const auto any_rate = [&] { return DataRate::bits_per_second(std::pow(10, 60 * random.uniform() - 20)); };
  const std::size_t segments = random.below(5);
  Presentation presentation = football();
  presentation.complete = false;
  presentation.nominal_segment_seconds = random.below(2) == 0 ? 9e9 : std::pow(10, 300 * random.uniform() - 301);
  presentation.title = presentation.generator = "\x1b\"\xff";
  for (Track& track : presentation.tracks) {
    track.timescale = static_cast<std::uint32_t>(std::max<std::int64_t>(1, up_to(0xffffffff)));
    track.offset = 0;
    track.label.language = random.below(2) == 0 ? "\xff\xfe" : "nb\n";
    track.bitrate = {any_rate(), any_rate(), any_rate(), any_rate()};
    track.sizes.assign(segments, DataSize{std::max<std::int64_t>(1, up_to(256'000'000))});
    track.first_number = static_cast<std::uint64_t>(up_to(kMost - static_cast<std::int64_t>(segments)));
    const auto longest = static_cast<std::int64_t>(std::min(9e9 * track.timescale, 9.2e18)) / 5;
    track.durations.assign(segments, static_cast<std::uint64_t>(std::max<std::int64_t>(1, up_to(longest))));
    track.file_offsets.clear();
    track.uri = track.id + "/{n:05}.m4s";
  }
  presentation.tracks[1].timescale = presentation.tracks[0].timescale;  // they are of one group
  presentation.tracks[1].durations = presentation.tracks[0].durations;
  return presentation;
}

TEST(JsonIndex, WhateverIsWrittenReadsBack) {
  constexpr std::uint64_t kSeed = 14;
  SCOPED_TRACE(kSeed);
  SplitMix random{kSeed};
  for (int i = 0; i < 2000; ++i) {
    const Presentation presentation = any_presentation(random);
    const std::string text = text_of(presentation);
    const Presentation read = read_index(text);
    ASSERT_EQ(text_of(read), text) << i;
    for (std::size_t t = 0; t < read.tracks.size(); ++t) {
      ASSERT_EQ(read.tracks[t].sizes, presentation.tracks[t].sizes) << text;
      ASSERT_EQ(read.tracks[t].durations, presentation.tracks[t].durations) << text;
      ASSERT_EQ(read.tracks[t].first_number, presentation.tracks[t].first_number) << text;
    }
  }
}

TEST(JsonIndex, RolesThatAreNotKnownArePassedOver) {
  const Presentation presentation = read_index(changed("/tracks/2/roles", {"karaoke", "commentary", "dub", "dub"}));
  EXPECT_EQ(presentation.tracks[2].label.roles, (std::vector{TrackRole::kDub, TrackRole::kCommentary}));
  EXPECT_THAT(refusal(changed("/tracks/2/roles", {1})), StartsWith("tracks[2].roles[0]"));
  EXPECT_THAT(refusal(changed("/tracks/2/name", "")), StartsWith("tracks[2].name"));
}

TEST(JsonIndex, ALiveWindowHasToAgreeWithItsTracks) {
  Presentation live = football();
  live.live = LiveWindow{*utc_from("2026-01-02T03:04:05Z"), 30, 10, 0};
  for (Track& track : live.tracks) {
    track.first_number = 7;
    track.file_offsets.clear();
    track.uri = track.id + "{n}";
  }
  EXPECT_EQ(read_index(text_of(live)), live);
  const auto with = [&](const json& change) {
    json document = json::parse(text_of(live));
    document.merge_patch(change);
    return refusal(document.dump());
  };
  EXPECT_THAT(with({{"live", {{"stretchStart", -1}}}}), StartsWith("live.stretchStart: -1 is not milliseconds"));
  EXPECT_EQ(with({{"live", {{"last", 11}}}}), "live.last: 11 is not the number of the last segment of tracks[0], 10");
  EXPECT_THAT(with({{"live", {{"first", 6}}}}), HasSubstr("live.first: 6"));
  EXPECT_THAT(with({{"live", {{"availabilityStartTime", "yesterday"}}}}), StartsWith("live.availabilityStartTime"));
  EXPECT_THAT(with({{"live", {{"windowSegments", 0}}}}), StartsWith("live.windowSegments"));
  EXPECT_EQ(with({{"live", nullptr}}), "\"live\" is missing");
  live.tracks[1].first_number = 8;
  EXPECT_THAT(refusal(text_of(live)), StartsWith("tracks[1].first"));
  live.own_grids = true;
  EXPECT_EQ(read_index(text_of(live)), live) << "cut at other places, a track has other numbers";
}

TEST(JsonIndex, SwitchPointsReadBack) {
  Presentation presentation = football();
  presentation.tracks[0].continues = {false, true, true, false};
  EXPECT_EQ(read_index(text_of(presentation)), presentation);
  EXPECT_EQ(json::parse(text_of(presentation))["tracks"][0]["switchPoints"], json::parse("[0, 3]"));
  EXPECT_THAT(refusal(changed("/tracks/0/switchPoints", {1})), StartsWith("tracks[0].switchPoints[0]: "));
  EXPECT_THAT(refusal(changed("/tracks/0/switchPoints", {0, 4})), StartsWith("tracks[0].switchPoints[1]: 4"));
  EXPECT_THAT(refusal(changed("/tracks/0/switchPoints", {0, 2, 2})), StartsWith("tracks[0].switchPoints[2]: 2"));
  EXPECT_THAT(refusal(changed("/tracks/0/switchPoints", json::array())), StartsWith("tracks[0].switchPoints: "));
}

TEST(JsonIndex, PlainBytesNeedNoFormat) {
  Presentation presentation = football();
  presentation.tracks.resize(1);
  Track& track = presentation.tracks[0];
  track.kind = TrackKind::kData;
  track.codec = track.mime = "";
  track.init.reset();
  track.width = track.height = track.frame_rate_num = 0;
  track.color.reset();
  EXPECT_EQ(read_index(text_of(presentation)), presentation);
}

TEST(JsonIndex, TheExampleInTheDocumentIsTrue) {
  std::ifstream file{INDEX_FORMAT_DOCUMENT};
  const std::string document{std::istreambuf_iterator<char>{file}, {}};
  const std::size_t begin = document.find("```json\n") + 8;
  const Presentation example = read_index(document.substr(begin, document.find("```", begin) - begin));
  EXPECT_EQ(example.tracks.size(), 2u);
}

TEST(JsonIndex, DurationsAreWrittenAsRuns) {
  EXPECT_EQ(json::parse(text_of(football()))["tracks"][0]["durations"], json::parse("[[25600,3],[9216,1]]"));
}

TEST(JsonIndex, SegmentsAreFoundWhereTheIndexSaysTheyAre) {
  const Presentation presentation = read_index(text_of(football()));
  EXPECT_EQ(presentation.tracks[0].segment(SegmentIndex{3}), (Resource{"low/00004.m4s", {0_B, 60_kB}, true}));
  EXPECT_EQ(presentation.tracks[0].duration(SegmentIndex{3}), 720ms);
  EXPECT_EQ(presentation.find_track("audio")->segment(SegmentIndex{2}),
            (Resource{"sound.mp4", {70000_B, 101_kB}, false}));
}

TEST(JsonIndex, UnknownFieldsArePassedOver) {
  EXPECT_EQ(read_index(changed("/tracks/0/qp", {1, 2, 3})), football());
  EXPECT_EQ(read_index(changed("/live", {{"first", 3}})), football());
}

TEST(JsonIndex, ImpossibleValuesAreRefusedAtTheirPlace) {
  const std::vector<Refusal> refusals = {
      {"/tracks/0/frames", "../frames.json", "tracks[0].frames: the name must be a path below the index"},
      {"/format", "mpd", "format: not \"tributary-index\""},
      {"/format", 1, "format: 1 is not a text"},
      {"/version", 2, "version: 2 is not a version that is known"},
      {"/version", "1", "version: \"1\" is not a version"},
      {"/type", "radio", "type: neither"},
      {"/complete", 1, "complete: 1 is not true or false"},
      {"/segmentDuration", 0, "segmentDuration: not a duration"},
      {"/segmentDuration", -2, "segmentDuration: not a duration"},
      {"/segmentDuration", "2", "segmentDuration: \"2\" is not a number"},
      {"/manifests/hls", "../master.m3u8", "manifests.hls: the name must be a path below the index"},
      {"/manifests/dash", "http://x/y", "manifests.dash: character 5"},
      {"/tracks", json::array(), "tracks: there is no track"},
      {"/tracks", "low", "tracks: \"low\" is not an array"},
      {"/tracks/1", 7, "tracks[1]: 7 is not an object"},
      {"/tracks/1/id", "low", "tracks[1].id: tracks[0] is called \"low\", too"},
      {"/tracks/1/id", "", "tracks[1].id: the name is empty"},
      {"/tracks/1/id", "..", "tracks[1].id: the name must"},
      {"/tracks/1/id", "a/b", "tracks[1].id: an id has no"},
      {"/tracks/1/kind", "smell", "tracks[1].kind: \"smell\" is not one of"},
      {"/tracks/1/group", "", "tracks[1].group: the name is empty"},
      {"/tracks/1/group", "audio", "tracks[2].kind: differs from tracks[1]"},
      {"/tracks/1/codec", "", "tracks[1].codec: the name is empty"},
      {"/tracks/1/timescale", 0, "tracks[1].timescale: 0 is not a timescale"},
      {"/tracks/1/timescale", -90000, "tracks[1].timescale: -90000 is not a timescale"},
      {"/tracks/1/timescale", 4294967296, "tracks[1].timescale: 4294967296 is not a timescale"},
      {"/tracks/1/timescale", 12801, "tracks[1].timescale: differs from tracks[0]"},
      {"/tracks/1/offset", -1, "tracks[1].offset: -1 is not an offset"},
      {"/tracks/1/offset", 1100, "tracks[1].offset: differs from tracks[0]"},
      {"/tracks/1/width", 0, "tracks[1].width: 0 is not a width"},
      {"/tracks/1/height", 2147483648, "tracks[1].height: 2147483648 is not a height"},
      {"/tracks/1/frameRate", {25}, "tracks[1].frameRate: a frame rate is"},
      {"/tracks/1/frameRate", {25, 0}, "tracks[1].frameRate[1]: 0 is not a denominator"},
      {"/tracks/1/color", {9, 16}, "tracks[1].color: colours are [primaries, transfer, matrix]"},
      {"/tracks/1/color", {9, 256, 9}, "tracks[1].color[1]: 256 is not a code of ISO/IEC 23091-2"},
      {"/tracks/2/sampleRate", 0, "tracks[2].sampleRate: 0 is not a sample rate"},
      {"/tracks/2/channels", 0.5, "tracks[2].channels: 0.5 is not a number of channels"},
      {"/tracks/1/bitrate/peak", 0, "tracks[1].bitrate.peak: 0 is not a rate"},
      {"/tracks/1/init/uri", "/etc/passwd", "tracks[1].init.uri: the name must"},
      {"/tracks/1/init/bytes", 0, "tracks[1].init.bytes: 0 is not a size"},
      {"/tracks/2/init/offset", -1, "tracks[2].init.offset: -1 is not an offset"},
      {"/tracks/2/init/offset", INT64_MAX, "tracks[2].init.offset: 9223372036854775807 is not an offset"},
      {"/tracks/1/uri", "low/{n:5}.m4s", "tracks[1].uri: {n:5} is neither"},
      {"/tracks/1/uri", "low.m4s", "tracks[1].uri: the name has no {n}"},
      {"/tracks/1/uri", "../{n}", "tracks[1].uri: the name must"},
      {"/tracks/2/uri", "{n}.mp4", "tracks[2].uri: character 1"},
      {"/tracks/1/first", -1, "tracks[1].first: -1 is not a segment number"},
      {"/tracks/1/first", INT64_MAX, "tracks[1].first: 9223372036854775807 is not a segment number"},
      {"/tracks/1/start", -1, "tracks[1].start: -1 is not a time"},
      {"/tracks/1/start", 5, "tracks[1].start: differs from tracks[0]"},
      {"/tracks/1/start", INT64_MAX, "tracks[1].durations[0]: start and durations add up to more"},
      {"/tracks/1/bytes", {1, 2, 3}, "tracks[1].durations[1]: more durations than the 3 segments"},
      {"/tracks/2/bytes/1", -5, "tracks[2].bytes[1]: -5 is not a size"},
      {"/tracks/2/bytes/1", 0, "tracks[2].bytes[1]: 0 is not a size"},
      {"/tracks/2/bytes/1", 1.5, "tracks[2].bytes[1]: 1.5 is not a size"},
      {"/tracks/2/bytes/1", "30000", "tracks[2].bytes[1]: \"30000\" is not a size"},
      {"/tracks/2/bytes/1", UINT64_MAX, "tracks[2].bytes[1]: 18446744073709551615 is not a size"},
      {"/tracks/2/bytes/1", INT64_MAX, "tracks[2].bytes[1]: 9223372036854775807 bytes are more than 256000000"},
      {"/tracks/1/bytes/0", 256'000'001, "tracks[1].bytes[0]: 256000001 bytes are more than"},
      {"/tracks/1/init/bytes", 256'000'001, "tracks[1].init.bytes: 256000001 bytes are more than"},
      {"/tracks/1/durations", {{25600, 4}}, "tracks[1].durations: differs from tracks[0]"},
      {"/tracks/1/durations", {{25600, 3}}, "tracks[1].durations: 3 durations, but \"bytes\" has 4"},
      {"/tracks/1/durations", {{25600, 5}}, "tracks[1].durations[0]: more durations"},
      {"/tracks/1/durations", {{25600, INT64_MAX}}, "tracks[1].durations[0]: more durations"},
      {"/tracks/1/durations", {{INT64_MAX, 4}}, "tracks[1].durations[0]: start and durations add up"},
      {"/tracks/1/durations", {1, 2}, "tracks[1].durations[0]: 1 is not an array"},
      {"/tracks/1/durations", {{1, 2, 3}}, "tracks[1].durations[0]: a run is"},
      {"/tracks/1/durations", {{0, 4}}, "tracks[1].durations[0][0]: 0 is not a duration"},
      {"/tracks/1/durations", {{5, 0}}, "tracks[1].durations[0][1]: 0 is not a count"},
      {"/tracks/2/offsets", {700}, "tracks[2].offsets: 1 offsets, but \"bytes\" has 4"},
      {"/tracks/2/offsets/1", 31699, "tracks[2].offsets[1]: overlaps segment 0"},
      {"/tracks/2/offsets/3", INT64_MAX, "tracks[2].offsets[3]: 9223372036854775807 is not an offset"},
  };
  for (const Refusal& refused : refusals) {
    EXPECT_THAT(refusal(changed(refused.pointer, refused.value)), StartsWith(refused.message)) << refused.pointer;
  }
}

/// With subtitles, and a picture that was measured.
Presentation measured() {
  Presentation presentation = football();
  Track& first = presentation.tracks[0];
  first.metrics = {{4012, 3890, 3905, 10000}, {9876, 9854, 9860, 10000}};
  Track text = first;
  text.id = text.group = "subtitles";
  text.kind = TrackKind::kText;
  text.codec = "wvtt";
  text.mime = "text/vtt";
  text.width = text.height = text.frame_rate_num = 0;
  text.init.reset();
  text.frames.reset();
  text.color.reset();
  text.metrics = {};
  text.whole = "subtitles/all.vtt";
  presentation.tracks.push_back(text);
  return presentation;
}

TEST(JsonIndex, FiguresAndTextReadBack) { EXPECT_EQ(read_index(text_of(measured())), measured()); }

TEST(JsonIndex, FiguresAndTextAreRefusedAtTheirPlace) {
  const auto refused = [](const char* pointer, const json& value) {
    json document = json::parse(text_of(measured()));
    document[json::json_pointer{pointer}] = value;
    return refusal(document.dump());
  };
  EXPECT_EQ(refused("/tracks/0/metrics/psnr", {4012, 3890}),
            "tracks[0].metrics.psnr: 2 figures, but \"bytes\" has 4 segments");
  EXPECT_THAT(refused("/tracks/0/metrics/ssim/1", 10001),
              StartsWith("tracks[0].metrics.ssim[1]: 10001 is not a figure"));
  EXPECT_THAT(refused("/tracks/3/whole", "/all.vtt"), StartsWith("tracks[3].whole: "));
}

TEST(JsonIndex, TheLastSegmentsKeepTheirFigures) {
  EXPECT_EQ(measured().last_segments(2).tracks[0].metrics, (PictureMetrics{{3905, 10000}, {9860, 10000}}));
}

TEST(JsonIndex, EveryTrackHasEverySegment) {
  json document = json::parse(text_of(football()));
  document["tracks"][1]["bytes"].push_back(5);
  document["tracks"][1]["durations"].push_back({5, 1});
  EXPECT_EQ(refusal(document.dump()),
            "tracks[1].bytes: differs from tracks[0]: all tracks have the same number of segments");
}

TEST(JsonIndex, ACompletePresentationHasSegments) {
  Presentation presentation = football();
  presentation.tracks.resize(1);
  presentation.tracks[0].durations.clear();
  presentation.tracks[0].sizes.clear();
  EXPECT_EQ(refusal(text_of(presentation)), "tracks[0].bytes: complete, but without a segment");
}

TEST(JsonIndex, EveryRequiredFieldIsMissed) {
  const auto expect_missed = [](const std::string& parent, const std::string& place,
                                const std::vector<std::string>& names) {
    for (const std::string& name : names) {
      EXPECT_EQ(refusal(changed(parent + "/" + name, nullptr)), place + "\"" + name + "\" is missing");
    }
  };
  expect_missed("", "", {"format", "version", "type", "complete", "segmentDuration", "tracks"});
  expect_missed("/tracks/0", "tracks[0]: ",
                {"id", "kind", "group", "codec", "mime", "timescale", "offset", "width", "height", "frameRate",
                 "bitrate", "uri", "first", "start", "durations", "bytes"});
  expect_missed("/tracks/2", "tracks[2]: ", {"sampleRate", "channels"});
  expect_missed("/tracks/0/bitrate", "tracks[0].bitrate: ", {"target", "max", "average", "peak"});
  expect_missed("/tracks/0/init", "tracks[0].init: ", {"uri", "bytes"});
}

TEST(JsonIndex, TextThatIsNotJsonIsRefusedWithLineAndColumn) {
  EXPECT_EQ(refusal(""), "line 1, column 1: the text ends within a value");
  EXPECT_EQ(refusal("{\n  \"format\": tributary}"), "line 2, column 15: this is not JSON");
  EXPECT_EQ(refusal("{\n  \"format\":"), "line 2, column 12: the text ends within a value");
  EXPECT_THAT(refusal(text_of(football()) + "{}"), HasSubstr("line 2, column 1: this is not JSON"));
  EXPECT_THAT(refusal(std::string(31, '[')), HasSubstr("line 1, column 32: the text ends within a value"));
}

std::string repeated(std::size_t times, const std::string& text) {
  std::string all;
  for (std::size_t i = 0; i < times; ++i) all += text;
  return all;
}

/// Before it is read: a value takes many times the memory of its text.
TEST(JsonIndex, TextThatWouldTakeTooMuchMemoryIsRefused) {
  EXPECT_EQ(refusal(std::string(5'000'000, '[')), "line 1, column 33: values within values, more than 32 deep");
  EXPECT_EQ(refusal(repeated(1'000'000, "{\"a\":\n")), "line 33, column 1: values within values, more than 32 deep");
  EXPECT_THAT(refusal("[" + std::string(32, '[')), HasSubstr("32 deep"));
  EXPECT_THAT(refusal("[" + repeated(3'000'000, "{},") + "0]"), HasSubstr("more values than 256 MB hold"));
  EXPECT_THAT(refusal("[" + repeated(3'000'000, "\"\",") + "0]"), HasSubstr("more values than 256 MB hold"));
  EXPECT_THAT(refusal("[" + repeated(17'000'000, "0,") + "0]"), HasSubstr("more values than 256 MB hold"));
  EXPECT_THAT(refusal("[" + repeated(1'000'000, "[0],") + "0]"), HasSubstr("is not an object"));
  EXPECT_THAT(refusal("[\"" + repeated(100, "[{\\\"[") + "\"]"), HasSubstr("is not an object"));  // within a text
}

TEST(JsonIndex, ErrorsHaveNoControlCharactersOfTheIndex) {
  EXPECT_EQ(refusal(changed("/tracks/0/kind", "\x1b[2J\nvideo")),
            "tracks[0].kind: \"\\x1b[2J\\x0avideo\" is not one of video, audio, text, data");
}

json with_tracks(std::size_t count) {
  json document = json::parse(text_of(football()));
  json track = document["tracks"][0];
  document["tracks"] = json::array();
  for (std::size_t i = 0; i < count; ++i) {
    track["id"] = "track-" + std::to_string(i);
    track["group"] = i % 2 == 0 ? "even" : "odd";
    document["tracks"].push_back(track);
  }
  return document;
}

TEST(JsonIndex, ThousandsOfTracksAreCheckedAsEachPairWouldBe) {
  json document = with_tracks(3000);
  EXPECT_EQ(refusal(document.dump()), "accepted");
  document["tracks"][2999]["id"] = "track-7";
  EXPECT_EQ(refusal(document.dump()), "tracks[2999].id: tracks[7] is called \"track-7\", too");
  document = with_tracks(5);
  document["tracks"][4]["durations"] = json::array({{25600, 4}});
  EXPECT_EQ(refusal(document.dump()),
            "tracks[4].durations: differs from tracks[0]: tracks of one group have the same durations");
}

/// Ten times the tracks take ten times the work, and not a hundred times.
TEST(JsonIndex, TracksAreNotComparedWithEachOther) {
  const auto work = [](std::size_t tracks) {
    const std::string text = with_tracks(tracks).dump();
    const std::clock_t before = std::clock();  // of this process, whatever else the machine does
    read_index(text);
    return static_cast<double>(std::clock() - before);
  };
  EXPECT_LT(work(20'000), 30 * work(2000));
}

/// A download takes a file from its end (download/files/chunk_plan.hh), and its trace has an index.
TEST(JsonIndex, SegmentsOfOneFileLieInAnyOrder) {
  Presentation title = football();
  title.tracks[2].file_offsets = {101_kB, 70000_B, 31700_B, 700_B};
  EXPECT_EQ(read_index(text_of(title)).tracks[2].file_offsets, title.tracks[2].file_offsets);
}

/// Two that each agree with a third, by its coarse ticks, need not agree with each other.
TEST(JsonIndex, OffsetsAgreeWithEachOther) {
  const auto with_offsets = [](const std::vector<std::pair<int, int>>& offsets) {
    json document = with_tracks(offsets.size());
    for (std::size_t i = 0; i < offsets.size(); ++i) {
      document["tracks"][i]["group"] = std::to_string(i);
      document["tracks"][i]["offset"] = offsets[i].first;
      document["tracks"][i]["timescale"] = offsets[i].second;
    }
    return refusal(document.dump());
  };
  EXPECT_EQ(with_offsets({{1, 10}, {100, 1000}, {150, 1000}}),
            "tracks[2].offset: differs from tracks[1]: all tracks are shifted by the same time");
  EXPECT_EQ(with_offsets({{0, 1000}, {1, 1000}, {2, 1000}}),
            "tracks[2].offset: differs from tracks[0]: all tracks are shifted by the same time");
  EXPECT_EQ(with_offsets({{0, 1000}, {1, 1000}, {0, 1}, {1, 1}}), "accepted");
  EXPECT_EQ(with_offsets({{2, 1}, {1000, 1000}}), "accepted");
  EXPECT_EQ(with_offsets({{2, 1}, {999, 1000}}),
            "tracks[1].offset: differs from tracks[0]: all tracks are shifted by the same time");
}

TEST(JsonIndex, ATruncatedIndexIsRefusedWhereverItEnds) {
  const std::string text = text_of(football());
  for (std::size_t length = 0; length + 1 < text.size(); ++length) {  // the last byte is the newline
    EXPECT_NE(refusal(text.substr(0, length)), "accepted") << length;
  }
}

TEST(JsonIndex, DamagedBytesNeverCrash) {
  constexpr int kSeed = 20260101;
  std::mt19937 random{kSeed};
  const std::string text = text_of(football());
  int accepted = 0;
  for (int round = 0; round < 4000; ++round) {
    std::string damaged = text;
    for (unsigned i = 0; i < 1 + random() % 3; ++i) damaged[random() % text.size()] = static_cast<char>(random());
    if (refusal(damaged) == "accepted") ++accepted;
  }
  EXPECT_LT(accepted, 1000) << "seed " << kSeed;  // a damaged digit of a size may pass
}

}  // namespace
}  // namespace tributary
