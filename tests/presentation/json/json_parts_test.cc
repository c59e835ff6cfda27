#include "presentation/json/json_parts.hh"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "presentation/json/json_index.hh"
#include "refusal.hh"

namespace tributary {
namespace {

using namespace literals;
using nlohmann::json;
using ::testing::HasSubstr;
using ::testing::StartsWith;

/// Two segments, 7 and 8, of which the second has parts, and the beginning of the third.
Track track_of(const std::string& id) {
  Track track;
  track.id = track.group = id;
  track.kind = TrackKind::kData;
  track.timescale = 1000;
  track.bitrate = {1_Mbps, 1_Mbps, 1_Mbps, 1_Mbps};
  track.uri = id + "/{n:05}.m4s";
  track.first_number = 7;
  track.durations = {2000, 2000};
  track.sizes = {90_kB, 80_kB};
  track.parts = TrackParts{
      id + "/{n:05}.{p}.m4s", 1000, {{8, {{1000, 50_kB, true}, {1000, 30_kB, false}}}, {9, {{1000, 45_kB, true}}}}};
  return track;
}

Presentation channel() {
  Presentation channel;
  channel.live = LiveWindow{*utc_from("2026-01-02T03:04:05.678Z"), 30, 10, 0};
  channel.complete = false;
  channel.tracks = {track_of("low"), track_of("high")};
  return channel;
}

std::string refusal_with(const std::string& pointer, const json& value) {
  json document = json::parse(write_index(channel(), "", ""));
  document[json::json_pointer{pointer}] = value;
  return refusal_of<IndexError>(document.dump(), [](const std::string& index) { read_index(index); });
}

TEST(JsonParts, WhatIsWrittenReadsBack) {
  EXPECT_EQ(read_index(write_index(channel(), "", "")), channel());
  Presentation none = channel();
  for (Track& track : none.tracks) track.parts->segments.clear();
  EXPECT_EQ(read_index(write_index(none, "", "")), none);
  EXPECT_THAT(write_index(channel(), "", ""),
              HasSubstr(R"("parts":{"uri":"low/{n:05}.{p}.m4s","target":1000,)"
                        R"("segments":[[8,[[1000,50000,1],[1000,30000,0]]],[9,[[1000,45000,1]]]]})"));
}

TEST(JsonParts, AreFoundByTheNumbersOfSegmentAndPart) {
  EXPECT_EQ(track_of("low").parts->part_uri(12, 3), "low/00012.3.m4s");
}

TEST(JsonParts, ImpossibleOnesAreRefusedAtTheirPlace) {
  const std::vector<Refusal> refusals{
      {"/tracks/0/parts/uri", "low/{n}.m4s", "tracks[0].parts.uri: the name has no {p}"},
      {"/tracks/0/parts/uri", "low/{p}.m4s", "tracks[0].parts.uri: the name has no {n}"},
      {"/tracks/0/parts/uri", "../{n}.{p}", "tracks[0].parts.uri: the name must be a path below the index"},
      {"/tracks/0/parts/target", 0, "tracks[0].parts.target: 0 is not a duration in ticks"},
      {"/tracks/0/parts/target", 999,
       "tracks[0].parts.segments[0][1][0][0]: 1000 is not a duration of up to 999 ticks"},
      {"/tracks/0/parts/segments/0", json::array({8}), "tracks[0].parts.segments[0]: the parts of a segment are"},
      {"/tracks/0/parts/segments/0/0", 6, "tracks[0].parts.segments[0][0]: 6 is not the number of the next segment"},
      {"/tracks/0/parts/segments/0/0", 7,
       "tracks[0].parts.segments[0]: the parts have 80000 bytes, but the segment 90000"},
      {"/tracks/0/parts/segments/1/0", 10, "tracks[0].parts.segments[1][0]: 10 is not the number of the next segment"},
      {"/tracks/0/parts/segments/2", json::array({10, json::array({json::array({1000, 1, 1})})}),
       "tracks[0].parts.segments[2][0]: nothing follows the unfinished segment"},
      {"/tracks/0/parts/segments/1/1", json::array(), "tracks[0].parts.segments[1][1]: no part"},
      {"/tracks/0/parts/segments/1/1/0", json::array({1000, 1}),
       "tracks[0].parts.segments[1][1][0]: a part is [ticks,"},
      {"/tracks/0/parts/segments/1/1/0/1", 0, "tracks[0].parts.segments[1][1][0][1]: 0 is not the size of a part"},
      {"/tracks/0/parts/segments/1/1/0/2", 2, "tracks[0].parts.segments[1][1][0][2]: 2 is not 0 or 1"},
      {"/tracks/0/parts/segments/0/1/1/0", 999,
       "tracks[0].parts.segments[0]: the parts last 1999 ticks, but the segment"},
      {"/tracks/1/parts/segments/1",
       json::array({9, json::array({json::array({500, 1, 1}), json::array({500, 1, 1})})}),
       "tracks[1].parts.segments: differ from tracks[0]"},
  };
  for (const auto& [pointer, value, message] : refusals)
    EXPECT_THAT(refusal_with(pointer, value), StartsWith(message)) << pointer;
}

TEST(JsonParts, AnUnfinishedSegmentIsNoLargerThanOthersMayBe) {
  const json large = json::array({1000, 200'000'000, 1});
  EXPECT_THAT(refusal_with("/tracks/0/parts/segments/1/1", json::array({large, large})),
              StartsWith("tracks[0].parts.segments[1]: 400000000 bytes are too many"));
}

TEST(JsonParts, OnlyALivePresentationHasThem) {
  json document = json::parse(write_index(channel(), "", ""));
  document["type"] = "vod";
  EXPECT_THAT(refusal_of<IndexError>(document.dump(), [](const std::string& index) { read_index(index); }),
              StartsWith("tracks[0].parts: only segments of a live presentation have parts"));
}

TEST(JsonParts, DecisionsKnowNone) {
  for (const Track& track : without_addresses(channel()).tracks) EXPECT_FALSE(track.parts);
}

}  // namespace
}  // namespace tributary
