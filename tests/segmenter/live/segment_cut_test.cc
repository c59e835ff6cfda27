#include "segmenter/live/segment_cut.hh"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "segmenter/publish/cmaf_writer.hh"
#include "segmenter/publish/file_bytes.hh"

namespace tributary::segmenter {
namespace {

constexpr int kFrames = 20;

/// Frames of 1024 samples, without sound in them.
class SilentWriter {
 public:
  SilentWriter() : parameters_{avcodec_parameters_alloc()} {
    parameters_->codec_type = AVMEDIA_TYPE_AUDIO;
    parameters_->codec_id = AV_CODEC_ID_AAC;
    parameters_->sample_rate = 48000;
    parameters_->frame_size = 1024;
    av_channel_layout_default(&parameters_->ch_layout, 1);
    parameters_->extradata = static_cast<std::uint8_t*>(av_mallocz(2 + AV_INPUT_BUFFER_PADDING_SIZE));
    parameters_->extradata[0] = 0x11;
    parameters_->extradata[1] = 0x88;
    parameters_->extradata_size = 2;
    writer_.emplace(*parameters_, AVRational{0, 1}, 48000, Duration{});
  }

  /// Each has other bytes, and other many.
  void add(int frame) {
    PacketHandle packet{av_packet_alloc()};
    av_new_packet(packet.get(), 10 + frame);
    std::fill_n(packet->data, packet->size, static_cast<std::uint8_t>(frame));
    packet->pts = packet->dts = frame * 1024;
    packet->flags = AV_PKT_FLAG_KEY;
    writer_->add(*packet);
  }
  CmafWriter& cmaf() { return *writer_; }
  InitFacts init() const { return read_init(writer_->init()); }

