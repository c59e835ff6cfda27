#include "demux/demuxed_segment.hh"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <random>
#include <set>

#include "child_process.hh"
#include "packed_audio.hh"

namespace tributary {
namespace {

using ::testing::HasSubstr;
using ::testing::SizeIs;
namespace fs = std::filesystem;
using Bytes = std::vector<std::byte>;

constexpr std::int64_t kFrame = 3600, kWrap = 1ll << 33;  // ticks
constexpr int kSeconds = 2, kPictures = 25 * kSeconds;

/// ffmpeg makes the segments: pictures with B frames of two depths, and sound.
class DemuxedSegmentTest : public ::testing::Test {
 protected:
  static Bytes made(std::vector<std::string> options, const std::string& name) {
    const fs::path file = fs::temp_directory_path() / fmt::format("demuxed {} {}", getpid(), name);
    std::vector<std::string> command{FFMPEG, "-nostdin", "-v", "error", "-y"};
    for (const std::string& source :
         {fmt::format("testsrc2=s=160x90:r=25:d={}", kSeconds), fmt::format("sine=440:r=44100:d={}", kSeconds)})
      command.insert(command.end(), {"-f", "lavfi", "-i", source});
    command.insert(command.end(), options.begin(), options.end());
    command.push_back(file);
    segmenter::must_run(command);
    std::ifstream stream{file, std::ios::binary};
    const std::string text{std::istreambuf_iterator<char>{stream}, {}};
    fs::remove(file);
    const auto bytes = std::as_bytes(std::span{text});
    return {bytes.begin(), bytes.end()};
  }
  static const Bytes& transport_stream() {
    static const Bytes bytes =
        made({"-c:v", "libx264", "-bf", "3", "-pix_fmt", "yuv420p", "-c:a", "aac", "-f", "mpegts"}, "film.ts");
    return bytes;
  }
  /// Sound alone.
  static Bytes sound(const std::string& codec, const std::string& format) {
    return made({"-map", "1:a", "-c:a", codec, "-ac", "2", "-write_xing", "0", "-id3v2_version", "0", "-f", format},
                "sound");
  }
};

const DemuxedStream& stream_of(const DemuxedSegment& segment, TrackKind kind) {
  return *std::ranges::find(segment.streams, kind, &DemuxedStream::kind);
}

/// Each picture once, without a hole.
void expect_pictures(const DemuxedStream& stream, std::size_t count) {
  ASSERT_THAT(stream.frames, SizeIs(count));
  EXPECT_TRUE(stream.frames.front().sync());
  std::set<std::int64_t> shown;
  for (const DemuxedFrame& frame : stream.frames) {
    shown.insert(frame.shown);
    EXPECT_EQ(frame.duration, kFrame);
  }
  EXPECT_EQ(shown.size(), count);
  EXPECT_EQ(*shown.rbegin() - *shown.begin(), static_cast<std::int64_t>(count - 1) * kFrame);
}

void expect_sound(const DemuxedStream& stream, double seconds) {
  ASSERT_FALSE(stream.frames.empty());
  std::int64_t until = stream.frames.front().shown;
  for (const DemuxedFrame& frame : stream.frames) {
    EXPECT_TRUE(frame.sync());
    EXPECT_NEAR(static_cast<double>(frame.shown), static_cast<double>(until), 2);  // rounded to ticks
    until = frame.shown + frame.duration;
  }
  EXPECT_NEAR(static_cast<double>(until - stream.frames.front().shown) / 90'000, seconds, 0.1);
}

TEST_F(DemuxedSegmentTest, ATransportStreamHoldsPictureAndSound) {
  const DemuxedSegment segment = demux_segment({}, transport_stream());
  EXPECT_EQ(segment.damage, std::nullopt);
  ASSERT_THAT(segment.streams, SizeIs(2));
  const DemuxedStream &picture = segment.streams[0], &heard = segment.streams[1];
  EXPECT_EQ(picture.kind, TrackKind::kVideo);
  EXPECT_EQ(picture.codec, AV_CODEC_ID_H264);
  EXPECT_EQ(picture.timescale, 90'000u);
  EXPECT_EQ(picture.wrap, kWrap);
  expect_pictures(picture, kPictures);
  EXPECT_EQ(heard.codec, AV_CODEC_ID_AAC);
  expect_sound(heard, kSeconds);
}

TEST_F(DemuxedSegmentTest, TimesGoOnBehindTheWrapOfTheirBits) {
  const Bytes bytes = made({"-c:v", "libx264", "-bf", "3", "-c:a", "ac3", "-muxdelay", "0", "-output_ts_offset",
                            fmt::format("{:.6f}", kWrap / 90'000.0 - 1), "-f", "mpegts"},
                           "wrap.ts");
  const DemuxedSegment segment = demux_segment({}, bytes);
  EXPECT_EQ(segment.damage, std::nullopt);
  ASSERT_THAT(segment.streams, SizeIs(2));
  expect_pictures(segment.streams[0], kPictures);
  expect_sound(segment.streams[1], kSeconds);
  EXPECT_LT(std::ranges::min_element(segment.streams[0].frames, {}, &DemuxedFrame::shown)->shown, kWrap);
  EXPECT_GT(std::ranges::max_element(segment.streams[0].frames, {}, &DemuxedFrame::shown)->shown, kWrap);
  EXPECT_NEAR(static_cast<double>(segment.streams[1].frames.front().shown), kWrap - 90'000.0, 30'000);
}

TEST_F(DemuxedSegmentTest, WhatIsInFrontOfACutIsRead) {
  const Bytes& whole = transport_stream();
  std::size_t before = 0;
  for (std::size_t size = 0; size < whole.size(); size += whole.size() / 17) {
    const DemuxedSegment segment = demux_segment({}, std::span{whole}.first(size));
    std::size_t pictures = 0;
    for (const DemuxedStream& stream : segment.streams)
      pictures += stream.kind == TrackKind::kVideo ? stream.frames.size() : 0;
    EXPECT_GE(pictures + 1, before) << size;
    EXPECT_LE(pictures, static_cast<std::size_t>(kPictures)) << size;
    before = pictures;
  }
  EXPECT_GT(before, static_cast<std::size_t>(kPictures) / 2);
}

TEST_F(DemuxedSegmentTest, APacketThatDoesNotBeginIsToldAndThoseBehindItAreRead) {
  Bytes bytes = transport_stream();
  const std::size_t middle = bytes.size() / 376 * 188;
  bytes[middle] = std::byte{0};
  const DemuxedSegment segment = demux_segment({}, bytes);
  ASSERT_TRUE(segment.damage);
  EXPECT_THAT(*segment.damage, HasSubstr(std::to_string(middle)));
  EXPECT_GE(stream_of(segment, TrackKind::kVideo).frames.size(), static_cast<std::size_t>(kPictures) - 1);
}

TEST_F(DemuxedSegmentTest, LostPacketsAreTold) {
  Bytes bytes = transport_stream();
  const auto middle = bytes.begin() + static_cast<std::ptrdiff_t>(bytes.size() / 376 * 188);
  bytes.erase(middle, middle + 5 * 188);
  const DemuxedSegment segment = demux_segment({}, bytes);
  EXPECT_EQ(segment.damage, "bytes of it are missing");
  EXPECT_GT(stream_of(segment, TrackKind::kVideo).frames.size(), static_cast<std::size_t>(kPictures) / 2);
}

TEST_F(DemuxedSegmentTest, AnyBytesAreSurvived) {
  const std::uint32_t seed = 1;
  std::minstd_rand random{seed};
  const Bytes packed = sound("aac", "adts");
  for (const Bytes* whole : {&transport_stream(), &packed}) {
    for (int round = 0; round < 60; ++round) {
      Bytes bytes = *whole;
      for (int i = 0; i < 1 << round % 10; ++i) {
        std::size_t at = random() % bytes.size();
        if (at % 188 == 0) ++at;  // so that packets begin as before
        bytes[std::min(at, bytes.size() - 1)] = static_cast<std::byte>(random());
      }
      for (const DemuxedStream& stream : demux_segment({}, bytes).streams) {
        for (const DemuxedFrame& frame : stream.frames) {
          EXPECT_GT(frame.packet->size, 0) << "seed " << seed << ", round " << round;
          EXPECT_LE(std::abs(frame.shown), 1ll << 60);
          EXPECT_GE(frame.duration, 0);
        }
      }
    }
  }
}

TEST_F(DemuxedSegmentTest, WhatIsNoSegmentIsToldSo) {
  EXPECT_EQ(demux_segment({}, {}).damage, "it is empty");
  const std::string page = "<html>There is no such file.</html>";
  EXPECT_THAT(demux_segment({}, std::as_bytes(std::span{page})).damage.value_or(""), HasSubstr("neither MPEG-TS"));
  EXPECT_THAT(demux_segment({}, Bytes(188, std::byte{0x47})).damage.value_or(""), HasSubstr("neither picture nor"));
}

struct Packed {
  const char *encoder, *format;
  AVCodecID codec;
};

class PackedAudioTest : public DemuxedSegmentTest, public ::testing::WithParamInterface<Packed> {};

TEST_P(PackedAudioTest, ItsTagSaysWhenItBegins) {
  const Bytes frames = sound(GetParam().encoder, GetParam().format);
  for (const std::uint64_t begins : {std::uint64_t{126'000}, static_cast<std::uint64_t>(kWrap) - 90'000}) {
    Bytes bytes = testing::time_tag(begins);
    bytes.insert(bytes.end(), frames.begin(), frames.end());
    const DemuxedSegment segment = demux_segment({}, bytes);
    EXPECT_EQ(segment.damage, std::nullopt);
    ASSERT_THAT(segment.streams, SizeIs(1));
    const DemuxedStream& stream = segment.streams.front();
    EXPECT_EQ(stream.kind, TrackKind::kAudio);
    EXPECT_EQ(stream.codec, GetParam().codec);
    EXPECT_TRUE(stream.timed);
    EXPECT_EQ(stream.frames.front().shown, static_cast<std::int64_t>(begins));
    expect_sound(stream, kSeconds);
  }
  const DemuxedSegment untimed = demux_segment({}, frames);
  ASSERT_THAT(untimed.streams, SizeIs(1));
  EXPECT_FALSE(untimed.streams.front().timed);
  EXPECT_EQ(untimed.streams.front().frames.front().shown, 0);
  expect_sound(untimed.streams.front(), kSeconds);
}

INSTANTIATE_TEST_SUITE_P(Codecs, PackedAudioTest,
                         ::testing::Values(Packed{"aac", "adts", AV_CODEC_ID_AAC},
                                           Packed{"libmp3lame", "mp3", AV_CODEC_ID_MP3},
                                           Packed{"ac3", "ac3", AV_CODEC_ID_AC3},
                                           Packed{"eac3", "eac3", AV_CODEC_ID_EAC3}),
                         [](const auto& of) { return std::string{of.param.format}; });

}  // namespace
}  // namespace tributary
