#include <gtest/gtest.h>

#include <fstream>

#include "child_process.hh"
#include "file_content.hh"
#include "presentation/json/json_index.hh"
#include "segmenter/synthetic/synthetic_content.hh"
#include "segmenter/synthetic/synthetic_movie.hh"
#include "temporary_directory.hh"

namespace tributary::segmenter {
namespace {

namespace fs = std::filesystem;

/// Every file is there with the promised size and content.
void expect_movie(const fs::path& directory, const SyntheticMovie& movie) {
  const Presentation presentation = read_index(content_of(directory / "index.json"));
  ASSERT_EQ(presentation.tracks.size(), movie.qualities.size());
  for (std::uint32_t q = 0; q < movie.qualities.size(); ++q) {
    const Track& track = presentation.tracks[q];
    EXPECT_EQ(track.id, movie.qualities[q].name);
    EXPECT_EQ(track.kind, TrackKind::kData);
    EXPECT_EQ(track.group, presentation.tracks[0].group);
    EXPECT_EQ(track.init, std::nullopt);
    EXPECT_EQ(track.bitrate.target, movie.qualities[q].rate);
    EXPECT_EQ(track.duration(SegmentIndex{0}), std::chrono::milliseconds{movie.segment_ms});
    ASSERT_EQ(track.sizes, movie.qualities[q].sizes);
    for (std::uint32_t s = 0; s < track.sizes.size(); ++s) {
      std::string expected(static_cast<std::size_t>(track.sizes[s].bytes()), '\0');
      fill_synthetic(std::as_writable_bytes(std::span{expected}), q, s, 0);
      EXPECT_TRUE(content_of(directory / track.segment(static_cast<SegmentIndex>(s)).uri) == expected)
          << track.id << " segment " << s;
    }
  }
}

TEST(SegmentSynthetic, WritesTheThesisMovie) {
  const TemporaryDirectory scratch;
  const fs::path out = scratch.path() / "out";
  const Outcome outcome = run({TRIBUTARY_SEGMENT, "--synthetic", "thesis:5", "--segments", "10", "-o", out.string()});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.error;
  expect_movie(out, thesis_movie(5, 10));
}

TEST(SegmentSynthetic, WritesAMovieOfGivenSizes) {
  const TemporaryDirectory scratch;
  const std::string movie =
      R"({"segment_duration_ms": 500, "bitrates_kbps": [10, 20], "segment_sizes_bits": [[5000, 9999], [6000, 8]]})";
  std::ofstream{scratch.path() / "movie.json"} << movie;
  const fs::path out = scratch.path() / "out";
  const Outcome outcome =
      run({TRIBUTARY_SEGMENT, "--synthetic", (scratch.path() / "movie.json").string(), "-o", out.string()});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.error;
  expect_movie(out, read_movie(movie));
}

TEST(SegmentSynthetic, WritesTheSameIndexWithoutTheBytes) {
  const TemporaryDirectory scratch;
  const fs::path whole = scratch.path() / "whole", index = scratch.path() / "index";
  ASSERT_EQ(run({TRIBUTARY_SEGMENT, "--synthetic", "thesis:5", "--segments", "10", "-o", whole.string()}).exit_code, 0);
  const Outcome outcome =
      run({TRIBUTARY_SEGMENT, "--synthetic", "thesis:5", "--segments", "10", "-o", index.string(), "--index-only"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.error;
  EXPECT_EQ(content_of(index / "index.json"), content_of(whole / "index.json"));
  EXPECT_FALSE(fs::exists(index / "low"));
}

TEST(SegmentSynthetic, AWrongMovieIsExit2WithThePlaceNamed) {
  const TemporaryDirectory scratch;
  const std::string path = (scratch.path() / "movie.json").string();
  std::ofstream{path} << R"({"segment_duration_ms": 500})";
  const Outcome outcome = run({TRIBUTARY_SEGMENT, "--synthetic", path, "-o", (scratch.path() / "out").string()});
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_EQ(outcome.error, "tributary-segment: " + path + ": \"bitrates_kbps\" is missing\n");
}

}  // namespace
}  // namespace tributary::segmenter