 private:
  ParametersHandle parameters_;
  std::optional<CmafWriter> writer_;
};

std::string text_of(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::string joined(const std::vector<CutPart>& parts) {
  std::string whole;
  for (const CutPart& part : parts) whole += part.content;
  return whole;
}

std::string a_segment(SilentWriter& writer) {
  for (int frame = 0; frame < kFrames; ++frame) writer.add(frame);
  return text_of(writer.cmaf().take_segment(kFrames * 1024));
}

TEST(CmafWriter, ChunksAreTakenWhenTheyAreCompleteAndMakeUpTheSegment) {
  SilentWriter writer;
  std::string chunks;
  for (int frame = 0; frame < kFrames; ++frame) {
    writer.add(frame);
    if (frame % 6 == 5) {
      const std::string chunk = text_of(writer.cmaf().take_chunk((frame + 1) * 1024));
      const SegmentFacts facts = read_segment(bytes_of(chunk), writer.init());
      EXPECT_EQ(facts.fragments, 1U);
      EXPECT_EQ(facts.ticks(), 6 * 1024U) << "with the last frame, whose end nobody has seen yet";
      chunks += chunk;
    }
  }
  const std::string segment = text_of(writer.cmaf().take_segment(kFrames * 1024));
  EXPECT_TRUE(segment.starts_with(chunks));
  EXPECT_EQ(read_segment(bytes_of(segment), writer.init()).fragments, 4U);
  writer.add(kFrames);
  EXPECT_EQ(read_segment(writer.cmaf().take_chunk((kFrames + 1) * 1024), writer.init()).samples[0].decoded,
            kFrames * 1024);
  EXPECT_EQ(read_segment(writer.cmaf().take_segment((kFrames + 1) * 1024), writer.init()).samples.size(), 1U)
      << "a segment whose chunks are all taken";
}

/// The bytes of the first box of that name, from its name on.
std::string box_of(const std::string& bytes, const std::string& name) {
  const std::size_t at = bytes.find(name);
  return at == std::string::npos ? "" : bytes.substr(at, static_cast<unsigned char>(bytes[at - 1]) - 4U);
}

TEST(CmafWriter, ChunksStateWhenTheyWereMade) {
  SilentWriter writer;
  constexpr std::int64_t kOffset = 960;
  // Half a second before a whole one, so that seconds are carried.
  writer.cmaf().state_times({*utc_from("2026-01-02T03:04:05.500Z"), kOffset});
  std::string segment;
  for (int frame = 0; frame < 150; ++frame) {
    writer.add(frame);
    if (frame % 75 == 74) segment += text_of(writer.cmaf().take_chunk((frame + 1) * 1024));
  }
  EXPECT_EQ(segment, text_of(writer.cmaf().take_segment(150 * 1024)));
  EXPECT_EQ(read_segment(bytes_of(segment), writer.init()).fragments, 2U);
  const std::string second = segment.substr(segment.find("cmfl") - 8);
  EXPECT_EQ(box_of(second, "styp"), std::string("stypcmfl\0\0\0\0cmfliso6", 20));
  EXPECT_LT(second.find("prft"), second.find("moof"));
  // 1.6 s later: 2026-01-02T03:04:07.1Z since 1900; 75 frames of 1024 ticks, and the offset.
  EXPECT_EQ(box_of(second, "prft"),
            std::string("prft\1\0\0\0\0\0\0\1\xed\x01\xb4\x27\x19\x99\x99\x99\0\0\0\0\0\1\x2f\xc0", 28));
}

TEST(SegmentCut, ASegmentIsCutAtTheSamplesThatAreNearest) {
  SilentWriter writer;
  const std::string segment = a_segment(writer);
  const InitFacts init = writer.init();
  const auto parts = cut_samples(segment, init, std::vector<std::uint64_t>{5000, 10000}, 0, 1);
  ASSERT_EQ(parts.size(), 3U);
  EXPECT_EQ(parts[0].part.ticks, 5 * 1024U) << "5 frames are 5120 ticks";
  EXPECT_EQ(parts[1].part.ticks, 5 * 1024U) << "10 frames are 10240 ticks";
  EXPECT_EQ(parts[2].part.ticks, 10 * 1024U);
  const std::string whole = joined(parts);
  const SegmentFacts before = read_segment(bytes_of(segment), init), after = read_segment(bytes_of(whole), init);
  EXPECT_EQ(after.fragments, 3U);
  ASSERT_EQ(after.samples.size(), before.samples.size());
  for (std::size_t i = 0; i < after.samples.size(); ++i) {
    const MediaSample &was = before.samples[i], &is = after.samples[i];
    EXPECT_EQ(is.decoded, was.decoded);
    EXPECT_EQ(is.shown, was.shown);
    EXPECT_EQ(is.duration, was.duration);
    EXPECT_EQ(is.sync, was.sync);
    EXPECT_EQ(whole.substr(is.begin, is.size), segment.substr(was.begin, was.size));
  }
}

TEST(SegmentCut, TimestampsMove) {
  SilentWriter writer;
  const auto parts = cut_samples(a_segment(writer), writer.init(), std::vector<std::uint64_t>{10240}, 1ull << 40, 7);
  EXPECT_EQ(read_segment(bytes_of(parts[1].content), writer.init()).samples[0].decoded, (1ll << 40) + 10 * 1024);
}

TEST(SegmentCut, APartWithoutASampleIsAnError) {
  SilentWriter writer;
  const std::string segment = a_segment(writer);
  EXPECT_THROW(cut_samples(segment, writer.init(), std::vector<std::uint64_t>{5000, 5100}, 0, 1), BoxError);
  EXPECT_THROW(cut_samples("", writer.init(), {}, 0, 1), BoxError);
}

TEST(SegmentCut, PlainBytesAreCutByTime) {
  const auto parts = cut_bytes("abcdefghij", 2000, std::vector<std::uint64_t>{500, 1000});
  ASSERT_EQ(parts.size(), 3U);
  EXPECT_EQ(parts[0].content, "ab");
  EXPECT_EQ(parts[2].content, "fghij");
  EXPECT_EQ(parts[2].part.ticks, 1000U);
  EXPECT_TRUE(parts[0].part.independent);
  EXPECT_FALSE(parts[1].part.independent);
  EXPECT_THROW(cut_bytes("a", 2000, std::vector<std::uint64_t>{500}), BoxError);
}

}  // namespace
}  // namespace tributary::segmenter
