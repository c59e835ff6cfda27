#include "media/cmaf_reader.hh"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "box_bytes.hh"
#include "media/codec_string.hh"

namespace tributary {
namespace {

using namespace std::string_literals;

template <typename Act>
std::string refusal(Act act) {
  try {
    act();
  } catch (const BoxError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(IsoBox, BoxesFillTheBytes) {
  const std::string bytes =
      box("ftyp", "cmfc") + big_endian(1, 4) + "mdat" + big_endian(19, 8) + "abc" + box("free", "");
  const auto boxes = boxes_in("the file", bytes_of(bytes));
  ASSERT_EQ(boxes.size(), 3u);
  EXPECT_EQ(boxes[0].type, "ftyp");
  EXPECT_EQ(boxes[1].body.size(), 3u);
  EXPECT_EQ(boxes[2].body.size(), 0u);
}

TEST(IsoBox, AWrongSizeIsRefusedAndTheBoxNamed) {
  const auto refusal_of = [](const std::string& bytes) {
    return refusal([&] { boxes_in("the file", bytes_of(bytes)); });
  };
  EXPECT_EQ(refusal_of(big_endian(9, 4) + "moof"),
            "moof in the file says that it has 9 bytes, of 8 that are left");
  EXPECT_EQ(refusal_of(big_endian(7, 4) + "moof"),
            "moof in the file says that it has 7 bytes, of 8 that are left");
  EXPECT_EQ(refusal_of("\1\2\3"), "the file ends too early");
  EXPECT_EQ(refusal_of(big_endian(1, 4) + "mdat" + big_endian(~0ull, 8)),
            "mdat in the file says that it has 18446744073709551615 bytes, of 16 that are left");
}

std::string sound_entry(const std::string& decoder_config) {
  const std::string stream = "\0\1\0"s + "\4"s + static_cast<char>(decoder_config.size()) + decoder_config;
  // The length of the first descriptor in four bytes, as many writers do.
  const std::string esds = big_endian(0, 4) + "\3\x80\x80\x80"s + static_cast<char>(stream.size()) + stream;
  return std::string(kAudioFields, '\0') + box("esds", esds);
}

std::string codec_of(const std::string& type, const std::string& body) {
  return codec_string({type, bytes_of(body)});
}

TEST(CodecString, IsReadFromTheDecoderConfiguration) {
  EXPECT_EQ(codec_of("avc1", std::string(kVisualFields, '\0') + box("avcC", "\1\x64\0\x1f\xff"s)),
            "avc1.64001f");
  const std::string before_specific = std::string(12, '\0') + "\5\2"s;
  EXPECT_EQ(codec_of("mp4a", sound_entry("\x40"s + before_specific + "\x11\x90"s)), "mp4a.40.2");
  EXPECT_EQ(codec_of("mp4a", sound_entry("\x40"s + before_specific + "\xf9\x40"s)), "mp4a.40.42");
  EXPECT_EQ(codec_of("mp4a", sound_entry("\x6b"s)), "mp4a.6b");
}

TEST(CodecString, WhatIsNotThereIsRefused) {
  EXPECT_EQ(refusal([] { codec_of("vp09", ""); }), "the codec vp09 is not known");
  EXPECT_EQ(refusal([] { codec_of("hvc1", std::string(kVisualFields, '\0')); }), "hvc1 has no hvcC");
  EXPECT_EQ(refusal([] { codec_of("avc1", std::string(kVisualFields, '\0')); }), "avc1 has no avcC");
  EXPECT_EQ(refusal([] { codec_of("avc1", "short"); }), "avc1 ends too early");
  EXPECT_EQ(refusal([] { codec_of("mp4a", sound_entry("\x40"s)); }), "esds ends too early");
}

struct Sample {
  std::uint32_t duration, flags, offset;
};

std::string segment_of(std::uint64_t decode_time, const std::vector<Sample>& samples) {
  std::string run = big_endian(0xf01, 4) + big_endian(samples.size(), 4) + big_endian(0, 4);
  for (const Sample& sample : samples) {
    run += big_endian(sample.duration, 4) + big_endian(100, 4) + big_endian(sample.flags, 4) +
           big_endian(sample.offset, 4);
  }
  const std::string traf = box("tfhd", big_endian(0x20000, 4) + big_endian(1, 4)) +
                           box("tfdt", big_endian(0x1000000, 4) + big_endian(decode_time, 8)) +
                           box("trun", run);
  return box("styp", "cmfs") + box("moof", box("traf", traf)) + box("mdat", "...");
}

TEST(CmafReader, ASegmentIsSummedUp) {
  const std::uint32_t not_sync = 0x10000;
  const SegmentFacts facts = read_segment(
      bytes_of(segment_of(1ull << 33, {{512, 0, 1024}, {512, not_sync, 2048}, {500, not_sync, 0}})), {});
  EXPECT_EQ(facts.decode_begin, 1ull << 33);
  EXPECT_EQ(facts.begin, (1ll << 33) + 1024);
  EXPECT_EQ(facts.ticks, 1524u);
  EXPECT_EQ(facts.longest_sample, 512u);
  EXPECT_EQ(facts.samples.size(), 3u);
  EXPECT_TRUE(facts.begins_with_sync_sample);
  EXPECT_FALSE(read_segment(bytes_of(segment_of(0, {{512, not_sync, 0}})), {}).begins_with_sync_sample);
}

TEST(CmafReader, ASegmentThatIsCutIsRefused) {
  const std::string whole = segment_of(0, {{512, 0, 0}, {512, 0, 0}});
  const std::size_t media = whole.size() - 11;  // without mdat it is still understood
  for (std::size_t size = 0; size < whole.size(); ++size) {
    if (size == media) continue;
    EXPECT_NE(refusal([&] { read_segment(bytes_of(whole.substr(0, size)), {}); }), "accepted") << size;
  }
}

}  // namespace
}  // namespace tributary
