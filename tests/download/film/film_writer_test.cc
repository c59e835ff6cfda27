#include "download/film/film_writer.hh"

#include <fcntl.h>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "child_process.hh"
#include "download/files/destination.hh"
#include "download/film/film_error.hh"
#include "packed_audio.hh"
#include "system/file_descriptor.hh"

namespace tributary {
namespace {

using namespace std::chrono_literals;
using segmenter::must_run;
using ::testing::AllOf;
using ::testing::HasSubstr;
namespace fs = std::filesystem;

constexpr std::size_t kPicture = 3, kSound = 5;  // as a presentation might number its tracks
constexpr int kSeconds = 4, kFrames = 25 * kSeconds;

using Segments = std::vector<std::vector<MediaPart>>;

MediaBytes content_of(const fs::path& file) {
  std::ifstream stream{file, std::ios::binary};
  const std::string text{std::istreambuf_iterator<char>{stream}, {}};
  const auto bytes = std::as_bytes(std::span{text});
  return {bytes.begin(), bytes.end()};
}

/// The files whose name begins so, in the order of their names.
std::vector<fs::path> files_of(const fs::path& folder, const std::string& begin) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator{folder}) {
    if (entry.path().filename().string().starts_with(begin)) files.push_back(entry.path());
  }
  std::ranges::sort(files);
  return files;
}

std::string hashes(const std::string& file, const std::string& kind, const std::string& codec) {
  std::vector<std::string> command{FFMPEG, "-nostdin", "-v", "error", "-i", file, "-map", "0:" + kind};
  if (!codec.empty()) command.insert(command.end(), {"-c", codec});
  command.insert(command.end(), {"-f", "framehash", "-hash", "md5", "-"});
  std::istringstream lines{must_run(command)};
  std::string all;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("#")) continue;
    for (int i = 0; i < 5; ++i) line.erase(0, line.find(',') + 1);  // the times
    all += line.substr(0, line.find(',')) + "\n";
  }
  return all;
}

class FilmWriterTest : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / fmt::format("film {}", getpid());
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  /// ffmpeg packages flash and beep with these options.
  void package(const std::string& name, std::vector<std::string> options, const std::string& manifest,
               const std::string& size = "160x90") {
    fs::create_directories(folder_ / name);
    std::vector<std::string> command{FFMPEG, "-nostdin", "-v", "error"};
    for (const std::string& source :
         {fmt::format("testsrc2=s={}:r=25:d={}", size, kSeconds), fmt::format("sine=440:r=48000:d={}", kSeconds)})
      command.insert(command.end(), {"-f", "lavfi", "-i", source});
    for (const char* word : {"-c:v", "libx264", "-preset", "veryfast", "-g", "25", "-keyint_min", "25", "-sc_threshold",
                             "0", "-pix_fmt", "yuv420p", "-c:a", "aac"})
      command.emplace_back(word);
    command.insert(command.end(), options.begin(), options.end());
    command.push_back((folder_ / name / manifest).string());
    must_run(command);
  }

  /// A picture and a sound of a packager that numbers them so, each with its init segment.
  Segments apart(const std::string& name, const std::array<std::string, 2>& inits,
                 const std::array<std::string, 2>& media) {
    Segments segments;
    for (std::size_t track = 0; track < 2; ++track) {
      const std::vector<fs::path> files = files_of(folder_ / name, media[track]);
      segments.resize(std::max(segments.size(), files.size()));
      const std::size_t index = track == 0 ? kPicture : kSound;
      const TrackKind kind = track == 0 ? TrackKind::kVideo : TrackKind::kAudio;
      const auto init = content_of(folder_ / name / inits[track]);
      whole_[track] = folder_ / fmt::format("{}.{}", name, track);
      std::ofstream whole{whole_[track], std::ios::binary};
      const auto add = [&](std::size_t segment, bool is_init, const MediaBytes& bytes) {
        whole.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
        segments[segment].push_back({index, kind, is_init, bytes});
      };
      add(0, true, init);
      for (std::size_t i = 0; i < files.size(); ++i) add(i, false, content_of(files[i]));
    }
    return segments;
  }

  Segments dash(const std::string& name = "dash", const std::string& size = "160x90") {
    package(name, {"-f", "dash", "-seg_duration", "1", "-adaptation_sets", "id=0,streams=v id=1,streams=a"}, "film.mpd",
            size);
    return apart(name, {"init-stream0.m4s", "init-stream1.m4s"}, {"chunk-stream0-", "chunk-stream1-"});
  }

  Segments transport_stream() {
    package("ts", {"-f", "hls", "-hls_time", "1", "-hls_playlist_type", "vod"}, "film.m3u8");
    Segments segments;
    whole_[0] = whole_[1] = folder_ / "ts.whole";
    std::ofstream whole{whole_[0], std::ios::binary};
    for (const fs::path& file : files_of(folder_ / "ts", "film")) {
      if (file.extension() != ".ts") continue;
      segments.push_back({{kPicture, TrackKind::kVideo, false, content_of(file)}});
      whole << std::ifstream{file, std::ios::binary}.rdbuf();
    }
    return segments;
  }

  static std::vector<FilmTrack> two_tracks() {
    return {
        {.index = kPicture, .name = "720p", .picture = true},
        {.index = kSound, .name = "english", .sound = true, .label = {.language = "eng", .name = "Talk", .roles = {}}}};
  }
  static std::vector<FilmTrack> one_track() {
    return {{.index = kPicture, .name = "720p", .picture = true, .sound = true}};
  }

  std::unique_ptr<FilmWriter> begin(std::vector<FilmTrack> tracks, const std::string& container = "mp4") {
    film_ = (folder_ / ("film." + container)).string();
    file_ = FileDescriptor{open(film_.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600)};
    return std::make_unique<FilmWriter>(FilmFile::Place{file_.get(), film_, container}, std::move(tracks), "Fjord");
  }

  static void finish(FilmWriter& film) {
    film.end();
    while (!film.wait(1s)) {
    }
  }

  void write(std::vector<FilmTrack> tracks, Segments segments, const std::string& container = "mp4") {
    const auto film = begin(std::move(tracks), container);
    for (std::size_t i = 0; i < segments.size(); ++i) film->take(static_cast<SegmentIndex>(i), std::move(segments[i]));
    finish(*film);
  }

  nlohmann::json stream(const char* kind) const {
    return nlohmann::json::parse(must_run({FFPROBE, "-v", "error", "-of", "json", "-count_packets", "-select_streams",
                                           kind, "-show_streams", film_}))["streams"][0];
  }
  nlohmann::json format() const {
    return nlohmann::json::parse(must_run({FFPROBE, "-v", "error", "-of", "json", "-show_format", film_}))["format"];
  }
  double number(const char* kind, const char* key) const { return std::stod(stream(kind)[key].get<std::string>()); }

  fs::path folder_;
  std::string film_;
  FileDescriptor file_;
  std::array<fs::path, 2> whole_;  // all bytes of the picture, and of the sound
};

