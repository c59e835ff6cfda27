#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "child_process.hh"
#include "clip.hh"
#include "file_content.hh"
#include "presentation/json/json_index.hh"
#include "presentation/segments/segment_table.hh"
#include "segmenter/subtitles/subtitle_reader.hh"
#include "temporary_directory.hh"

namespace tributary::segmenter {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* kText =
    "1\n00:00:00,500 --> 00:00:00,900\nHello <i>there</i> & x < y\n\n"
    "2\n00:00:00,950 --> 00:00:02,200\nTwo\nlines --> one\n\n";

class SegmentSubtitles : public ::testing::Test {
 protected:
  SegmentSubtitles() { std::ofstream{srt_} << kText; }

  /// The clip with the same text in it, twice.
  fs::path clip_with(const std::string& codec, const std::string& name) {
    const fs::path picture = make_clip(scratch_.path(), {.pictures = 80, .sample_rate = 0});
    const fs::path path = scratch_.path() / name;
    const Outcome outcome = run({FFMPEG,
                                 "-v",
                                 "error",
                                 "-i",
                                 picture.string(),
                                 "-i",
                                 srt_.string(),
                                 "-map",
                                 "0",
                                 "-map",
                                 "1",
                                 "-map",
                                 "1",
                                 "-c",
                                 "copy",
                                 "-c:s",
                                 codec,
                                 "-metadata:s:s:1",
                                 "language=nob",
                                 path.string()});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.error;
    return path;
  }

  Presentation segmented(const fs::path& input, const std::vector<std::string>& more) {
    std::vector<std::string> command{TRIBUTARY_SEGMENT, input.string(), "-o",       output_.string(), "--force",
                                     "--segment",       "1s",           "--ladder", "only=100k"};
    command.insert(command.end(), more.begin(), more.end());
    const Outcome outcome = run(command);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.error;
    const Outcome check = run({TRIBUTARY_SEGMENT, "check", output_.string()});
    EXPECT_EQ(check.exit_code, 0) << check.out;
    return read_index(content_of(output_ / "index.json"));
  }

