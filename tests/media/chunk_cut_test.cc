#include "media/chunk_cut.hh"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "chunk_bytes.hh"

namespace tributary::chunk_cut_test {
namespace {

using namespace std::chrono_literals;

InitFacts thousandths() {
  InitFacts init;
  init.timescale = 1000;
  return init;
}

/// Chunks of these lengths, in thousandths of a second, each of two frames.
std::vector<std::string> chunks(const std::vector<std::uint32_t>& lengths, std::uint64_t begin = 7000) {
  std::vector<std::string> all;
  for (const std::uint32_t length : lengths) {
    all.push_back(box("styp", "cmfl") +
                  chunk_of(begin, {{length / 2, 0, 0, "first frame"}, {length - length / 2, 0x10000, 0, "second"}}));
    begin += length;
  }
  return all;
}

std::string joined(const std::vector<std::string>& chunks) {
  std::string all;
  for (const std::string& chunk : chunks) all += chunk;
  return all;
}

/// The bytes of each piece, of a segment that comes in steps of so many bytes.
std::vector<std::string> pieces_of(const std::string& segment, Duration lasts, std::uint32_t count, std::size_t step) {
  ChunkCut cut{thousandths(), lasts, count};
  for (std::size_t size = 0; size < segment.size(); size += step) cut.look(bytes_of(segment).first(size));
  cut.look(bytes_of(segment));
  cut.end(segment.size());
  std::vector<std::string> pieces;
  for (std::uint32_t i = 0; i < count; ++i) {
    EXPECT_TRUE(cut.piece(i).complete);
    pieces.push_back(segment.substr(cut.piece(i).begin, cut.piece(i).end - cut.piece(i).begin));
  }
  return pieces;
}

TEST(ChunkCut, EachChunkIsOfThePieceInWhichItBegins) {
  const auto all = chunks({250, 250, 250, 250, 250, 250, 250, 250});
  for (const std::size_t step : {std::size_t{1}, std::size_t{7}, std::size_t{100'000}}) {
    EXPECT_THAT(pieces_of(joined(all), 500ms, 4, step),
                ::testing::ElementsAre(all[0] + all[1], all[2] + all[3], all[4] + all[5], all[6] + all[7]));
  }
}

TEST(ChunkCut, AChunkThatLastsLongerLeavesPiecesEmpty) {
  const auto all = chunks({1000, 1000});
  EXPECT_THAT(pieces_of(joined(all), 500ms, 4, 1), ::testing::ElementsAre(all[0], "", all[1], ""));
}

TEST(ChunkCut, TheLastPieceHasWhatIsLonger) {
  const auto all = chunks({500, 500, 500});
  EXPECT_THAT(pieces_of(joined(all), 500ms, 2, 1), ::testing::ElementsAre(all[0], all[1] + all[2]));
}

TEST(ChunkCut, APieceIsCompleteWithItsLastByte) {
  const auto all = chunks({498, 500, 500});  // times of media are not those of the manifest
  const std::string segment = joined(all);
  ChunkCut cut{thousandths(), 500ms, 4};
  cut.look(bytes_of(segment).first(all[0].size() - 1));
  EXPECT_FALSE(cut.piece(0).complete);
  EXPECT_EQ(cut.piece(0).end, all[0].size() - 1) << "what is here can be taken";
  EXPECT_FALSE(cut.between_chunks());
  cut.look(bytes_of(segment).first(all[0].size()));
  EXPECT_TRUE(cut.piece(0).complete);
  EXPECT_TRUE(cut.between_chunks());
  EXPECT_EQ(cut.piece(2).end, cut.piece(2).begin);
}

TEST(ChunkCut, WhatIsNoChunkIsOfThePieceBefore) {
  const auto first = chunks({500});
  for (const std::string& rest :
       {std::string{"\0\0\0\3mdat no box at all", 20}, box("moof", "no traf") + "more", std::string(40, '\xff')}) {
    EXPECT_THAT(pieces_of(first[0] + rest, 500ms, 3, 1), ::testing::ElementsAre(first[0], rest, "")) << rest;
  }
  EXPECT_THAT(pieces_of("nothing of this is a box", 500ms, 2, 5),
              ::testing::ElementsAre("nothing of this is a box", ""));
}

}  // namespace
}  // namespace tributary::chunk_cut_test
