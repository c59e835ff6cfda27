#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <numeric>
#include <sstream>

#include "child_process.hh"
#include "file_content.hh"
#include "joined.hh"
#include "json_events.hh"
#include "media/cmaf_reader.hh"
#include "presentation/json/json_index.hh"
#include "temporary_directory.hh"

namespace tributary::segmenter {
namespace {

namespace fs = std::filesystem;
using ::testing::ContainsRegex;
using ::testing::DoubleNear;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

using Words = std::vector<std::string>;

/// A film to package: 3.2 s in groups of pictures of a second, unless told otherwise.
struct Film {
  std::string frame_rate = "25", seconds = "3.2";
  Words picture{"-c:v", "libx264", "-preset", "veryfast", "-x264-params", "keyint=25:min-keyint=25:scenecut=0"};
  Words sound{"-c:a", "aac"};  // empty: none
  std::string sound_source = "sine=frequency=1000:sample_rate=48000";
  std::string sound_seconds = "3.2";
};

class SegmentPackage : public ::testing::Test {
 protected:
  std::string make(const std::string& name, const Film& film = {}) {
    std::string path = (scratch_.path() / name).string();
    Words command{
        FFMPEG, "-v", "error", "-f", "lavfi", "-t", film.seconds, "-i", "testsrc2=s=160x90:r=" + film.frame_rate};
    if (!film.sound.empty()) {
      command.insert(command.end(), {"-f", "lavfi", "-t", film.sound_seconds, "-i", film.sound_source});
    }
    command.insert(command.end(), film.picture.begin(), film.picture.end());
    command.insert(command.end(), film.sound.begin(), film.sound.end());
    command.push_back(path);
    EXPECT_EQ(run(command).error, "");
    return path;
  }
  /// The file in another container, or only one of its streams.
  std::string copy(const std::string& path, const std::string& name, const Words& options = {}) {
    std::string copied = (scratch_.path() / name).string();
    Words command{FFMPEG, "-v", "error", "-i", path, "-c", "copy"};
    command.insert(command.end(), options.begin(), options.end());
    command.push_back(copied);
    EXPECT_EQ(run(command).error, "");
    return copied;
  }
  Outcome package(const Words& arguments) {
    Words command{TRIBUTARY_SEGMENT, "package", "-o", out_.string(), "--segment", "1s", "--force", "-q"};
    command.insert(command.end(), arguments.begin(), arguments.end());
    return run(command);
  }
  /// Expects that it can be packaged, with that remark (none: without any), and that check has nothing against it.
  Presentation packaged(const Words& arguments, const std::string& remark = "") {
    const Outcome outcome = package(arguments);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.error;
    EXPECT_THAT(outcome.error, ContainsRegex(remark.empty() ? "^$" : remark));
    EXPECT_EQ(run({TRIBUTARY_SEGMENT, "check", out_.string()}).out.find("all as they should be") != std::string::npos,
              true);
    return read_index(content_of(out_ / "index.json"));
  }
  void expect_refusal(const Words& arguments, const std::string& words, int exit_code = 1) {
    fs::remove_all(out_);
    const Outcome outcome = package(arguments);
    EXPECT_EQ(outcome.exit_code, exit_code);
    EXPECT_THAT(outcome.error, ContainsRegex(words));
    EXPECT_FALSE(fs::exists(out_)) << "something is left in the way of the next try";
  }

  TemporaryDirectory scratch_;
  fs::path out_ = scratch_.path() / "out";
};

/// A hash for each packet of one kind ("v", "a").
Words packets_of(const fs::path& path, const std::string& kind) {
  const Outcome outcome =
      run({FFMPEG, "-v", "error", "-i", path.string(), "-map", "0:" + kind, "-c", "copy", "-f", "framemd5", "-"});
  Words hashes;
  std::istringstream lines{outcome.out};
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with('#')) hashes.push_back(line.substr(line.rfind(',') + 1));
  }
  return hashes;
}

/// "h264,160,90" of the picture.
std::string stream_of(const fs::path& path) {
  return run({FFPROBE, "-v", "error", "-select_streams", "v", "-show_entries", "stream=codec_name,width,height", "-of",
              "csv=p=0", path.string()})
      .out;
}

