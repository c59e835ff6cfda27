#include "proxy/leading/interchangeable.hh"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <vector>

#include "child_process.hh"

namespace tributary::proxy {
namespace {

namespace fs = std::filesystem;
using Options = std::vector<std::string>;

const Options kTransport{"-f", "mpegts"};
const Options kMp4{"-f", "mp4", "-movflags", "+frag_keyframe+empty_moov+default_base_moof"};
const Options kInBand{"-tag:v", "avc3", "-bsf:v", "dump_extra=freq=keyframe"};
const Options kAvc3WithoutSets{"-tag:v", "avc3"};

Options joined(Options options, const Options& more) {
  options.insert(options.end(), more.begin(), more.end());
  return options;
}

std::string film(const std::string& size, const Options& options) {
  const fs::path file = fs::temp_directory_path() / fmt::format("interchangeable {}", getpid());
  Options command{
      FFMPEG, "-nostdin", "-v", "error", "-y", "-f", "lavfi", "-i", fmt::format("testsrc2=s={}:r=25:d=2", size)};
  command =
      joined(command, {"-c:v", "libx264", "-preset", "ultrafast", "-g", "50", "-pix_fmt", "yuv420p", "-b:v", "2M"});
  command = joined(command, options);
  command.push_back(file);
  segmenter::must_run(command);
  std::ifstream stream{file, std::ios::binary};
  std::string text{std::istreambuf_iterator<char>{stream}, {}};
  fs::remove(file);
  return text;
}

/// As it is fetched: the init segment, and the beginning of what is behind it.
SegmentSample mp4(const std::string& size, const Options& options) {
  const std::string text = film(size, joined(options, kMp4));
  const std::size_t moof = text.find("moof") - 4;
  return {text.substr(0, moof), text.substr(moof, kSampleBytes)};
}

SegmentSample transport_stream(const std::string& size, const Options& options = {}) {
  return {"", film(size, joined(options, kTransport)).substr(0, kSampleBytes)};
}

TEST(Interchangeable, TransportStreamsOfAnySize) {
  EXPECT_EQ(why_not_interchangeable(transport_stream("640x360"), transport_stream("160x90")), std::nullopt);
}

TEST(Interchangeable, NotTransportStreamsThatNumberStreamsOtherwise) {
  const SegmentSample other =
      transport_stream("160x90", {"-mpegts_start_pid", "0x300", "-mpegts_pmt_start_pid", "0x600"});
  EXPECT_EQ(why_not_interchangeable(transport_stream("640x360"), other),
            "their transport streams number what is in them otherwise");
}

TEST(Interchangeable, NotTransportStreamsOfOtherCodecs) {
  const SegmentSample other = transport_stream("160x90", {"-c:v", "mpeg2video"});
  EXPECT_EQ(why_not_interchangeable(transport_stream("640x360"), other), "they are coded in different ways");
}

TEST(Interchangeable, Mp4ThatBringsParameterSetsWithThePictures) {
  EXPECT_EQ(why_not_interchangeable(mp4("640x360", kInBand), mp4("160x90", kInBand)), std::nullopt);
}

TEST(Interchangeable, NotMp4ThatSaysItDoesAndDoesNot) {
  EXPECT_EQ(why_not_interchangeable(mp4("640x360", kAvc3WithoutSets), mp4("160x90", kAvc3WithoutSets)),
            "segments of avc3 come without their parameter sets, and init segments differ");
}

TEST(Interchangeable, NotMp4WithParameterSetsInItsInitSegments) {
  EXPECT_EQ(why_not_interchangeable(mp4("640x360", {}), mp4("160x90", {})),
            "the parameter sets of avc1 are in the init segments, which differ");
}

TEST(Interchangeable, AnyMp4WithTheSameInitSegment) {
  const SegmentSample sample = mp4("320x180", {});
  EXPECT_EQ(why_not_interchangeable(sample, {sample.init, "whatever"}), std::nullopt);
}

TEST(Interchangeable, NotMp4ThatCountsTimesOtherwise) {
  EXPECT_EQ(why_not_interchangeable(mp4("640x360", kInBand),
                                    mp4("160x90", joined(kInBand, {"-video_track_timescale", "1000"}))),
            "their init segments count times or tracks otherwise");
}

TEST(Interchangeable, NotWhatIsNoMedia) {
  EXPECT_EQ(why_not_interchangeable({"", "text"}, {"", "text"}), "they are neither MPEG-TS nor MP4 with init segments");
  EXPECT_EQ(why_not_interchangeable({"init", "a"}, {"", "b"}), "not all of them have init segments");
  EXPECT_TRUE(
      why_not_interchangeable(mp4("160x90", kInBand), {mp4("640x360", kInBand).init, "no segment"}).has_value());
}

}  // namespace
}  // namespace tributary::proxy