TEST_F(FilmWriterTest, PictureAndSoundOfDashHaveTheirPacketsAndTimes) {
  write(two_tracks(), dash());
  EXPECT_EQ(hashes(film_, "v", "copy"), hashes(whole_[0], "v", "copy"));
  EXPECT_EQ(hashes(film_, "v", ""), hashes(whole_[0], "v", ""));
  EXPECT_EQ(hashes(film_, "a", "copy"), hashes(whole_[1], "a", "copy"));
  // The encoder's first frame is there to begin with, before the first picture, and not to be heard.
  const std::string all = hashes(whole_[1], "a", "");
  EXPECT_EQ(hashes(film_, "a", ""), all.substr(all.find('\n') + 1));
  EXPECT_EQ(number("v", "nb_read_packets"), kFrames);
  EXPECT_EQ(number("v", "start_time"), 0);
  EXPECT_NEAR(number("a", "start_time"), 0, 0.001);
  EXPECT_NEAR(number("v", "duration"), kSeconds, 0.05);
  EXPECT_NEAR(number("a", "duration"), kSeconds, 0.05);
  EXPECT_EQ(stream("a")["tags"]["language"], "eng");
}

TEST_F(FilmWriterTest, TheFilmAndItsSoundKeepTheirNames) {
  for (const char* container : {"mp4", "mkv"}) {
    SCOPED_TRACE(container);
    write(two_tracks(), dash(), container);
    EXPECT_EQ(format()["tags"]["title"], "Fjord");
  }
  EXPECT_EQ(stream("a")["tags"]["title"], "Talk") << "of Matroska";
}

TEST_F(FilmWriterTest, SoundOfMpegTsCanBeFollowedByTheSame) {
  transport_stream();
  AVFormatContext* opened = nullptr;
  ASSERT_GE(avformat_open_input(&opened, (folder_ / "ts/film0.ts").c_str(), nullptr, nullptr), 0);
  const DemuxerHandle input{opened};
  ASSERT_GE(avformat_find_stream_info(input.get(), nullptr), 0);
  film_ = (folder_ / "film.mp4").string();
  file_ = FileDescriptor{open(film_.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600)};
  FilmFile film{{.descriptor = file_.get(), .name = film_, .container = "mp4"}, [] { return false; }};
  for (unsigned i = 0; i < input->nb_streams; ++i) film.add_stream(*input->streams[i], {});
  film.begin();
  const PacketHandle packet = make_packet();
  while (av_read_frame(input.get(), packet.get()) >= 0) {
    const auto number = static_cast<std::size_t>(packet->stream_index);
    film.write(number, *packet, input->streams[number]->time_base, {});
  }
  for (unsigned i = 0; i < input->nb_streams; ++i) EXPECT_TRUE(film.can_follow(i, *input->streams[i])) << i;
  film.finish();
}

