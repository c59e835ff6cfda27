#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>

#include "child_process.hh"
#include "file_content.hh"
#include "media/cmaf_reader.hh"
#include "presentation/json/frame_index.hh"
#include "presentation/json/json_index.hh"
#include "temporary_directory.hh"

namespace tributary::segmenter {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using ::testing::ContainsRegex;

/// Packs a real film with frames of all kinds, with a frame index and in a single file.
class SegmentFrames : public ::testing::Test {
 protected:
  SegmentFrames() {
    const std::string film = (scratch_.path() / "film.mp4").string();
    EXPECT_EQ(run({FFMPEG, "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=320x180:r=25:d=3.2", "-c:v", "libx264",
                   "-preset", "veryfast", "-x264-params",
                   "keyint=25:min-keyint=25:scenecut=0:bframes=3:b-adapt=0:b-pyramid=normal:slices=2", film})
                  .error,
              "");
    EXPECT_EQ(run({TRIBUTARY_SEGMENT, "package", film, "-o", out_.string(), "--segment", "1s", "--single-file",
                   "--frame-index", "-q"})
                  .error,
              "");
    track_ = read_index(content_of(out_ / "index.json")).tracks.at(0);
  }
  Outcome check() { return run({TRIBUTARY_SEGMENT, "check", out_.string()}); }

