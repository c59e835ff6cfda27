#include "media/cmaf_reader.hh"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "chunk_bytes.hh"

namespace tributary {
namespace {

using namespace std::string_literals;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;

constexpr std::uint32_t kNotSync = 0x10000;

std::string refusal_of(const std::string& segment) {
  return refusal([&] { read_segment(bytes_of(segment), {}); });
}

std::string data_of(const std::string& segment, const MediaSample& sample) {
  return segment.substr(sample.begin, sample.size);
}

/// Three frames in the order I P B, which is shown as I B P.
std::string reordered(std::uint64_t decode_time) {
  return box("styp", "cmfs") +
         chunk_of(decode_time, {{512, 0, 512, "intra"}, {512, kNotSync, 1024, "forward"}, {500, kNotSync, 0, "both"}});
}

TEST(CmafReader, ASegmentIsItsSamples) {
  const std::string segment = reordered(1ull << 33);
  const SegmentFacts facts = read_segment(bytes_of(segment), {});
  ASSERT_EQ(facts.samples.size(), 3u);
  EXPECT_EQ(facts.fragments, 1u);
  EXPECT_EQ(data_of(segment, facts.samples[0]), "intra");
  EXPECT_EQ(data_of(segment, facts.samples[1]), "forward");
  EXPECT_EQ(data_of(segment, facts.samples[2]), "both");
  EXPECT_EQ(facts.samples[1].decoded, (1ll << 33) + 512);
  EXPECT_EQ(facts.samples[1].shown, (1ll << 33) + 1536);
  EXPECT_EQ(facts.samples[2].shown, (1ll << 33) + 1024);
  EXPECT_EQ(facts.samples[2].duration, 500u);
  EXPECT_TRUE(facts.samples[0].sync);
  EXPECT_FALSE(facts.samples[1].sync);
  EXPECT_EQ(facts.begin(), (1ll << 33) + 512);
  EXPECT_EQ(facts.ticks(), 1524u);
  EXPECT_EQ(facts.longest_sample(), 512u);
}

TEST(CmafReader, CompositionOffsetsAreSigned) {
  const auto segment = chunk_of(1000, {{10, 0, static_cast<std::uint32_t>(-300), "a"}});
  EXPECT_EQ(read_segment(bytes_of(segment), {}).samples.at(0).shown, 700);
}

TEST(CmafReader, ChunksFollowOneAnother) {
  const std::string segment = chunk_of(0, {{5, 0, 0, "one"}}) + box("prft", "") +
                              chunk_of(5, {{5, kNotSync, 0, "two"}, {5, kNotSync, 0, "three"}});
  const SegmentFacts facts = read_segment(bytes_of(segment), {});
  ASSERT_EQ(facts.samples.size(), 3u);
  EXPECT_EQ(facts.fragments, 2u);
  EXPECT_EQ(facts.samples[2].decoded, 10);
  EXPECT_EQ(data_of(segment, facts.samples[1]), "two");
  EXPECT_EQ(data_of(segment, facts.samples[2]), "three");
}

TEST(CmafReader, WhatAFragmentDoesNotSayTheInitSegmentSays) {
  const std::string run = big_endian(1, 4) + big_endian(2, 4) + big_endian(8 + 8 + 16 + 16 + 20 + 8, 4);
  const std::string traf = box("tfhd", big_endian(0x20000, 4) + big_endian(1, 4)) +
                           box("tfdt", big_endian(0, 4) + big_endian(7, 4)) + box("trun", run);
  const std::string segment = box("moof", box("traf", traf)) + box("mdat", "aabb");
  InitFacts init;
  init.default_duration = 1024;
  init.default_size = 2;
  init.default_flags = kNotSync;
  const SegmentFacts facts = read_segment(bytes_of(segment), init);
  ASSERT_EQ(facts.samples.size(), 2u);
  EXPECT_EQ(facts.samples[1].decoded, 1031);
  EXPECT_EQ(data_of(segment, facts.samples[1]), "bb");
  EXPECT_FALSE(facts.samples[0].sync);
}

TEST(CmafReader, AWrongOrderIsRefused) {
  const std::string first = chunk_of(0, {{5, 0, 0, "one"}}), second = chunk_of(5, {{5, 0, 0, "two"}});
  EXPECT_EQ(refusal_of(second + first), "moof at byte 99 is of an earlier time than what is in front of it");
  const std::string moof = first.substr(0, first.size() - 11), mdat = first.substr(first.size() - 11);
  EXPECT_EQ(refusal_of(mdat + moof), "moof at byte 11 has no mdat behind it");
  EXPECT_EQ(refusal_of(moof + second), "moof at byte 0 has no mdat behind it");
  EXPECT_EQ(refusal_of(mdat), "the segment has no sample");
  EXPECT_EQ(refusal_of(""), "the segment has no sample");
}

TEST(CmafReader, ASampleThatIsNotInItsChunkIsRefused) {
  const std::string whole = chunk_of(0, {{5, 0, 0, "one"}});
  const std::size_t moof = whole.size() - 11;
  for (const std::uint64_t offset :
       {moof + 7, moof + 9, std::size_t{0}, std::size_t{0x7fffffff}, std::size_t{0xffffffff}}) {
    std::string moved = whole;
    moved.replace(moof - 20, 4, big_endian(offset, 4));
    EXPECT_THAT(refusal_of(moved), ContainsRegex("moof at byte 0: sample 0 is at bytes [0-9]+ to [0-9]+, "
                                                 "but mdat at byte 88 holds 96 to 99"))
        << offset;
  }
  std::string large = whole;
  large.replace(moof - 12, 4, big_endian(0xffffffff, 4));
  EXPECT_THAT(refusal_of(large), HasSubstr("sample 0 is at bytes 96 to 4294967391"));
}

TEST(CmafReader, HugeNumbersAreRefused) {
  const std::string whole = chunk_of(0, {{5, 0, 0, "one"}});
  std::string many = whole;
  many.replace(whole.size() - 11 - 24, 4, big_endian(0xffffffff, 4));
  EXPECT_EQ(refusal_of(many), "trun at byte 52 has 4294967295 samples, too many");
  many.replace(whole.size() - 11 - 24, 4, big_endian(2, 4));
  EXPECT_EQ(refusal_of(many), "trun at byte 52 ends too early");
  EXPECT_EQ(refusal_of(chunk_of(1ull << 63, {{5, 0, 0, "one"}})),
            "tfdt at byte 32 says 9223372036854775808, which is no time");
}

TEST(CmafReader, AFragmentOfTwoTracksIsRefused) {
  const std::string traf = box("traf", box("tfhd", big_endian(0, 8)) + box("tfdt", big_endian(0, 8)));
  EXPECT_EQ(refusal_of(box("moof", traf + traf)), "moof at byte 0 is of more than one track");
  EXPECT_EQ(refusal_of(box("moof", "")), "moof at byte 0 has no traf");
}

TEST(CmafReader, ASegmentThatIsCutIsRefused) {
  const std::string whole = reordered(0);
  for (std::size_t size = 0; size < whole.size(); ++size)
    EXPECT_NE(refusal_of(whole.substr(0, size)), "accepted") << size;
  EXPECT_EQ(refusal_of(whole.substr(0, whole.size() - 1)),
            "mdat at byte 132 says that it has 24 bytes, of 23 that are left");
}

TEST(CmafReader, OfADamagedSegmentTheFirstSamplesAreSaved) {
  const std::string whole = reordered(0);
  const auto saved = [&](std::size_t size) { return salvage_segment(bytes_of(whole.substr(0, size)), {}); };
  EXPECT_EQ(saved(whole.size()).facts.samples.size(), 3u);
  EXPECT_FALSE(saved(whole.size()).damage);
  EXPECT_EQ(saved(whole.size() - 1).facts.samples.size(), 2u);
  EXPECT_TRUE(saved(whole.size() - 1).damage);
  EXPECT_EQ(saved(whole.size() - 11).facts.samples.size(), 1u);
  EXPECT_EQ(saved(20).facts.samples.size(), 0u);

  const std::string garbage = whole + "\xff\xff\xff\xff and then something else"s;
  EXPECT_EQ(salvage_segment(bytes_of(garbage), {}).facts.samples.size(), 3u);
  EXPECT_TRUE(salvage_segment(bytes_of(garbage), {}).damage);
}

/// Whatever is wrong, it is found by reading no byte that is not there (the sanitizers look), and what is saved is there.
TEST(CmafReader, DamageOfAnyKindIsSurvived) {
  const std::string whole = reordered(1000) + chunk_of(2524, {{512, 0, 0, "next"}});
  std::minstd_rand random{4711};
  for (int round = 0; round < 20000; ++round) {
    std::string damaged = whole;
    for (int i = 0; i <= round % 3; ++i) {
      const std::size_t at = random() % damaged.size();
      switch (random() % 4) {
        case 0:
          damaged[at] = static_cast<char>(random());
          break;
        case 1:
          damaged.replace(at, 4, "\xff\xff\xff\xff");
          break;
        case 2:
          damaged.replace(at, std::min<std::size_t>(16, damaged.size() - at), 16, '\0');
          break;
        default:
          damaged.resize(at + 1);
      }
    }
    // On the heap in its exact size, where a byte too many is seen.
    const std::vector<char> exact{damaged.begin(), damaged.end()};
    for (const MediaSample& sample : salvage_segment(std::as_bytes(std::span{exact}), {}).facts.samples)
      ASSERT_LE(sample.begin + sample.size, exact.size());
  }
}

std::string init_segment(std::uint32_t timescale) {
  const std::string entry = box("avc1", std::string(24, '\0') + big_endian(640, 2) + big_endian(360, 2) +
                                            std::string(50, '\0') + box("avcC", "\1\x64\0\x1f\xff\xe1"s));
  const std::string stsd = box("stsd", big_endian(0, 4) + big_endian(1, 4) + entry);
  const std::string mdhd = box("mdhd", big_endian(0, 12) + big_endian(timescale, 4) + big_endian(0, 8));
  const std::string trak = box("trak", box("mdia", mdhd + box("minf", box("stbl", stsd))));
  const std::string trex = box("trex", big_endian(0, 12) + big_endian(512, 4) + big_endian(0, 8));
  return box("ftyp", "cmfc") + box("moov", trak + box("mvex", trex));
}

TEST(CmafReader, AnInitSegmentSaysWhatADecoderMustBeTold) {
  const std::string content = init_segment(12800);
  const InitFacts facts = read_init(bytes_of(content));
  EXPECT_EQ(facts.codec, "avc1.64001f");
  EXPECT_EQ(facts.sample_entry, "avc1");
  EXPECT_EQ(facts.timescale, 12800u);
  EXPECT_EQ(facts.width, 640);
  EXPECT_EQ(facts.height, 360);
  EXPECT_EQ(facts.default_duration, 512u);
  EXPECT_EQ(facts.decoder_config.size(), 6u);
  EXPECT_EQ(facts.nal_length_size, 4u);
  for (std::size_t size = 0; size < content.size(); ++size)
    EXPECT_NE(refusal([&] { read_init(bytes_of(content.substr(0, size))); }), "accepted") << size;
  EXPECT_EQ(refusal([&] {
              const auto zero = init_segment(0);
              read_init(bytes_of(zero));
            }),
            "mdhd at byte 36: a timescale of 0");
}

}  // namespace
}  // namespace tributary