TEST_F(FilmWriterTest, TheIndexStandsInFront) {
  write(two_tracks(), dash());
  const auto bytes = content_of(film_);
  const std::string begin{reinterpret_cast<const char*>(bytes.data()), 256};
  EXPECT_THAT(begin, HasSubstr("moov"));
}

TEST_F(FilmWriterTest, APictureWithItsSoundInATransportStream) {
  for (const char* const container : {"mp4", "mkv"}) {
    write(one_track(), transport_stream(), container);
    EXPECT_EQ(hashes(film_, "v", ""), hashes(whole_[0], "v", ""));
    EXPECT_EQ(number("v", "nb_read_packets"), kFrames);
    EXPECT_GT(number("a", "nb_read_packets"), 46 * kSeconds);
    EXPECT_NEAR(number("v", "start_time"), 0, 0.03);
    EXPECT_NEAR(number("a", "start_time"), 0, 0.05);
  }
}

TEST_F(FilmWriterTest, WhereTimesOfATransportStreamBeginAnewTheFilmGoesOn) {
  Segments twice = transport_stream();
  const Segments again = twice;
  twice.insert(twice.end(), again.begin(), again.end());
  write(one_track(), twice);
  EXPECT_EQ(number("v", "nb_read_packets"), 2 * kFrames);
  EXPECT_NEAR(number("v", "duration"), 2 * kSeconds, 0.1);
  EXPECT_NEAR(number("a", "duration"), 2 * kSeconds, 0.1);
}

TEST_F(FilmWriterTest, APictureBesideSoundWithoutAContainer) {
  package("packed", {"-map", "0:v", "-f", "hls", "-hls_time", "1", "-hls_playlist_type", "vod"}, "film.m3u8");
  must_run({FFMPEG, "-nostdin", "-v", "error", "-f", "lavfi", "-i", fmt::format("sine=440:r=48000:d={}", kSeconds),
            "-c:a", "aac", "-f", "segment", "-segment_time", "1", "-segment_format", "adts",
            (folder_ / "packed/sound%d.aac").string()});
  for (const bool tagged : {true, false}) {
    Segments segments;
    for (const fs::path& file : files_of(folder_ / "packed", "film")) {
      if (file.extension() == ".ts") segments.push_back({{kPicture, TrackKind::kVideo, false, content_of(file)}});
    }
    const auto sounds = files_of(folder_ / "packed", "sound");
    for (std::size_t i = 0; i < sounds.size(); ++i) {
      const auto tag = testing::time_tag(126'000 + 90'000 * i);
      MediaBytes bytes;
      if (tagged) bytes.assign(tag.begin(), tag.end());
      const auto frames = content_of(sounds[i]);
      bytes.insert(bytes.end(), frames.begin(), frames.end());
      segments.at(std::min(i, segments.size() - 1)).push_back({kSound, TrackKind::kAudio, false, bytes});
    }
    write(two_tracks(), segments);
    EXPECT_EQ(number("v", "nb_read_packets"), kFrames);
    EXPECT_GE(number("a", "nb_read_packets"), 46 * kSeconds);
    EXPECT_NEAR(number("a", "start_time"), 0, 0.1);
    EXPECT_NEAR(number("a", "duration"), kSeconds, 0.1);
  }
}

TEST_F(FilmWriterTest, PicturesOfHlsAsMp4) {
  package("hls",
          {"-map", "0:v", "-map", "1:a", "-var_stream_map", "v:0,agroup:a a:0,agroup:a", "-f", "hls", "-hls_time", "1",
           "-hls_playlist_type", "vod", "-hls_segment_type", "fmp4", "-hls_fmp4_init_filename", "init.mp4",
           "-master_pl_name", "master.m3u8"},
          "list_%v.m3u8");
  Segments segments = apart("hls", {"init_0.mp4", "init_1.mp4"}, {"list_0", "list_1"});
  for (auto& parts : segments) {  // the playlists have such names, too
    std::erase_if(parts, [](const MediaPart& part) { return part.bytes.at(0) == std::byte{'#'}; });
  }
  write(two_tracks(), segments);
  EXPECT_EQ(number("v", "nb_read_packets"), kFrames);
  EXPECT_EQ(number("v", "start_time"), 0);
  EXPECT_NEAR(number("a", "start_time"), 0, 0.03);
  EXPECT_EQ(number("a", "nb_read_packets"), 48 * kSeconds - 3);
}