  TemporaryDirectory scratch_;
  fs::path srt_ = scratch_.path() / "a: text.srt", output_ = scratch_.path() / "out";
};

TEST_F(SegmentSubtitles, TextInTheInputBecomesATrackForEachLanguage) {
  const Presentation presentation = segmented(clip_with("mov_text", "clip.mp4"), {});
  const Track* const first = presentation.find_track("subtitles");
  const Track* const second = presentation.find_track("subtitles-2");
  ASSERT_NE(first, nullptr);
  ASSERT_NE(second, nullptr);
  EXPECT_EQ(first->label.language, "");
  EXPECT_EQ(second->label.language, "nb");
  EXPECT_EQ(first->mime, "text/vtt");
  EXPECT_EQ(first->durations, presentation.tracks[0].durations);

  // 80 ms later, as all timestamps are, in every segment in which they are shown.
  EXPECT_EQ(content_of(output_ / "subtitles/00001.vtt"),
            "WEBVTT\nX-TIMESTAMP-MAP=MPEGTS:0,LOCAL:00:00:00.000\n"
            "\n00:00:00.580 --> 00:00:00.980\nHello <i>there</i> &amp; x &lt; y\n"
            "\n00:00:01.030 --> 00:00:02.280\nTwo\nlines --&gt; one\n");
  EXPECT_THAT(content_of(output_ / "subtitles/00002.vtt"), Not(HasSubstr("Hello")));
  EXPECT_THAT(content_of(output_ / "subtitles/00003.vtt"), HasSubstr("00:00:01.030 --> 00:00:02.280"));
  EXPECT_THAT(content_of(output_ / "subtitles/00004.vtt"), Not(HasSubstr("-->")));
  EXPECT_THAT(content_of(output_ / "subtitles/all.vtt"), HasSubstr("\n00:00:00.500 --> 00:00:00.900\n"));

  const std::string master = content_of(output_ / "master.m3u8"), mpd = content_of(output_ / "manifest.mpd");
  EXPECT_THAT(master, HasSubstr("TYPE=SUBTITLES,GROUP-ID=\"subtitles\",NAME=\"nb\",LANGUAGE=\"nb\""));
  EXPECT_THAT(master, HasSubstr(",SUBTITLES=\"subtitles\"\nonly/playlist.m3u8"));
  EXPECT_THAT(mpd, HasSubstr("<BaseURL>subtitles-2/all.vtt</BaseURL>"));
  EXPECT_THAT(mpd, HasSubstr("contentType=\"text\" mimeType=\"text/vtt\" lang=\"nb\""));
}

TEST_F(SegmentSubtitles, OurClientFetchesPictureAndSoundOnly) {
  const SegmentTable table{segmented(clip_with("subrip", "clip2.mkv"), {"--single-file"})};
  for (const SegmentPart& part : table.parts(SegmentIndex{0}, QualityIndex{0}))
    EXPECT_NE(table.presentation().tracks[part.track].kind, TrackKind::kText);
  EXPECT_EQ(table.segment_count(), 4u);
}

TEST_F(SegmentSubtitles, FilesBesideTheVideoHaveTheLanguageThatIsGiven) {
  const fs::path ass = scratch_.path() / "text.ass";
  ASSERT_EQ(run({FFMPEG, "-v", "error", "-i", srt_.string(), ass.string()}).exit_code, 0);
  const Presentation presentation =
      segmented(clip_with("webvtt", "clip3.mkv"),
                {"--no-subtitles", "--subtitles", srt_.string() + ":en-GB", "--subtitles", ass.string()});
  EXPECT_EQ(presentation.find_track("subtitles")->label.language, "en-GB");
  EXPECT_EQ(presentation.find_track("subtitles-3"), nullptr);
  EXPECT_EQ(content_of(output_ / "subtitles-2/all.vtt"), content_of(output_ / "subtitles/all.vtt"));
}

TEST_F(SegmentSubtitles, CheckFindsWhatIsWrongAndForceRemovesThem) {
  const fs::path clip = clip_with("subrip", "clip4.mkv");
  segmented(clip, {});
  fs::remove(output_ / "subtitles/all.vtt");
  std::ofstream{output_ / "subtitles-2/00001.vtt"} << "VTTWEB\n";
  std::string mpd = content_of(output_ / "manifest.mpd");
  std::ofstream{output_ / "manifest.mpd"} << mpd.replace(mpd.find("subtitles-2/all"), 15, "subtitles-3/all");
  const Outcome check = run({TRIBUTARY_SEGMENT, "check", output_.string()});
  EXPECT_EQ(check.exit_code, 5);
  EXPECT_THAT(check.out, HasSubstr("subtitles/all.vtt: cannot be read"));
  EXPECT_THAT(check.out, HasSubstr("subtitles-2/00001.vtt: does not begin with the line WEBVTT"));
  EXPECT_THAT(check.out, HasSubstr("manifest.mpd: Representation subtitles-2: BaseURL is subtitles-3/all.vtt"));

  segmented(clip, {"--no-subtitles"});
  EXPECT_TRUE(fs::is_empty(output_ / "subtitles-2"));
}

/// The same text comes out, whatever it is written in; what is guessed is said.
TEST_F(SegmentSubtitles, TextOfOtherEncodingsIsReadAsUtf8) {
  const fs::path clip = make_clip(scratch_.path(), {.pictures = 30, .sample_rate = 0});
  const std::string text = "1\n00:00:00,500 --> 00:00:00,900\nHåkon – 5 €\n\n";
  const fs::path utf8 = scratch_.path() / "utf8.srt", other = scratch_.path() / "other.srt";
  std::ofstream{utf8} << text;
  const auto told = [&](const std::string& encoding) {
    const std::string bytes = must_run({"/usr/bin/iconv", "-f", "UTF-8", "-t", encoding, utf8.string()});
    std::ofstream{other, std::ios::binary} << (encoding == "UTF-16LE"   ? "\xff\xfe"
                                               : encoding == "UTF-16BE" ? "\xfe\xff"
                                                                        : "")
                                           << bytes;
    const Outcome outcome = run({TRIBUTARY_SEGMENT, clip.string(), "-o", output_.string(), "--force", "--ladder",
                                 "only=100k", "--subtitles", other.string() + ":nb"});
    EXPECT_EQ(outcome.exit_code, 0) << encoding << outcome.error;
    EXPECT_THAT(content_of(output_ / "subtitles/all.vtt"), HasSubstr("\nHåkon – 5 €\n")) << encoding;
    return outcome.error;
  };
  for (const char* encoding : {"UTF-8", "UTF-16LE", "UTF-16BE"})
    EXPECT_THAT(told(encoding), Not(HasSubstr("taken for"))) << encoding;
  EXPECT_THAT(told("WINDOWS-1252"),
              HasSubstr("other.srt: its subtitles are not UTF-8, and are taken for Windows-1252"));
}

TEST_F(SegmentSubtitles, WhatTheyAreForIsSaidEverywhere) {
  const fs::path clip = clip_with("subrip", "roles.mkv");
  const Presentation presentation =
      segmented(clip, {"--no-subtitles", "--subtitles", srt_.string() + ":eng:forced-subtitle", "--subtitles",
                       srt_.string() + ":eng:caption", "--subtitles", srt_.string() + ":eng:easyreader"});
  EXPECT_EQ(presentation.find_track("subtitles")->label, (TrackLabel{"en", "", {TrackRole::kForced}}));
  const std::string master = content_of(output_ / "master.m3u8"), mpd = content_of(output_ / "manifest.mpd");
  EXPECT_THAT(master, HasSubstr("NAME=\"en · subtitles\",LANGUAGE=\"en\",DEFAULT=NO,AUTOSELECT=YES,FORCED=YES,URI"));
  EXPECT_THAT(master, HasSubstr("CHARACTERISTICS=\"public.accessibility.transcribes-spoken-dialog,"
                                "public.accessibility.describes-music-and-sound\""));
  EXPECT_THAT(master, HasSubstr("CHARACTERISTICS=\"public.easy-to-read\""));
  for (const char* value : {"subtitle", "forced-subtitle", "caption", "easyreader"})
    EXPECT_THAT(mpd, HasSubstr(std::string{"<Role schemeIdUri=\"urn:mpeg:dash:role:2011\" value=\""} + value + "\""));
  EXPECT_THAT(mpd, HasSubstr("<Accessibility schemeIdUri=\"urn:mpeg:dash:role:2011\" value=\"caption\""));
}

TEST_F(SegmentSubtitles, WhatCannotBeReadIsExit2AndNamed) {
  const fs::path latin = scratch_.path() / "neither.srt";
  std::ofstream{latin} << "1\n00:00:00,500 --> 00:00:00,900\nH\x81kon\n\n";  // 81 is nothing in Windows-1252, either
  const fs::path clip = make_clip(scratch_.path(), {.pictures = 30, .sample_rate = 0});
  const auto error = [&](const fs::path& subtitles) {
    const Outcome outcome =
        run({TRIBUTARY_SEGMENT, clip.string(), "-o", output_.string(), "--subtitles", subtitles.string()});
    EXPECT_EQ(outcome.exit_code, 1);
    EXPECT_FALSE(fs::exists(output_));
    return outcome.error;
  };
  EXPECT_THAT(error(latin), HasSubstr("neither.srt at 0.500 s: a text that cannot be read"));
  EXPECT_THAT(error(clip), HasSubstr("clip.mkv has no subtitles that are text"));
}

TEST(SubtitleFile, ALanguageFollowsTheLastColon) {
  EXPECT_EQ(parse_subtitle_file("a.srt:en-US").label.language, "en-US");
  EXPECT_EQ(parse_subtitle_file("a.srt:en-US").path, "a.srt");
  EXPECT_EQ(parse_subtitle_file("a:b.srt").path, "a:b.srt");
  EXPECT_EQ(parse_subtitle_file("a:b.srt:no").path, "a:b.srt");
  EXPECT_EQ(parse_subtitle_file("a.srt:ger").label.language, "de");
  EXPECT_EQ(parse_subtitle_file("a.srt:und").label, TrackLabel{});
  EXPECT_EQ(parse_subtitle_file("a.srt:pt-br:caption").label, (TrackLabel{"pt-BR", "", {TrackRole::kCaption}}));
}

TEST(SubtitleFile, WhatFollowsAFileAndIsNoLanguageIsRefused) {
  const TemporaryDirectory scratch;
  const std::string file = (scratch.path() / "a.srt").string();
  std::ofstream{file} << kText;
  EXPECT_EQ(parse_subtitle_file(file + ":caption").label, (TrackLabel{"", "", {TrackRole::kCaption}}));
  for (const char* more : {":xyz", ":english", ":de:hearing", ":xyz:caption", ":"})
    EXPECT_THROW(parse_subtitle_file(file + more), std::invalid_argument) << more;
}

TEST(CueText, NothingEndsTheCueOrIsTakenForMarkup) {
  EXPECT_EQ(cue_text("a\n\nb\n"), "a\nb");
  EXPECT_EQ(cue_text("<b>1 < 2</b> <v x>"), "<b>1 &lt; 2</b> &lt;v x>");
  EXPECT_EQ(cue_text("--> &amp;"), "--&gt; &amp;amp;");
}

}  // namespace
}  // namespace tributary::segmenter
