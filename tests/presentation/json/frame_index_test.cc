#include "presentation/json/frame_index.hh"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "refusal.hh"

namespace tributary {
namespace {

using namespace literals;
using nlohmann::json;
using ::testing::HasSubstr;

Track two_segments() {
  Track track;
  track.id = "low";
  track.sizes = {1000_B, 600_B};
  return track;
}

FrameIndex frames() {
  return {{{FrameKind::kI, {100_B, 700_B}},
           {FrameKind::kP, {700_B, 850_B}},
           {FrameKind::kBReference, {850_B, 900_B}},
           {FrameKind::kBDisposable, {900_B, 1000_B}}},
          {{FrameKind::kI, {90_B, 600_B}}}};
}

std::string frames_refusal(const std::string& text) {
  return refusal_of<JsonError>(text, [](const std::string& frames) { read_frame_index(frames, two_segments()); });
}

TEST(FrameIndex, WhatIsWrittenReadsBack) {
  EXPECT_EQ(read_frame_index(write_frame_index(frames()), two_segments()), frames());
  EXPECT_EQ(json::parse(write_frame_index(frames()))["segments"][0],
            json::parse(R"([{"offset": 100, "kinds": "IPBb", "bytes": [600, 150, 50, 100]}])"));
}

TEST(FrameIndex, ChunksLieBehindOneAnother) {
  FrameIndex chunked = frames();
  chunked[0][2].range = {870_B, 920_B};
  chunked[0][3].range = {920_B, 1000_B};
  const std::string text = write_frame_index(chunked);
  EXPECT_EQ(read_frame_index(text, two_segments()), chunked);
  json document = json::parse(text);
  EXPECT_EQ(document["segments"][0][1], json::parse(R"({"offset": 870, "kinds": "Bb", "bytes": [50, 80]})"));
  document["segments"][0][1]["offset"] = 849;
  EXPECT_THAT(frames_refusal(document.dump()),
              HasSubstr("segments[0][1].offset: 849 is not an offset in the segment, behind"));
}

TEST(FrameIndex, ImpossibleValuesAreRefusedAtTheirPlace) {
  const std::vector<Refusal> refusals = {
      {"/format", "frames", "format: not \"tributary-frames\""},
      {"/version", 1, "version: 1 is not a version that is known (only 2 is)"},
      {"/segments", json::array(), "segments: 0 segments, but low has 2"},
      {"/segments/0", json::array(), "segments[0]: the segment has no frame"},
      {"/segments/0/0/kinds", "IPBx", "segments[0][0].kinds: \"x\" is not one of I, P, B, b"},
      {"/segments/0/0/kinds", "", "segments[0][0].kinds: no frame"},
      {"/segments/1/0/kinds", "IP", "segments[1][0].bytes: 1 sizes, but \"kinds\" has 2 frames"},
      {"/segments/1/0/kinds", nullptr, "segments[1][0]: \"kinds\" is missing"},
      {"/segments/1/0/bytes", "I", "segments[1][0].bytes"},
      {"/segments/1/0/offset", 601, "segments[1][0].offset: 601 is not an offset in the segment"},
      {"/segments/1/0/offset", -1, "segments[1][0].offset: -1 is not an offset"},
      {"/segments/0/0/bytes/3", 101, "segments[0][0].bytes[3]: 101 is not a size of a frame in the 100 bytes"},
      {"/segments/0/0/bytes/0", 0, "segments[0][0].bytes[0]: 0 is not a size of a frame"},
      {"/segments/0/0/bytes/0", 1.5, "segments[0][0].bytes[0]: 1.5 is not a size of a frame"},
  };
  for (const Refusal& wrong : refusals) {
    json document = json::parse(write_frame_index(frames()));
    document[json::json_pointer{wrong.pointer}] = wrong.value;
    EXPECT_THAT(frames_refusal(document.dump()), HasSubstr(wrong.message)) << wrong.pointer;
  }
}

TEST(FrameIndex, ATextThatIsCutIsRefused) {
  const std::string whole = write_frame_index(frames());
  for (std::size_t size = 0; size + 1 < whole.size(); ++size) {
    EXPECT_NE(frames_refusal(whole.substr(0, size)), "accepted") << size;
  }
  EXPECT_NE(frames_refusal(whole + "x"), "accepted");
}

}  // namespace
}  // namespace tributary
