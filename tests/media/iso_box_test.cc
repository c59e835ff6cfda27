#include "media/iso_box.hh"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "box_bytes.hh"
#include "media/codec_string.hh"

namespace tributary {
namespace {

using namespace std::string_literals;

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
    return refusal([&] { boxes_in("the file", bytes_of(box("free", "") + bytes)); });
  };
  EXPECT_EQ(refusal_of(big_endian(9, 4) + "moof"), "moof at byte 8 says that it has 9 bytes, of 8 that are left");
  EXPECT_EQ(refusal_of(big_endian(7, 4) + "moof"), "moof at byte 8 says that it has 7 bytes, less than its header");
  EXPECT_EQ(refusal_of("\1\2\3"), "a box at byte 8 of the file ends too early");
  EXPECT_EQ(refusal_of(big_endian(1, 4) + "mdat" + big_endian(~0ull, 8)),
            "mdat at byte 8 says that it has 18446744073709551615 bytes, of 16 that are left");
}

TEST(IsoBox, ABoxWithinABoxIsNamedWithItsPlaceInTheFile) {
  const std::string bytes = box("free", "") + box("moov", box("mvhd", "12") + box("trak", box("tkhd", "")));
  const Box moov = boxes_in("the file", bytes_of(bytes)).at(1);
  EXPECT_EQ(moov.child("trak").child("tkhd").place(), "tkhd at byte 34");
  EXPECT_EQ(refusal([&] { moov.child("trak").child("mdia"); }), "trak at byte 26 has no mdia");
  EXPECT_EQ(refusal([&] { moov.child("mvhd").read().u32(); }), "mvhd at byte 16 ends too early");
}

std::string sound_entry(const std::string& decoder_config) {
  const std::string stream = "\0\1\0"s + "\4"s + static_cast<char>(decoder_config.size()) + decoder_config;
  // The length of the first descriptor in four bytes, as many writers do.
  const std::string esds = big_endian(0, 4) + "\3\x80\x80\x80"s + static_cast<char>(stream.size()) + stream;
  return std::string(kAudioFields, '\0') + box("esds", esds);
}

std::string codec_of(const std::string& type, const std::string& body) { return codec_string({type, bytes_of(body)}); }

TEST(CodecString, IsReadFromTheDecoderConfiguration) {
  EXPECT_EQ(codec_of("avc1", std::string(kVisualFields, '\0') + box("avcC", "\1\x64\0\x1f\xff"s)), "avc1.64001f");
  const std::string before_specific = std::string(12, '\0') + "\5\2"s;
  EXPECT_EQ(codec_of("mp4a", sound_entry("\x40"s + before_specific + "\x11\x90"s)), "mp4a.40.2");
  EXPECT_EQ(codec_of("mp4a", sound_entry("\x40"s + before_specific + "\xf9\x40"s)), "mp4a.40.42");
  EXPECT_EQ(codec_of("mp4a", sound_entry("\x6b"s)), "mp4a.6b");
  EXPECT_EQ(codec_of("vp09", std::string(kVisualFields, '\0') + box("vpcC", "\1\0\0\0\2\x1f\xa3"s)), "vp09.02.31.10");
  EXPECT_EQ(codec_of("ac-3", ""), "ac-3");
  EXPECT_EQ(codec_of("ec-3", ""), "ec-3");
}

TEST(DecoderConfig, IsWhatTheDecoderMustBeTold) {
  const auto config_of = [](const std::string& type, const std::string& body) {
    const auto config = decoder_config({type, bytes_of(body)});
    return std::string{reinterpret_cast<const char*>(config.data()), config.size()};
  };
  const std::string visual(kVisualFields, '\0');
  EXPECT_EQ(config_of("avc3", visual + box("colr", "") + box("avcC", "a record")), "a record");
  EXPECT_EQ(config_of("hev1", visual + box("hvcC", "a record")), "a record");
  EXPECT_EQ(config_of("av01", visual + box("av1C", "a record")), "a record");
  EXPECT_EQ(config_of("Opus", std::string(kAudioFields, '\0') + box("dOps", "a record")), "a record");
  EXPECT_EQ(config_of("mp4a", sound_entry("\x40"s + std::string(12, '\0') + "\5\2"s + "\x11\x90"s)), "\x11\x90"s);
  EXPECT_EQ(config_of("mp4a", sound_entry("\x6b"s)), "");
}

TEST(CodecString, WhatIsNotThereIsRefused) {
  EXPECT_EQ(refusal([] { codec_of("vvc1", ""); }), "vvc1 at byte 0: this codec is not known");
  EXPECT_EQ(refusal([] { codec_of("hvc1", std::string(kVisualFields, '\0')); }), "hvc1 at byte 0 has no hvcC");
  EXPECT_EQ(refusal([] { codec_of("avc1", std::string(kVisualFields, '\0')); }), "avc1 at byte 0 has no avcC");
  EXPECT_EQ(refusal([] { codec_of("avc1", "short"); }), "avc1 at byte 0 ends too early");
  EXPECT_EQ(refusal([] { codec_of("mp4a", sound_entry("\x40"s)); }), "esds at byte 36 ends too early");
}

}  // namespace
}  // namespace tributary