std::uint64_t picture_bytes(const fs::path& path) {
  std::istringstream sizes{run({FFPROBE, "-v", "error", "-select_streams", "v", "-show_entries", "packet=size", "-of",
                                "default=nw=1:nk=1", path.string()})
                               .out};
  return std::accumulate(std::istream_iterator<std::uint64_t>{sizes}, {}, std::uint64_t{0});
}

TEST_F(SegmentPackage, EventsAreLinesOfJson) {
  const Outcome outcome = package({make("high.mp4"), "--json"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.error;
  JsonEvents events = events_in(outcome.out);
  EXPECT_EQ(events.first.at("event"), "plan");
  EXPECT_EQ(events.first.at("frameRate"), (nlohmann::json{25, 1}));
  EXPECT_EQ(events.first.at("tracks").at(0).at("width"), 160);
  EXPECT_EQ(events.counts["segment"], 2 * 4);
  EXPECT_GE(events.counts["progress"], 1);
  EXPECT_EQ(events.last.at("event"), "result");
  EXPECT_EQ(events.last.at("pictures"), 80);
  const Outcome failed = package({"none.mp4", "--json"});
  EXPECT_EQ(events_in(failed.out).last.at("exit"), 1);
}

TEST_F(SegmentPackage, KeepsEveryPacketAndStatesExactDurations) {
  Film film{.frame_rate = "30000/1001"};
  film.picture.back() = "keyint=30:min-keyint=30:scenecut=0";
  const std::string low = make("low.mp4", film);
  film.sound.clear();
  const std::string high = make("film 2.mp4", film);
  const Presentation presentation = packaged({low, "high=" + high});
  ASSERT_EQ(presentation.tracks.size(), 3u);
  EXPECT_DOUBLE_EQ(presentation.nominal_segment_seconds, 1.001);
  for (const auto& [id, source] : {std::pair{"low", low}, std::pair{"high", high}}) {
    const Track& track = *presentation.find_track(id);
    EXPECT_EQ(track.durations, (std::vector<std::uint64_t>{30030, 30030, 30030, 6006}));
    EXPECT_EQ(packets_of(joined(out_, track, 0, 4), "v"), packets_of(source, "v"));
  }
  const Track& sound = *presentation.find_track("audio");
  Words expected = packets_of(low, "a");
  expected.erase(expected.begin());  // the start-up samples that the edit list takes away
  const Words kept = packets_of(joined(out_, sound, 0, 4), "a");
  EXPECT_EQ(kept.size(), 150u);  // 3.2032 s
  expected.resize(kept.size());
  EXPECT_EQ(kept, expected);
}

TEST_F(SegmentPackage, TheTitleIsThatOfAPictureOrTheUsers) {
  const std::string untitled = make("low.mp4");
  const std::string titled = copy(untitled, "high.mp4", {"-an", "-metadata", "title=Fjord & \"Blå\"\nII"});
  EXPECT_EQ(packaged({untitled}).title, "");
  EXPECT_EQ(packaged({untitled, titled}).title, "Fjord & \"Blå\" II");
  EXPECT_THAT(content_of(out_ / "master.m3u8"),
              HasSubstr("\n#EXT-X-SESSION-DATA:DATA-ID=\"com.apple.hls.title\",VALUE=\"Fjord & 'Blå' II\"\n"));
  EXPECT_THAT(content_of(out_ / "manifest.mpd"), HasSubstr("<Title>Fjord &amp; \"Blå\" II</Title>"));
  EXPECT_EQ(packaged({untitled, titled, "--title", "Another"}).title, "Another");
  EXPECT_EQ(packaged({titled, "--title", ""}).title, "");
}

TEST_F(SegmentPackage, ChaptersBeginWithTheTitle) {
  const fs::path list = scratch_.path() / "chapters.txt";
  std::ofstream{list} << ";FFMETADATA1\n[CHAPTER]\nTIMEBASE=1/1000\nSTART=0\nEND=1500\ntitle=One\n"
                         "[CHAPTER]\nTIMEBASE=1/1000\nSTART=1500\nEND=3000\n";
  const std::string plain = make("plain.mp4", {.sound = {}}), film = (scratch_.path() / "film.mkv").string();
  must_run(
      {FFMPEG, "-v", "error", "-i", plain, "-i", list.string(), "-map", "0", "-map_chapters", "1", "-c", "copy", film});
  using std::chrono::milliseconds;
  EXPECT_EQ(packaged({film}).chapters, (std::vector<Chapter>{{{}, "One"}, {milliseconds{1500}, ""}}));
  EXPECT_EQ(packaged({plain, film}).chapters.size(), 2U);
  EXPECT_EQ(packaged({plain}).chapters.size(), 0U);
}

TEST_F(SegmentPackage, CanMakeOneFileOfEachQuality) {
  const std::string film = make("film.mp4");
  const Presentation presentation = packaged({film, "--single-file"});
  EXPECT_EQ(presentation.tracks[0].segment(SegmentIndex{3}).uri, "film/media.mp4");
  EXPECT_EQ(packets_of(out_ / "film/media.mp4", "v"), packets_of(film, "v"));
}

TEST_F(SegmentPackage, TakesOtherContainersAndSoundInAFileOfItsOwn) {
  const std::string film = make("film.mp4");
  const Presentation reference = packaged({film});
  const Words sound = packets_of(joined(out_, *reference.find_track("audio"), 0, 4), "a");
  for (const char* name : {"film.ts", "film.mkv"}) {
    SCOPED_TRACE(name);
    const Presentation presentation = packaged({copy(film, name)});
    EXPECT_EQ(presentation.tracks[0].durations, reference.tracks[0].durations);
    EXPECT_EQ(packets_of(joined(out_, *presentation.find_track("audio"), 0, 4), "a"), sound);
  }
  const Presentation apart = packaged({copy(film, "low.mp4", {"-an"}), copy(film, "voice.m4a", {"-vn"})});
  ASSERT_EQ(apart.tracks.size(), 2u);
  EXPECT_EQ(packets_of(joined(out_, *apart.find_track("audio"), 0, 4), "a"), sound);
  EXPECT_EQ(packaged({film, "--audio", "none"}).tracks.size(), 1u);
}

TEST_F(SegmentPackage, SoundMayEndWithinTheLastSegment) {
  EXPECT_EQ(packaged({make("film.mp4", {.sound_seconds = "3.1"})}).tracks.size(), 2u);
  const std::string remark = "short.mp4: silent for 0.[67][0-9]+ s, where the sound has holes or has ended";
  const Presentation presentation = packaged({make("short.mp4", {.sound_seconds = "2.5"})}, remark);
  EXPECT_EQ(packets_of(joined(out_, *presentation.find_track("audio"), 0, 4), "a").size(), 150u);
}

TEST_F(SegmentPackage, SoundsOfSeveralInputsNeedNotBeAlike) {
  const std::string stereo = "aevalsrc='sin(6283*t)|sin(3141*t)':s=48000";
  const std::string low = make("low.mp4", {.sound = {"-c:a", "aac", "-b:a", "64k"}});
  const std::string high = make("high.mp4", {.sound = {"-c:a", "aac", "-b:a", "160k"}, .sound_source = stereo});
  const std::string stream = copy(high, "stream.ts");
  const std::string voice = copy(high, "voice.m4a", {"-vn"});
  const auto sound_of = [&](const Presentation& presentation, std::size_t tracks) {
    EXPECT_EQ(presentation.tracks.size(), tracks);
    return packets_of(joined(out_, *presentation.find_track("audio"), 0, 4), "a");
  };
  const Words mono = sound_of(packaged({low}), 2), both = sound_of(packaged({high}), 2);
  EXPECT_NE(mono, both);
  for (const std::string& other : {high, stream}) {
    SCOPED_TRACE(other);
    EXPECT_EQ(sound_of(packaged({low, other}, other + ": left out: its sound, since that of " + low + " is taken"), 3),
              mono);
    EXPECT_EQ(sound_of(packaged({other, low}, low + ": left out: its sound, since that of " + other), 3), both);
  }
  EXPECT_EQ(sound_of(packaged({low, voice}, low + ": left out: its sound, since that of " + voice), 2), both);
}

TEST_F(SegmentPackage, TakesEverySoundAndTheSubtitlesAndNamesWhatItLeavesOut) {
  const fs::path text = scratch_.path() / "text.srt";
  std::ofstream{text} << "1\n00:00:01,000 --> 00:00:02,000\nHello\n";
  const std::string film = (scratch_.path() / "film.mkv").string();
  must_run({FFMPEG,
            "-v",
            "error",
            "-i",
            make("clip.mp4"),
            "-f",
            "lavfi",
            "-t",
            "3.2",
            "-i",
            "aevalsrc='sin(3141*t)|sin(3141*t)':s=44100",
            "-i",
            text.string(),
            "-map",
            "0:v",
            "-map",
            "0:a",
            "-map",
            "1:a",
            "-map",
            "0:a",
            "-map",
            "2:s",
            "-c:v",
            "copy",
            "-c:a",
            "aac",
            "-c:a:2",
            "ac3",
            "-metadata:s:a:0",
            "language=nob",
            "-metadata:s:a:1",
            "language=deu",
            film});
  const Presentation presentation = packaged({film}, "film.mkv: left out: sound 3 \\(ac3\\)");
  ASSERT_EQ(presentation.tracks.size(), 4u);
  const Track& second = *presentation.find_track("audio-2");
  EXPECT_EQ(second.sample_rate, 44100);
  EXPECT_NE(second.label.language, presentation.find_track("audio")->label.language);
  const Words packets = packets_of(joined(out_, second, 0, 4), "a");
  const Words source = packets_of(copy(film, "second.mkv", {"-map", "0:a:1"}), "a");
  EXPECT_THAT(source, ::testing::IsSupersetOf(packets));
  EXPECT_THAT(content_of(out_ / *presentation.find_track("subtitles")->whole), HasSubstr("00:01.000 --> "));
  EXPECT_EQ(packaged({film, "--no-subtitles"}, "left out").tracks.size(), 3u);
  const Outcome encoded =
      run({TRIBUTARY_SEGMENT, film, "-o", (scratch_.path() / "encoded").string(), "--ladder", "low=100k", "-q"});
  EXPECT_THAT(encoded.error, ContainsRegex("left out: sound 2 \\(aac.*\n.*left out: sound 3 \\(ac3"));
  EXPECT_EQ(packaged({film, "--audio", "none"}).tracks.size(), 2u);
  EXPECT_EQ(packaged({make("silent.mp4", {.sound = {}}), "--subtitles", text.string()}).tracks.size(), 2u);
}

TEST_F(SegmentPackage, KeepsHowThePictureIsToBeTurned) {
  const std::string film = make("film.mp4", {.sound = {}});
  const std::string turned = copy(film, "turned.mp4", {"-metadata:s:v", "rotate=90"});
  const auto rotation_of = [](const fs::path& path) {
    return run({FFPROBE, "-v", "error", "-show_entries", "stream_side_data=rotation", "-of", "csv=p=0", path.string()})
        .out;
  };
  const Presentation presentation = packaged({turned});
  EXPECT_EQ(rotation_of(joined(out_, presentation.tracks[0], 0, 1)), rotation_of(turned));
  EXPECT_THAT(rotation_of(turned), HasSubstr("90"));
  EXPECT_EQ(rotation_of(joined(out_, packaged({film}).tracks[0], 0, 1)), "\n");
  expect_refusal({film, turned}, "film.mp4 is to be shown turned by 0 degrees, but .*turned.mp4 by (90|270)");
}

TEST_F(SegmentPackage, ManifestsTellOfHighDynamicRange) {
  struct Range {
    std::string transfer, name;
    int code;
  };
  const auto hdr = [&](const std::string& name, const std::string& transfer) {
    return make(name,
                {.picture = {"-c:v", "libx265", "-preset", "ultrafast", "-pix_fmt", "yuv420p10le", "-color_primaries",
                             "bt2020", "-colorspace", "bt2020nc", "-color_trc", transfer, "-x265-params",
                             "keyint=25:min-keyint=25:scenecut=0:open-gop=0:log-level=0:colorprim=bt2020:"
                             "colormatrix=bt2020nc:transfer=" +
                                 transfer},
                 .sound = {}});
  };
  for (const Range& range : {Range{"smpte2084", "PQ", 16}, Range{"arib-std-b67", "HLG", 18}}) {
    SCOPED_TRACE(range.name);
    const Presentation presentation = packaged({hdr(range.name + ".mp4", range.transfer)});
    EXPECT_EQ(presentation.tracks[0].color, (ColorCodes{9, range.code, 9}));
    EXPECT_THAT(content_of(out_ / "master.m3u8"), HasSubstr(",VIDEO-RANGE=" + range.name));
    EXPECT_THAT(content_of(out_ / "manifest.mpd"),
                HasSubstr("<SupplementalProperty schemeIdUri=\"urn:mpeg:mpegB:cicp:TransferCharacteristics\" value=\"" +
                          std::to_string(range.code) + "\""));
  }
  expect_refusal({(scratch_.path() / "PQ.mp4").string(), (scratch_.path() / "HLG.mp4").string()},
                 "PQ.mp4 has the transfer characteristics smpte2084, but .*HLG.mp4 has arib-std-b67");
  packaged({make("usual.mp4", {.sound = {}})});
  EXPECT_THAT(content_of(out_ / "master.m3u8"), ::testing::Not(HasSubstr("VIDEO-RANGE")));
}

TEST_F(SegmentPackage, OnlyPicturesAtWhichDecodingCanBeginAreSyncSamples) {
  // An IDR picture each second, and recovery points of open groups between.
  const Film open{
      .picture = {"-c:v", "libx264", "-preset", "veryfast", "-force_key_frames", "expr:gte(t,n_forced)", "-forced-idr",
                  "1", "-x264-params", "keyint=10:min-keyint=2:scenecut=0:open-gop=1:bframes=3:b-adapt=0"},
      .sound = {}};
  for (const std::string& film : {make("film.ts", open), make("film.mkv", open)}) {
    SCOPED_TRACE(film);
    const std::string flags =
        run({FFPROBE, "-v", "error", "-show_entries", "packet=flags", "-of", "csv=p=0", film}).out;
    EXPECT_GT(std::count(flags.begin(), flags.end(), 'K'), 4);
    const Presentation presentation = packaged({film});
    const Track& track = presentation.tracks[0];
    const std::string init = content_of(out_ / track.init->uri);
    for (std::size_t i = 0; i < track.sizes.size(); ++i) {
      const std::string content = content_of(out_ / track.segment(static_cast<SegmentIndex>(i)).uri);
      const SegmentFacts facts =
          read_segment(std::as_bytes(std::span{content}), read_init(std::as_bytes(std::span{init})));
      EXPECT_TRUE(facts.samples[0].sync);
      EXPECT_EQ(std::ranges::count_if(facts.samples, [](const MediaSample& sample) { return sample.sync; }), 1);
    }
  }
}

TEST_F(SegmentPackage, PacksHevcAndAv1) {
  const std::string hevc = make("hevc.mp4", {.picture = {"-c:v", "libx265", "-preset", "ultrafast", "-x265-params",
                                                         "keyint=25:min-keyint=25:scenecut=0:open-gop=0:log-level=0"}});
  EXPECT_THAT(packaged({hevc}).tracks[0].codec, ::testing::MatchesRegex("hvc1.1.6.L[0-9]+.90"));
  EXPECT_THAT(packaged({copy(hevc, "hevc.mkv")}).tracks[0].codec, ::testing::MatchesRegex("hvc1.1.6.L[0-9]+.90"));
  const std::string av1 =
      make("av1.mp4",
           {.seconds = "1.4",
            .picture = {"-c:v", "libaom-av1", "-cpu-used", "8", "-usage", "realtime", "-g", "25", "-keyint_min", "25"},
            .sound_seconds = "1.4"});
  EXPECT_THAT(packaged({av1}).tracks[0].codec, ::testing::MatchesRegex("av01.0.[0-9][0-9]M.08"));
  expect_refusal({hevc, av1}, "hevc.mp4 is hevc, but .*av1.mp4 is av1");
}

TEST_F(SegmentPackage, SegmentsBeginWhereKeyFramesOfAllFilesAre) {
  const auto keys_at = [](const std::string& seconds) {
    return Film{.picture = {"-c:v", "libx264", "-preset", "veryfast", "-x264-params", "scenecut=0", "-force_key_frames",
                            seconds}};
  };
  const Presentation title =
      packaged({make("high.mp4", keys_at("0.4,1.2,1.6,2.8")), make("low.mp4", keys_at("1.2,2.0,2.8"))},
               "segments last up to 1.600 s, and not 1.000 s each");
  for (const Track& track : title.tracks) {
    std::vector<double> seconds;
    for (const std::uint64_t ticks : track.durations) seconds.push_back(static_cast<double>(ticks) / track.timescale);
    EXPECT_THAT(seconds, ElementsAre(DoubleNear(1.2, 0.02), DoubleNear(1.6, 0.02), DoubleNear(0.4, 0.03))) << track.id;
  }
}

TEST_F(SegmentPackage, AFileAsEncodersMakeItByDefaultIsCutAtItsKeyFrames) {
  const std::string film =
      make("film.mp4", {.seconds = "12", .picture = {"-c:v", "libx264", "-preset", "veryfast"}, .sound_seconds = "12"});
  EXPECT_EQ(packaged({film}, "segments last up to 10.000 s").tracks[0].durations.size(), 2u);
  EXPECT_EQ(packaged({copy(film, "film.ts")}, "segments last up to 10.000 s").tracks[0].durations.size(), 2u);
}

TEST_F(SegmentPackage, OnlyFilesWhoseKeyFramesDifferAreEncodedAnewIfTheyMayBe) {
  const auto x264 = [](const std::string& parameters, const std::string& rate, const Words& sound) {
    return Film{.seconds = "12",
                .picture = {"-c:v", "libx264", "-preset", "veryfast", "-b:v", rate, "-x264-params", parameters},
                .sound = sound,
                .sound_seconds = "12"};
  };
  const std::string low = make("low.mp4", x264("keyint=25:min-keyint=25:scenecut=0", "100k", {}));
  const std::string odd = make("odd.mkv", x264("keyint=29:min-keyint=29:scenecut=0", "200k", {"-c:a", "aac"}));
  const std::string high = make("high.mp4", x264("keyint=50:min-keyint=50:scenecut=0", "300k", {}));
  expect_refusal({odd, low, high}, "odd.mkv has no key frame where .*low.mp4 has some, from 0.000 to 12.000 s");

  const Presentation title =
      packaged({odd, low, high, "--encode-differing"}, "odd.mkv: encoded anew, with key frames where .*low.mp4 has");
  ASSERT_EQ(title.tracks.size(), 4U);
  ASSERT_EQ(title.tracks[0].sizes.size(), 6U);
  EXPECT_EQ(packets_of(joined(out_, title.tracks[1], 0, 6), "v"), packets_of(low, "v"));
  EXPECT_EQ(packets_of(joined(out_, title.tracks[2], 0, 6), "v"), packets_of(high, "v"));
  const fs::path anew = joined(out_, title.tracks[0], 0, 6);
  EXPECT_EQ(packets_of(anew, "v").size(), 300U);
  EXPECT_EQ(stream_of(anew), stream_of(odd)) << "codec and size are as they were";
  const auto size = static_cast<double>(picture_bytes(odd));
  EXPECT_NEAR(static_cast<double>(picture_bytes(anew)), size, .1 * size);
  EXPECT_EQ(run({TRIBUTARY_SEGMENT, "check", out_.string(), "--deep", "--source", odd}).exit_code, 0);
}

TEST_F(SegmentPackage, WhatCannotBeEncodedAnewWithoutLossOfItsKindIsRefused) {
  const auto x264 = [](const std::string& parameters, const std::string& pixels) {
    return Film{.seconds = "12",
                .picture = {"-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", pixels, "-x264-params", parameters},
                .sound = {}};
  };
  const std::string low = make("low.mp4", x264("keyint=25:min-keyint=25:scenecut=0", "yuv420p"));
  const std::string deep = make("deep.mp4", x264("keyint=29:min-keyint=29:scenecut=0", "yuv420p10le"));
  expect_refusal({low, deep, "--encode-differing"},
                 "deep.mp4 cannot be encoded anew: its pictures are yuv420p10le, and would become yuv420p", 3);
  expect_refusal({low, "deep=-", "--encode-differing"}, "--encode-differing: reads the files twice", 2);
}

TEST_F(SegmentPackage, WhatCannotBeCutIsRefusedWithFileAndTimestamp) {
  const auto x264 = [](const std::string& parameters) {
    return Film{.picture = {"-c:v", "libx264", "-preset", "veryfast", "-x264-params", parameters}, .sound = {}};
  };
  const std::string good = make("good.mp4", {.sound = {}});
  const auto lasting = [](Film film, const std::string& seconds) {
    film.seconds = seconds;
    return film;
  };
  expect_refusal({make("a.mp4", lasting(x264("keyint=20:min-keyint=20:scenecut=0"), "20")),
                  make("b.mp4", lasting(x264("keyint=253:min-keyint=23:scenecut=0"), "20"))},
                 "b.mp4 has no key frame where .*a.mp4 has some, from 0.000 to 20.000 s: .*--encode-differing encodes "
                 "it anew");
  const std::string open =
      make("open.mkv", lasting(x264("keyint=25:min-keyint=25:scenecut=0:open-gop=1:b-adapt=0:bframes=4"), "62"));
  expect_refusal({open}, "open.mkv: no segment can begin from 0.000 to 62.000 s: its groups of pictures are open");
  expect_refusal({good, make("fast.mp4", {.frame_rate = "50", .sound = {}})},
                 "good.mp4 has 25/1 pictures a second, but .*fast.mp4 has 50/1");
  expect_refusal({good, make("shorter.mp4", {.seconds = "3.16", .sound = {}})},
                 "good.mp4 ends at 3.200 s, but .*shorter.mp4 at 3.160 s");
  const Film varying{.picture = {"-c:v", "libx264", "-force_key_frames", "expr:gte(t,n_forced)", "-vf",
                                 "select='not(eq(n,40))'", "-vsync", "passthrough"},
                     .sound = {}};
  expect_refusal({make("varying.mp4", varying)},
                 "varying.mp4 at 1.6[0-9]+ s: a picture is missing .*the frame rate varies");
}

TEST_F(SegmentPackage, WhatCannotBePackedIsRefused) {
  expect_refusal({make("old.avi", {.picture = {"-c:v", "mpeg4"}, .sound = {}})}, "old.avi: its picture is mpeg4", 3);
  const std::string loud = make("loud.mp4", {.sound = {"-c:a", "mp2"}});
  expect_refusal({loud}, "loud.mp4: its sound is mp[23].*--audio none", 3);
  EXPECT_EQ(packaged({loud, "--audio", "none"}).tracks.size(), 1u);
  expect_refusal({copy(loud, "voice.mp4", {"-vn"}), "--audio", "none"}, "voice.mp4 has no picture");
  expect_refusal({"no.mp4"}, "cannot open no.mp4");
  expect_refusal({loud, loud}, "two files are called loud", 2);
  expect_refusal({"a b.mp4"}, "\"a b\" is no name for a quality .*NAME=a b.mp4", 2);
}

TEST_F(SegmentPackage, SoundKeepsItsPlaceBesideThePicture) {
  const std::string film = make("film.mkv", {.sound_source = "aevalsrc='if(gt(t,0.5),sin(6283*t),0)':s=44100"});
  for (const std::string& path : {film, copy(film, "film.ts"), copy(film, "film.mp4")}) {
    const Presentation presentation = packaged({path});
    EXPECT_NEAR(tone_begins(out_, *presentation.find_track("audio")), 0.5, 0.012) << path;
  }
}

TEST_F(SegmentPackage, HolesInTheSoundAreSilentAndWhatFollowsKeepsItsPlace) {
  const std::string film = make("film.mkv", {.sound_source = "aevalsrc='if(gt(t,1.5),sin(6283*t),0)':s=48000"});
  const auto begins_in = [&](const std::string& path, const std::string& remark) {
    return tone_begins(out_, *packaged({path}, remark).find_track("audio"));
  };
  const std::string shift = "setts=pts=PTS+0.3/TB:dts=DTS+0.3/TB";
  EXPECT_NEAR(begins_in(copy(film, "late.mkv", {"-bsf:a", shift}), "late.mkv: silent for 0.[23]"), 1.8, 0.012);
  const std::string hole = copy(film, "hole.mkv", {"-bsf:a", "noise=drop=between(n\\,40\\,41)"});
  EXPECT_NEAR(begins_in(hole, "hole.mkv: silent for 0.043 s"), 1.5, 0.012);
  const std::string back = "setts=ts=if(gte(N\\,40)\\,TS-0.1/TB\\,TS)";
  EXPECT_NEAR(begins_in(copy(film, "back.mkv", {"-bsf:a", back}), "back.mkv: left out: 0.[01][0-9]+ s of sound"), 1.4,
              0.025);
  const std::string jump = "setts=ts=if(gte(N\\,40)\\,TS+700/TB\\,TS)";
  expect_refusal({copy(film, "jump.mkv", {"-bsf:a", jump})}, "jump.mkv at 0.[89][0-9]+ s: the sound has a hole of 700");
}

}  // namespace
}  // namespace tributary::segmenter
