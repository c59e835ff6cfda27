#include "segmenter/encode/section_ranges.hh"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "segmenter/failure.hh"
#include "temporary_directory.hh"

namespace tributary::segmenter {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;

const SegmentPlan kPlan{{25, 1}, 2s, 10s};

Presentation some_section() {
  Presentation section;
  section.tracks.emplace_back();
  section.tracks[0].sizes = {DataSize{1}};
  return section;
}

TEST(SectionRanges, WhatMayProveNotToBeThereIsNoSectionOfItsOwn) {
  EXPECT_EQ(kPlan.pictures_per_section(), 250u);
  EXPECT_EQ(sections_of(1, kPlan), 1u);
  EXPECT_EQ(sections_of(500, kPlan), 2u);
  EXPECT_EQ(sections_of(501, kPlan), 2u);
  EXPECT_EQ(sections_of(550, kPlan), 2u);
  EXPECT_EQ(sections_of(551, kPlan), 3u);
}

TEST(SectionRanges, ShardsFollowOneAnotherToTheEnd) {
  for (const std::uint64_t sections : {1u, 3u, 7u, 120u}) {
    for (const std::uint64_t of : {1u, 2u, 4u, 50u}) {
      std::uint64_t next = 0;
      for (std::uint64_t number = 1; number < of; ++number) {
        const SectionRange shard = shard_of(sections, {number, of});
        EXPECT_EQ(shard.begin, next);
        EXPECT_LE(*shard.end - shard.begin, sections / of + 1);
        next = *shard.end;
      }
      EXPECT_EQ(shard_of(sections, {of, of}), (SectionRange{next, std::nullopt}));
      EXPECT_LT(next, sections) << "the last shard knows where the picture ends";
    }
  }
}

TEST(SectionRanges, TheEndIsMissingUntilItIsSaidToBeThere) {
  const TemporaryDirectory scratch;
  const Publication nowhere{scratch.path(), Publication::Existing::kRefuse};
  UnfinishedRun run{{}, {}};
  for (const std::uint64_t section : {0u, 1u, 3u, 5u}) run.add_section(nowhere, section, some_section());
  EXPECT_THAT(missing_ranges({0, std::nullopt}, 6, run),
              ElementsAre(SectionRange{2, 3}, SectionRange{4, std::nullopt}));
  EXPECT_THAT(missing_ranges({3, 5}, 6, run), ElementsAre(SectionRange{4, 5}));
  run.add_end(nowhere, std::nullopt, 1400);
  EXPECT_THAT(missing_ranges({0, std::nullopt}, 6, run), ElementsAre(SectionRange{2, 3}, SectionRange{4, 5}));
}

TEST(SectionRanges, AreSplitIntoSimilarLengths) {
  EXPECT_THAT(split({{0, 2}, {4, std::nullopt}}, 10, 4),
              ElementsAre(SectionRange{0, 2}, SectionRange{4, 6}, SectionRange{6, 8}, SectionRange{8, std::nullopt}));
}

TEST(ShardNumber, IsOneOfSo) {
  EXPECT_EQ(parse_shard("2/4"), (ShardNumber{2, 4}));
  for (const char* text : {"", "2", "0/4", "5/4", "2/4x", "/4", "2/", "-1/4"})
    EXPECT_THROW(parse_shard(text), std::invalid_argument) << text;
}

TEST(UnfinishedRun, OfADamagedShardIsNoErrorOfTheCommandLine) {
  const TemporaryDirectory scratch;
  const std::filesystem::path books = scratch.path() / ".unfinished";
  std::filesystem::create_directory(books);
  std::ofstream{books / "terms.json"} << R"({"terms":[],"shard":"5/4"})";
  try {
    UnfinishedRun::find(scratch.path());
    FAIL() << "the book was read";
  } catch (const Failure& failure) {
    EXPECT_THAT(failure.what(), ::testing::StartsWith((books / "terms.json").string()));
    EXPECT_THAT(failure.what(), ::testing::HasSubstr("\"5/4\" is not like 2/4"));
  }
}

}  // namespace
}  // namespace tributary::segmenter
