#include "media/split_chunk.hh"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <string>

#include "chunk_bytes.hh"
#include "media/cmaf_reader.hh"

namespace tributary {
namespace {

constexpr std::uint32_t kDeltaFrame = 0x10000;

std::string segment_of_three() {
  return box("styp", "cmfs") +
         chunk_of(1000, {{512, 0, 512, "intra"}, {512, kDeltaFrame, 1024, "forward"}, {500, kDeltaFrame, 0, "both"}});
}

std::string text_of(const MediaBytes& bytes) { return {reinterpret_cast<const char*>(bytes.data()), bytes.size()}; }

/// As ours are: what all frames have in common stands in tfhd, and the first has flags of its own.
std::string segment_with_defaults() {
  const std::string tfhd = box("tfhd", big_endian(0x20038, 4) + big_endian(1, 4) + big_endian(512, 4) +
                                           big_endian(9, 4) + big_endian(kDeltaFrame, 4));
  const std::string tfdt = box("tfdt", big_endian(0, 4) + big_endian(700, 4));
  std::string run = big_endian(0x205, 4) + big_endian(3, 4);
  const std::size_t moof_bytes = 8 + 8 + tfhd.size() + tfdt.size() + 8 + run.size() + 8 + 12;
  run += big_endian(moof_bytes + 8, 4) + big_endian(0, 4) + big_endian(4, 4) + big_endian(5, 4) + big_endian(6, 4);
  return box("moof", box("traf", tfhd + tfdt + box("trun", run))) + box("mdat", "aaaabbbbbcccccc");
}

TEST(SplitChunk, TheFrontTellsTheFrames) {
  const std::string segment = segment_of_three();
  const std::size_t data = segment.find("intra");
  for (std::size_t size = 0; size <= segment.size(); ++size) {
    const auto chunk = SplitChunk::read(bytes_of(segment).first(size));
    ASSERT_EQ(chunk.has_value(), size >= data + 8) << size;  // a box of 16 bytes might begin 8 bytes before
    if (!chunk) continue;
    EXPECT_EQ(chunk->ends().front(), DataSize{static_cast<std::int64_t>(data + 5)});
    EXPECT_EQ(chunk->ends().back(), DataSize{static_cast<std::int64_t>(segment.size())});
  }
}

TEST(SplitChunk, PiecesHaveTheFramesOfTheWhole) {
  for (const std::string& segment : {segment_of_three(), segment_with_defaults()}) {
    const auto whole = read_segment(bytes_of(segment), {});
    const auto chunk = SplitChunk::read(bytes_of(segment));
    ASSERT_TRUE(chunk);
    for (std::size_t cut = 1; cut < whole.samples.size(); ++cut) {
      std::size_t at = 0;
      for (const auto& [begin, end] : {std::pair{std::size_t{0}, cut}, {cut, whole.samples.size()}}) {
        const std::string piece = text_of(chunk->frames(bytes_of(segment), begin, end));
        const auto facts = read_segment(bytes_of(piece), {});
        ASSERT_EQ(facts.samples.size(), end - begin);
        for (const MediaSample& sample : facts.samples) {
          const MediaSample& of_whole = whole.samples[at++];
          EXPECT_EQ(piece.substr(sample.begin, sample.size), segment.substr(of_whole.begin, of_whole.size));
          EXPECT_EQ(sample.decoded, of_whole.decoded);
          EXPECT_EQ(sample.shown, of_whole.shown);
          EXPECT_EQ(sample.duration, of_whole.duration);
          EXPECT_EQ(sample.sync, of_whole.sync);
        }
      }
    }
  }
}

TEST(SplitChunk, NeedsNoMoreThanTheFramesOfThePiece) {
  const std::string segment = segment_of_three();
  const auto chunk = SplitChunk::read(bytes_of(segment));
  const std::string front = segment.substr(0, static_cast<std::size_t>(chunk->ends()[1].bytes()));
  EXPECT_EQ(chunk->frames(bytes_of(front), 1, 2), chunk->frames(bytes_of(segment), 1, 2));
}

TEST(SplitChunk, OtherFormsAreRefused) {
  const std::string chunk = chunk_of(0, {{512, 0, 0, "a frame of some length"}});
  const std::string run = chunk.substr(chunk.find("trun") - 4, 36);
  for (const std::string& segment :
       {chunk_of(0, {{512, 0, 0, "one"}}) + chunk_of(512, {{512, 0, 0, "two"}}),  // its end is not known
        box("mdat", "no moof is in front of these bytes"), box("moof", box("traf", run)) + box("mdat", "no time in it"),
        box("moof", box("traf", run + run)) + box("mdat", "two runs"),
        chunk_of(0, {{512, 0, 0, ""}}) + box("free", "12345678")}) {
    bool refused = false;
    try {
      const auto read = SplitChunk::read(bytes_of(segment));
      refused = read && read->ends().back() != DataSize{std::ssize(segment)};  // as the core sees
    } catch (const BoxError&) {
      refused = true;
    }
    EXPECT_TRUE(refused) << segment;
  }
}

TEST(SplitChunk, DamageIsRefusedOrHarmless) {
  const std::string good = segment_with_defaults();
  for (std::size_t i = 0; i < good.size() - 17; ++i) {
    for (const char value : {'\0', '\1', '\xff', '\x7f'}) {
      std::string bad = good;
      bad[i] = value;
      try {
        if (const auto chunk = SplitChunk::read(bytes_of(bad));
            chunk && chunk->ends().back() == DataSize{std::ssize(bad)})
          chunk->frames(bytes_of(bad), 0, chunk->ends().size());
      } catch (const BoxError&) {
      }
    }
  }
}

}  // namespace
}  // namespace tributary