TEST_F(FilmWriterTest, SoundThatCountsByAnotherClockBeginsWithThePicture) {
  std::vector<FilmTrack> tracks = two_tracks();
  tracks[1].early = -1h;
  write(tracks, dash());
  EXPECT_NEAR(number("a", "start_time"), 0, 0.03);
  EXPECT_NEAR(number("a", "duration"), kSeconds, 0.05);
}

TEST_F(FilmWriterTest, OffsetsOfATrackAreTakenFromItsTimes) {
  std::vector<FilmTrack> tracks = two_tracks();
  tracks[1].early = -500ms;  // it is heard half a second later
  write(tracks, dash());
  EXPECT_EQ(number("v", "start_time"), 0);
  EXPECT_NEAR(number("a", "start_time"), 0.5, 0.025);
}

TEST_F(FilmWriterTest, BehindAnotherInitSegmentTimesGoOn) {
  Segments twice = dash();
  const Segments again = twice;
  twice.insert(twice.end(), again.begin(), again.end());
  write(two_tracks(), twice);
  EXPECT_EQ(number("v", "nb_read_packets"), 2 * kFrames);
  EXPECT_NEAR(number("v", "duration"), 2 * kSeconds, 0.1);
  EXPECT_NEAR(number("a", "duration"), 2 * kSeconds, 0.1);
  const std::string once = hashes(whole_[0], "v", "");
  EXPECT_EQ(hashes(film_, "v", ""), once + once);
  std::istringstream times{must_run(
      {FFPROBE, "-v", "error", "-select_streams", "v", "-show_entries", "packet=pts_time", "-of", "csv=p=0", film_})};
  std::vector<double> shown;
  for (std::string line; std::getline(times, line);) shown.push_back(std::stod(line));
  std::ranges::sort(shown);
  for (std::size_t i = 1; i < shown.size(); ++i) EXPECT_NEAR(shown[i] - shown[i - 1], 0.04, 0.021) << i;
}

TEST_F(FilmWriterTest, AnotherEncodingBehindAnotherInitSegmentIsRefused) {
  Segments title = dash();
  const Segments other = dash("other", "320x180");
  title.insert(title.end(), other.begin(), other.end());
  try {
    write(two_tracks(), title);
    FAIL() << "one film of two sizes";
  } catch (const FilmError& error) {
    EXPECT_THAT(error.what(), HasSubstr("720p: it is encoded in another way from 4.0 s on"));
  }
}

TEST_F(FilmWriterTest, ADamagedSegmentIsNamed) {
  Segments segments = dash();
  const auto film = begin(two_tracks());
  film->take(SegmentIndex{0}, segments[0]);
  const auto message = [&](MediaBytes bytes) -> std::string {
    try {
      film->take(SegmentIndex{1}, {{kPicture, TrackKind::kVideo, false, std::move(bytes)}});
    } catch (const FilmError& error) {
      return error.what();
    }
    return "";
  };
  MediaBytes picture = segments[1].front().bytes;
  ASSERT_EQ(segments[1].front().track, kPicture);
  picture.pop_back();
  EXPECT_THAT(message(picture), HasSubstr("segment 2 of 720p is damaged: "));
  EXPECT_THAT(message({}), HasSubstr("it is empty"));
  EXPECT_THAT(message(MediaBytes(1000, std::byte{'x'})), HasSubstr("segment 2 of 720p is damaged: "));
}

TEST_F(FilmWriterTest, WhatCannotBeWrittenEndsIt) {
  film_ = "/dev/full";
  file_ = FileDescriptor{open(film_.c_str(), O_RDWR | O_CLOEXEC)};
  FilmWriter film{{file_.get(), film_, "mkv"}, one_track()};
  const Segments segments = transport_stream();
  try {
    for (std::size_t i = 0; i < segments.size(); ++i) film.take(static_cast<SegmentIndex>(i), segments[i]);
    finish(film);
    FAIL() << "a full disk was written";
  } catch (const WriteError& error) {
    EXPECT_THAT(error.what(), AllOf(HasSubstr("/dev/full"), HasSubstr("No space left on device")));
  }
}

TEST_F(FilmWriterTest, ATrackThatNeverComesIsNamed) {
  Segments segments = dash();
  for (auto& parts : segments) std::erase_if(parts, [](const MediaPart& part) { return part.track == kSound; });
  EXPECT_THROW(write(two_tracks(), segments), FilmError);
}

TEST_F(FilmWriterTest, ItCanBeGivenUpAtAnyTime) {
  const Segments segments = dash();
  for (std::size_t count = 0; count <= segments.size(); ++count) {
    const auto film = begin(two_tracks());
    for (std::size_t i = 0; i < count; ++i) film->take(static_cast<SegmentIndex>(i), segments[i]);
    EXPECT_FALSE(film->wait(10ms));
  }
}

}  // namespace
}  // namespace tributary
