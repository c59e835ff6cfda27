#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>

#include "child_process.hh"
#include "clip.hh"
#include "file_content.hh"
#include "joined.hh"
#include "presentation/json/json_index.hh"
#include "temporary_directory.hh"

namespace tributary::segmenter {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using ::testing::HasSubstr;

Outcome prepare(const fs::path& clip, const fs::path& output, const std::vector<std::string>& more = {}) {
  std::vector<std::string> command{TRIBUTARY_SEGMENT, clip.string(), "-o",       output.string(),
                                   "--segment",       "1s",          "--ladder", "low=60k@96x54,high=200k"};
  command.insert(command.end(), more.begin(), more.end());
  Outcome outcome = run(command);
  EXPECT_EQ(outcome.exit_code, 0) << outcome.error;
  return outcome;
}

Outcome check(const fs::path& directory) { return run({TRIBUTARY_SEGMENT, "check", directory.string()}); }

struct ProbedStream {
  int packets;
  double start;
};

/// One stream of a manifest ("v:1"). ffprobe ends all streams of a DASH manifest with the first that ends, so it is
/// asked for one only.
ProbedStream probe_stream(const fs::path& manifest, const std::string& stream) {
  const Outcome outcome = run({FFPROBE, "-v", "error", "-select_streams", stream, "-count_packets", "-show_entries",
                               "stream=start_time,nb_read_packets", "-of", "json", manifest.string()});
  EXPECT_EQ(outcome.error, "");
  const json probed = json::parse(outcome.out)["streams"][0];
  return {std::stoi(probed["nb_read_packets"].get<std::string>()), std::stod(probed["start_time"].get<std::string>())};
}

class SegmentManifests : public ::testing::TestWithParam<Clip> {};

TEST_P(SegmentManifests, LeadOtherProgramsToEveryPacket) {
  const TemporaryDirectory scratch;
  const fs::path out = scratch.path() / "out";
  prepare(make_clip(scratch.path(), GetParam()), out);
  for (const char* manifest : {"master.m3u8", "manifest.mpd"}) {
    SCOPED_TRACE(manifest);
    const ProbedStream low = probe_stream(out / manifest, "v:0"), high = probe_stream(out / manifest, "v:1"),
                       sound = probe_stream(out / manifest, "a:0");
    EXPECT_EQ(low.packets, GetParam().pictures);
    EXPECT_EQ(high.packets, GetParam().pictures);
    EXPECT_EQ(low.start, high.start);
    EXPECT_NEAR(low.start, sound.start, 1.0 / GetParam().sample_rate);
  }
  const Outcome checked = check(out);
  EXPECT_EQ(checked.exit_code, 0) << checked.out;
  EXPECT_THAT(checked.out, HasSubstr("tracks: 3, segments: 4, all as they should be"));
}

INSTANTIATE_TEST_SUITE_P(FrameAndSampleRates, SegmentManifests,
                         ::testing::Values(Clip{.frame_rate = "25"}, Clip{.frame_rate = "25", .sample_rate = 44100},
                                           Clip{.frame_rate = "30000/1001", .pictures = 100},
                                           Clip{.frame_rate = "30000/1001", .pictures = 91, .sample_rate = 44100}));

TEST(SegmentManifest, EachIsPublishedAfterWhatItNames) {
  const TemporaryDirectory scratch;
  const fs::path out = scratch.path() / "out";
  prepare(make_clip(scratch.path(), {}), out);
  fs::file_time_type before = fs::file_time_type::min();
  for (const char* name :
       {"high/00004.m4s", "low/playlist.m3u8", "audio/playlist.m3u8", "master.m3u8", "manifest.mpd", "index.json"}) {
    ASSERT_TRUE(fs::exists(out / name)) << name;
    EXPECT_LE(before, fs::last_write_time(out / name)) << name;
    before = fs::last_write_time(out / name);
  }
}

TEST(SegmentManifest, CanBeLeftOutAndStaleOnesGo) {
  const TemporaryDirectory scratch;
  const fs::path clip = make_clip(scratch.path(), {.pictures = 30, .sample_rate = 0});
  const fs::path out = scratch.path() / "out";
  prepare(clip, out);
  prepare(clip, out, {"--force", "--no-hls"});
  EXPECT_FALSE(fs::exists(out / "master.m3u8") || fs::exists(out / "low/playlist.m3u8"));
  EXPECT_TRUE(fs::exists(out / "manifest.mpd"));
  EXPECT_EQ(json::parse(content_of(out / "index.json"))["manifests"], (json{{"dash", "manifest.mpd"}}));
  EXPECT_EQ(check(out).exit_code, 0);
  prepare(clip, out, {"--force", "--no-dash", "--no-hls"});
  EXPECT_FALSE(fs::exists(out / "manifest.mpd"));
  EXPECT_EQ(check(out).exit_code, 0);
}

TEST(SegmentCheck, LooksAtASyntheticPresentationToo) {
  const TemporaryDirectory scratch;
  const fs::path out = scratch.path() / "out";
  const fs::path sizes = scratch.path() / "sizes.json";
  std::ofstream{sizes}
      << R"({"segment_duration_ms": 500, "bitrates_kbps": [10], "segment_sizes_bits": [[5000], [9999], [6000]]})";
  ASSERT_EQ(run({TRIBUTARY_SEGMENT, "--synthetic", sizes.string(), "-o", out.string()}).exit_code, 0);
  EXPECT_FALSE(fs::exists(out / "manifest.mpd"));
  EXPECT_EQ(check(out).exit_code, 0);
  fs::resize_file(out / "q0/00003.bin", 77);
  EXPECT_THAT(check(out).out, HasSubstr("q0/00003.bin: 77 bytes, but the index says 750\n"));
}

TEST(SegmentCheck, WithoutAnIndexIsExit1) {
  const TemporaryDirectory scratch;
  const Outcome outcome = check(scratch.path());
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_EQ(outcome.error, "tributary-segment: cannot read " + (scratch.path() / "index.json").string() + "\n");
}

using Change = std::function<std::string(const std::string&)>;

/// Replaces the first of these words, which must be there.
Change replace(const std::string& words, const std::string& by) {
  return [=](std::string text) {
    const std::size_t at = text.find(words);
    EXPECT_NE(at, std::string::npos) << words;
    return at == std::string::npos ? text : text.replace(at, words.size(), by);
  };
}

/// Multiplies the first number that follows the words.
Change scale(const std::string& words, double factor) {
  return [=](std::string text) {
    const std::size_t at = text.find(words);
    EXPECT_NE(at, std::string::npos) << words;
    if (at == std::string::npos) return text;
    const std::size_t begin = at + words.size();
    const std::size_t end = text.find_first_not_of("0123456789", begin);
    const double number = std::stod(text.substr(begin, end - begin));
    return text.replace(begin, end - begin, std::to_string(std::llround(number * factor)));
  };
}

/// Flips bits of the byte so many bytes behind the first letter of a box.
Change flip(const std::string& box, std::size_t offset, unsigned bits) {
  return [=](std::string bytes) {
    const std::size_t at = bytes.find(box);
    EXPECT_NE(at, std::string::npos);
    bytes[at + offset] = static_cast<char>(bytes[at + offset] ^ bits);
    return bytes;
  };
}

struct Damage {
  std::string file;
  Change change;
  std::string finding;
};

std::vector<Damage> damages() {
  return {
      {"low/00002.m4s", [](std::string bytes) { return bytes + "x"; },
       "low/00002.m4s: [0-9]+ bytes, but the index says"},
      {"low/00002.m4s", [](std::string bytes) { return bytes.substr(0, 100); },
       "low/00002.m4s: .* of .* that are left"},
      {"low/init.mp4", [](const std::string&) { return ""; }, "low/init.mp4: the init segment has no moov"},
      {"high/00003.m4s", flip("tfdt", 15, 1), "high/00003.m4s: tfdt is [0-9]+ instead of [0-9]+"},
      {"high/00003.m4s", flip("tfdt", 15, 1), "high/00003.m4s: begins at tick [0-9]+ instead of [0-9]+"},
      {"audio/00001.m4s", flip("tfdt", 15, 1), "audio/00001.m4s: tfdt is 1 instead of 0"},
      {"audio/00001.m4s", flip("tfhd", 15, 4),
       "audio/00001.m4s: its samples last [0-9]+ ticks, but the index says [0-9]+"},
      {"low/00001.m4s", flip("trun", 17, 1), "low/00001.m4s: does not begin with a sync sample"},
      {"low/init.mp4", flip("avcC", 7, 1), "index.json: codec of low is avc1.[0-9a-f]+, but should be avc1.[0-9a-f]+"},
      {"index.json", scale("\"bytes\":[", 1.1), "low/00001.m4s: [0-9]+ bytes, but the index says"},
      {"index.json", replace("12800,3", "12801,3"), "index.json: .*durations: differs"},
      {"index.json", scale("\"peak\":", 1.02), "index.json: bitrate.peak of low is [0-9]+ bit/s, but the files have"},
      {"index.json", replace("{", ""), "index.json: "},
      {"manifest.mpd", replace("d=\"12800\"", "d=\"12801\""),
       "manifest.mpd: AdaptationSet of video, S 1: d is 12801, but segment 1 lasts 12800"},
      {"manifest.mpd", replace("r=\"2\"", "r=\"1\""), "manifest.mpd: .*S 2: d is 2560, but segment 3 lasts 12800"},
      {"manifest.mpd", replace("r=\"2\"", "r=\"9\""), "manifest.mpd: .*more segments than the 4"},
      {"manifest.mpd", replace("<S t=\"1024\"", "<S t=\"0\""), "manifest.mpd: .*S 1: t is 0, but should be 1024"},
      {"manifest.mpd", scale("presentationTimeOffset=\"", 2), "manifest.mpd: .*presentationTimeOffset is 2048"},
      {"manifest.mpd", replace("PT3.200S", "PT3.2020S"), "manifest.mpd: mediaPresentationDuration is PT3.2020S"},
      {"manifest.mpd", scale("bandwidth=\"", 1.02), "manifest.mpd: Representation low: bandwidth is [0-9]+ bit/s"},
      {"manifest.mpd", replace("id=\"high\"", "id=\"hihg\""), "manifest.mpd: no Representation high"},
      {"manifest.mpd", replace("%05d", "%04d"), "manifest.mpd: .*media is low/0001.m4s, but should be low/00001.m4s"},
      {"manifest.mpd", replace("</Period>", ""), "manifest.mpd: byte [0-9]+: "},
      {"master.m3u8", scale(":BANDWIDTH=", 0.98), "master.m3u8:5: BANDWIDTH is [0-9]+ bit/s, but the files have"},
      {"master.m3u8", scale("AVERAGE-BANDWIDTH=", 1.02), "master.m3u8:5: AVERAGE-BANDWIDTH is"},
      {"master.m3u8", replace("avc1.64", "avc1.4d"), "master.m3u8:5: CODECS is avc1.4d"},
      {"master.m3u8", replace("high/playlist", "hihg/playlist"), "master.m3u8: does not name high/playlist.m3u8"},
      {"low/playlist.m3u8", replace("EXTINF:1.000000", "EXTINF:1.000002"), "low/playlist.m3u8:8: EXTINF is 1.000002"},
      {"low/playlist.m3u8", replace("00002.m4s", "00003.m4s"), "low/playlist.m3u8:13: the segment is low/00003.m4s"},
      {"low/playlist.m3u8", scale("BITRATE:", 0.9),
       "low/playlist.m3u8:9: EXT-X-BITRATE is [0-9]+, but the segment has"},
      {"low/playlist.m3u8",
       [](const std::string& text) { return text.substr(0, text.rfind("#EXTINF")) + "#EXT-X-ENDLIST\n"; },
       "low/playlist.m3u8: 3 segments, but the index has 4"},
      {"low/playlist.m3u8", replace("#EXT-X-ENDLIST\n", ""), "low/playlist.m3u8: #EXT-X-ENDLIST stands 0 times"},
      {"audio/playlist.m3u8", replace("DURATION:1", "DURATION:2"), "audio/playlist.m3u8:3: EXT-X-TARGETDURATION is 2"},
  };
}

/// Expects that each damage to the presentation is found, and nothing before it and after it.
void expect_findings(const fs::path& out, const std::vector<Damage>& damages) {
  for (const Damage& damage : damages) {
    SCOPED_TRACE(damage.file + ", " + damage.finding);
    const std::string whole = content_of(out / damage.file);
    std::ofstream{out / damage.file, std::ios::binary} << damage.change(whole);
    const Outcome outcome = check(out);
    std::ofstream{out / damage.file, std::ios::binary} << whole;
    EXPECT_EQ(outcome.exit_code, 5);
    EXPECT_THAT(outcome.out, ::testing::ContainsRegex(damage.finding));
    EXPECT_THAT(outcome.error, HasSubstr("wrong places: "));
  }
  EXPECT_EQ(check(out).exit_code, 0);
}

TEST(SegmentCheck, NamesEachWrongPlace) {
  const TemporaryDirectory scratch;
  const fs::path out = scratch.path() / "out";
  prepare(make_clip(scratch.path(), {}), out);
  expect_findings(out, damages());
  for (const char* file : {"audio/00004.m4s", "high/init.mp4", "low/playlist.m3u8", "master.m3u8", "manifest.mpd"}) {
    fs::rename(out / file, scratch.path() / "away");
    EXPECT_THAT(check(out).out, HasSubstr(std::string{file} + ": cannot be read"));
    fs::rename(scratch.path() / "away", out / file);
  }
  EXPECT_EQ(check(out).exit_code, 0);
}

std::vector<Damage> single_file_damages() {
  return {
      {"low/media.mp4", [](std::string bytes) { return bytes + "x"; },
       "low/media.mp4: [0-9]+ bytes, but the last segment ends at"},
      {"low/media.mp4", [](std::string bytes) { return bytes.substr(0, 2000); },
       "low/media.mp4: [0-9]+ bytes, but the index says"},
      {"low/media.mp4", flip("sidx", 0, 1), "low/media.mp4: between the init segment and the first"},
      {"low/media.mp4", flip("sidx", 19, 1), "low/media.mp4: earliest_presentation_time in sidx is"},
      {"low/media.mp4", flip("sidx", 39, 1), "low/media.mp4: sidx says that segment 1 has [0-9]+ bytes"},
      {"index.json", scale("\"offsets\":[", 0.99), "low/media.mp4: "},
      {"low/playlist.m3u8", scale("BYTERANGE=\"", 1.1), "low/playlist.m3u8:7: the byte range is"},
      {"low/playlist.m3u8", scale("#EXT-X-BYTERANGE:", 0.9), "low/playlist.m3u8:10: the byte range is"},
      {"manifest.mpd", scale("indexRange=\"", 2), "manifest.mpd: Representation low: indexRange is"},
      {"manifest.mpd", replace("range=\"0-", "range=\"1-"),
       "manifest.mpd: Representation low, Initialization: range is 1-"},
      {"manifest.mpd", replace("low/media", "high/media"),
       "manifest.mpd: Representation low: BaseURL is high/media.mp4, but should be low/media.mp4"},
  };
}

TEST(SegmentSingleFile, HoldsTheSameSegments) {
  const TemporaryDirectory scratch;
  const fs::path clip = make_clip(scratch.path(), {});
  prepare(clip, scratch.path() / "many");
  const fs::path out = scratch.path() / "out";
  prepare(clip, out, {"--single-file"});
  const Presentation many = read_index(content_of(scratch.path() / "many/index.json"));
  const Presentation single = read_index(content_of(out / "index.json"));
  for (std::size_t i = 0; i < many.tracks.size(); ++i) {
    EXPECT_EQ(content_of(joined(scratch.path() / "many", many.tracks[i], 0, 4)),
              content_of(joined(out, single.tracks[i], 0, 4)));
    fs::remove(out / "joined.mp4");
    EXPECT_EQ(single.tracks[i].bitrate, many.tracks[i].bitrate);
  }
  for (const char* manifest : {"master.m3u8", "manifest.mpd"}) {
    EXPECT_EQ(probe_stream(out / manifest, "v:1").packets, 80);
    EXPECT_NEAR(probe_stream(out / manifest, "v:0").start, probe_stream(out / manifest, "a:0").start, 1e-4);
  }
  const auto files = std::distance(fs::recursive_directory_iterator{out}, {});
  // Two manifests and the index, a directory with two files for each track, and one with two for thumbnails.
  EXPECT_EQ(files, 3 + 3 * 3 + 3);
  expect_findings(out, single_file_damages());
  prepare(clip, out, {"--force"});
  EXPECT_FALSE(fs::exists(out / "low/media.mp4"));
}

}  // namespace
}  // namespace tributary::segmenter