  TemporaryDirectory scratch_;
  fs::path out_ = scratch_.path() / "out";
  Track track_;
};

struct ProbedFrame {
  std::int64_t position, size;
  std::string type;
};

/// In decoding order. `skip`: frames that the decoder leaves out ("noref").
std::vector<ProbedFrame> probe(const fs::path& path, const std::string& skip) {
  const Outcome outcome = run({FFPROBE, "-v", "error", "-skip_frame", skip, "-select_streams", "v", "-show_entries",
                               "frame=pkt_pos,pkt_size,pict_type", "-of", "json", path.string()});
  std::vector<ProbedFrame> frames;
  const json probed = json::parse(outcome.out);
  for (const json& frame : probed["frames"]) {
    frames.push_back({std::stoll(frame["pkt_pos"].get<std::string>()), std::stoll(frame["pkt_size"].get<std::string>()),
                      frame["pict_type"].get<std::string>()});
  }
  std::sort(frames.begin(), frames.end(), [](const auto& a, const auto& b) { return a.position < b.position; });
  return frames;
}

TEST_F(SegmentFrames, AreWhereAndWhatFfprobeSays) {
  ASSERT_EQ(track_.frames, "film/frames.json");
  const FrameIndex index = read_frame_index(content_of(out_ / *track_.frames), track_);
  const std::vector<ProbedFrame> all = probe(out_ / track_.uri, "none");
  const std::vector<ProbedFrame> references = probe(out_ / track_.uri, "noref");
  ASSERT_EQ(all.size(), 80u);
  ASSERT_LT(references.size(), 60u);
  std::size_t frame = 0, reference = 0;
  std::string kinds;
  for (std::size_t s = 0; s < index.size(); ++s) {
    for (const Frame& f : index[s]) {
      const char kind = static_cast<char>(f.kind);
      kinds += kind;
      ASSERT_LT(frame, all.size());
      EXPECT_EQ(all[frame].position, (track_.file_offsets[s] + f.range.begin).bytes()) << frame;
      EXPECT_EQ(all[frame].size, f.range.size().bytes()) << frame;
      EXPECT_EQ(all[frame].type, std::string(1, kind == 'b' ? 'B' : kind)) << frame;
      const bool refers = reference < references.size() && references[reference].position == all[frame].position;
      EXPECT_EQ(refers, kind != 'b') << frame;
      reference += refers;
      ++frame;
    }
  }
  EXPECT_EQ(frame, all.size());
  EXPECT_EQ(kinds.substr(0, 9), "IPBbbPBbb");
}

TEST_F(SegmentFrames, ChunksAreFragmentsOfTheirDuration) {
  const fs::path chunked = scratch_.path() / "chunked";
  EXPECT_EQ(run({TRIBUTARY_SEGMENT, "package", (scratch_.path() / "film.mp4").string(), "-o", chunked.string(),
                 "--segment", "1s", "--frame-index", "--chunk", "200ms", "-q"})
                .error,
            "");
  const Track track = read_index(content_of(chunked / "index.json")).tracks.at(0);
  const std::string head = content_of(chunked / track.init->uri);
  const InitFacts init = read_init(std::as_bytes(std::span{head}));
  const std::string bytes = content_of(chunked / track.segment(SegmentIndex{0}).uri);
  const SegmentFacts facts = read_segment(std::as_bytes(std::span{bytes}), init);
  EXPECT_EQ(facts.fragments, 5u);
  EXPECT_EQ(facts.samples.size(), 25u);
  EXPECT_EQ(facts.ticks(), track.durations[0]);
  const Outcome checked = run({TRIBUTARY_SEGMENT, "check", chunked.string()});
  EXPECT_EQ(checked.exit_code, 0) << checked.out;
  const auto pictures = [](const fs::path& playlist) {
    return run({FFMPEG, "-v", "error", "-xerror", "-i", playlist.string(), "-map", "0:v", "-f", "framemd5", "-"}).out;
  };
  EXPECT_EQ(pictures(chunked / "film/playlist.m3u8"), pictures(out_ / "film/playlist.m3u8"));
}

TEST_F(SegmentFrames, AreCheckedAndReplaced) {
  EXPECT_EQ(check().exit_code, 0);
  const fs::path frames = out_ / *track_.frames;
  const std::string whole = content_of(frames);
  const auto changed = [&](const std::string& words, const std::string& by) {
    std::string text = whole;
    return text.replace(text.find(words), words.size(), by);
  };
  std::ofstream{frames} << changed("IPBbb", "IPbBb");
  EXPECT_THAT(check().out, ContainsRegex("film/frames.json: segments.0.: frame 2 is another one in the segment"));
  std::ofstream{frames} << changed("\"kinds\":\"I", "\"kinds\":\"");
  EXPECT_THAT(check().out, ContainsRegex("film/frames.json: segments.0..0..bytes: 25 sizes, but \"kinds\" has 24"));
  fs::remove(frames);
  EXPECT_THAT(check().out, ContainsRegex("film/frames.json: cannot be read"));
  std::ofstream{frames} << whole;
  EXPECT_EQ(run({TRIBUTARY_SEGMENT, (scratch_.path() / "film.mp4").string(), "-o", out_.string(), "--ladder",
                 "low=100k", "--frame-index", "--force", "-q"})
                .error,
            "");
  EXPECT_FALSE(fs::exists(frames));
  EXPECT_TRUE(fs::exists(out_ / "low/frames.json"));
  EXPECT_EQ(check().exit_code, 0);
}

TEST(SegmentFramesFailure, OtherCodecsAndPlainBytesAreRefused) {
  const TemporaryDirectory scratch;
  const std::string film = (scratch.path() / "film.mp4").string(), out = (scratch.path() / "out").string();
  ASSERT_EQ(run({FFMPEG, "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=160x90:r=25:d=1", "-c:v", "libx265", "-preset",
                 "ultrafast", "-x265-params", "log-level=0", film})
                .error,
            "");
  const Outcome hevc = run({TRIBUTARY_SEGMENT, "package", film, "-o", out, "--frame-index"});
  EXPECT_EQ(hevc.exit_code, 3);
  EXPECT_THAT(hevc.error, ContainsRegex("the frames of film: kinds of frames are known of H.264, not of hvc1"));
  EXPECT_EQ(run({TRIBUTARY_SEGMENT, "--synthetic", "thesis", "-o", out, "--frame-index"}).exit_code, 2);
}

}  // namespace
}  // namespace tributary::segmenter
