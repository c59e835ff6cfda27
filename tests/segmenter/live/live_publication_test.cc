#include "segmenter/live/live_publication.hh"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "live_track.hh"
#include "presentation/json/json_index.hh"
#include "segmenter/failure.hh"
#include "segmenter/publish/file_bytes.hh"
#include "segmenter/publish/hls_playlist.hh"
#include "temporary_directory.hh"

namespace tributary::segmenter {
namespace {

using namespace literals;
using namespace std::chrono_literals;
using ::testing::HasSubstr;
using ::testing::Not;

/// A live presentation of one quality and sound, of segments of two seconds without any media in them.
class LiveChannel {
 public:
  LiveChannel(const std::filesystem::path& directory, UtcTime now, std::uint32_t window = 3, std::uint32_t kept = 2,
              const std::vector<Presentation>& earlier = {})
      : publication_{directory, Publication::Existing::kContinue},
        beginning_{beginning(publication_, now, earlier)},
        live_{publication_, beginning_, {window, kept, {}}},
        destination_{publication_, beginning_.first_number, beginning_.start, &live_} {
    for (const auto& [id, kind, timescale] :
         {std::tuple{"low", TrackKind::kVideo, 12800U}, std::tuple{"audio", TrackKind::kAudio, 48000U}}) {
      writers_.push_back(std::make_unique<TrackWriter>(destination_, live_track(id, kind, timescale), ".m4s"));
    }
    live_.set_tracks({writers_[0]->describe(), writers_[1]->describe()}, 2);
  }

  void picture(std::uint64_t ticks = 25600) { write(0, ticks); }
  void sound() { write(1, 96000); }
  /// Of 2 Mbit/s.
  void restless() {
    write(0, 25600, 500'000 - written_ - 1);
    sound();
  }
  void both(int count = 1) {
    for (int i = 0; i < count; ++i) {
      picture();
      sound();
    }
  }
  void end() { live_.end(); }
  std::vector<Presentation> stretches() const { return live_.stretches(); }
  const LiveBeginning& beginning() const { return beginning_; }

 private:
  static LiveBeginning beginning(const Publication& publication, UtcTime now,
                                 const std::vector<Presentation>& earlier) {
    LiveBeginning beginning = find_beginning(publication, now);
    if (!earlier.empty()) beginning.stretches = earlier;
    return beginning;
  }

  void write(std::size_t track, std::uint64_t ticks, std::size_t more = 0) {
    const std::string content(++written_ + more, 'x');
    writers_[track]->write_segment(std::as_bytes(std::span{content}), ticks);
  }

  Publication publication_;
  LiveBeginning beginning_;
  LivePublication live_;
  TrackDestination destination_;
  std::vector<std::unique_ptr<TrackWriter>> writers_;
  std::size_t written_ = 0;
};

/// The periods of an MPD, each as its text.
std::vector<std::string> periods_of(const std::string& mpd) {
  std::vector<std::string> periods;
  for (std::size_t at = mpd.find("<Period "); at != std::string::npos; at = mpd.find("<Period ", at + 1))
    periods.push_back(mpd.substr(at, mpd.find("</Period>", at) - at));
  return periods;
}

class LivePublicationTest : public ::testing::Test {
 protected:
  bool exists(const std::string& name) const { return std::filesystem::exists(scratch_.path() / name); }
  std::string text(const std::string& name) const { return *read_file(scratch_.path() / name); }
  Presentation index() const { return read_index(text("index.json")); }

  TemporaryDirectory scratch_;
};

TEST_F(LivePublicationTest, ASegmentIsListedWhenAllTracksHaveIt) {
  LiveChannel channel{scratch_.path(), kLiveStart};
  channel.picture();
  channel.picture();
  EXPECT_TRUE(exists("low/00002.m4s"));
  EXPECT_FALSE(exists("index.json"));
  channel.sound();
  ASSERT_EQ(index().tracks[0].sizes.size(), 1U);
  EXPECT_EQ(index().tracks[1].sizes[0], 3_B);
  channel.sound();
  EXPECT_EQ(index().tracks[0].sizes.size(), 2U);
  EXPECT_FALSE(index().complete);
  EXPECT_EQ(index().live->availability_start, kLiveStart);
}

TEST_F(LivePublicationTest, TheWindowRollsAndFilesStayForAWhile) {
  LiveChannel channel{scratch_.path(), kLiveStart};
  channel.both(7);
  const Presentation listed = index();
  EXPECT_EQ(listed.tracks[0].first_number, 5U);
  EXPECT_EQ(listed.tracks[0].sizes.size(), 3U);
  EXPECT_EQ(listed.tracks[0].start, 4 * 25600U);
  EXPECT_EQ(listed.tracks[1].start, 4 * 96000U);
  EXPECT_FALSE(exists("low/00002.m4s"));
  EXPECT_FALSE(exists("audio/00002.m4s"));
  EXPECT_TRUE(exists("low/00003.m4s"));
}

TEST_F(LivePublicationTest, ManifestsRollAndEnd) {
  LiveChannel channel{scratch_.path(), kLiveStart};
  channel.both(5);
  const std::string playlist = text("low/playlist.m3u8");
  EXPECT_THAT(playlist, HasSubstr("#EXT-X-MEDIA-SEQUENCE:3\n"));
  EXPECT_THAT(
      playlist,
      HasSubstr("#EXT-X-PROGRAM-DATE-TIME:2026-01-02T03:04:09.678Z\n#EXTINF:2.000000,\n#EXT-X-BITRATE:1\n00003.m4s\n"));
  EXPECT_THAT(playlist, Not(HasSubstr("PLAYLIST-TYPE")));
  EXPECT_THAT(playlist, Not(HasSubstr("ENDLIST")));
  const std::string mpd = text("manifest.mpd");
  EXPECT_THAT(mpd, HasSubstr("type=\"dynamic\" availabilityStartTime=\"2026-01-02T03:04:05.678Z\""));
  EXPECT_THAT(mpd, HasSubstr("minimumUpdatePeriod=\"PT2.000S\" timeShiftBufferDepth=\"PT6.000S\" "
                             "suggestedPresentationDelay=\"PT6.000S\""));
  EXPECT_THAT(mpd, HasSubstr("<S t=\"51200\" d=\"25600\" r=\"2\" />"));
  EXPECT_THAT(mpd, HasSubstr("UTCTiming"));

  channel.picture(12800);
  channel.sound();
  channel.end();
  EXPECT_TRUE(index().complete);
  EXPECT_THAT(text("low/playlist.m3u8"), HasSubstr("#EXTINF:1.000000,\n#EXT-X-BITRATE:1\n00006.m4s\n#EXT-X-ENDLIST\n"));
  const std::string last = text("manifest.mpd");
  EXPECT_THAT(last, HasSubstr("type=\"static\" mediaPresentationDuration=\"PT5.000S\""));
  EXPECT_THAT(last, HasSubstr("presentationTimeOffset=\"76800\""));
  EXPECT_THAT(last, Not(HasSubstr("UTCTiming")));
}

TEST_F(LivePublicationTest, ANewRunGoesOnBehindTheEarlierOne) {
  {
    LiveChannel channel{scratch_.path(), kLiveStart};
    channel.both(3);
    channel.picture();  // killed before the sound came: published, not listed
  }
  LiveChannel channel{scratch_.path(), kLiveStart + 60s};
  EXPECT_EQ(channel.beginning().first_number, 5U);
  EXPECT_EQ(channel.beginning().start, 60s);
  channel.both();
  const Presentation listed = index();
  EXPECT_EQ(listed.live->availability_start, kLiveStart);
  EXPECT_EQ(listed.live->interruptions, 1U);
  EXPECT_EQ(listed.tracks[0].first_number, 5U);
  EXPECT_EQ(listed.tracks[0].start, 60 * 12800U);
  EXPECT_THAT(text("low/playlist.m3u8"), HasSubstr("#EXT-X-DISCONTINUITY-SEQUENCE:1\n"));
  EXPECT_EQ(periods_of(text("manifest.mpd")).size(), 2U);
  EXPECT_TRUE(exists("low/00002.m4s"));  // for clients of the earlier run
  channel.both(3);
  EXPECT_EQ(periods_of(text("manifest.mpd")).size(), 1U);
  EXPECT_TRUE(exists("low/00004.m4s"));
  EXPECT_FALSE(exists("low/00003.m4s"));
}

TEST_F(LivePublicationTest, WhatWasBeforeAnInterruptionIsAPeriodAsLongAsItIsInTheWindow) {
  std::vector<Presentation> earlier;
  {
    LiveChannel channel{scratch_.path(), kLiveStart, 3, 1};
    channel.both(3);
    earlier = channel.stretches();
  }
  LiveChannel channel{scratch_.path(), kLiveStart + 60s, 3, 1, earlier};
  channel.both();
  std::vector<std::string> periods = periods_of(text("manifest.mpd"));
  ASSERT_EQ(periods.size(), 2U);
  EXPECT_THAT(periods[0], HasSubstr(R"(<Period id="0" start="PT0.000S">)"));
  EXPECT_THAT(periods[0], HasSubstr(R"(presentationTimeOffset="0" startNumber="2")"));
  EXPECT_THAT(periods[0], HasSubstr(R"(<S t="25600" d="25600" r="1" />)"));
  EXPECT_THAT(periods[1], HasSubstr(R"(<Period id="1" start="PT60.000S">)"));
  EXPECT_THAT(periods[1], HasSubstr(R"(timescale="12800" presentationTimeOffset="768000" startNumber="4")"));
  EXPECT_THAT(periods[1], HasSubstr(R"(<S t="768000" d="25600" />)"));
  EXPECT_THAT(periods[1], HasSubstr(R"(timescale="48000" presentationTimeOffset="2880000" startNumber="4")"));
  EXPECT_EQ(index().tracks[0].first_number, 4U);
  EXPECT_EQ(index().live->stretch_start, 60s);
  EXPECT_THAT(text("low/playlist.m3u8"), HasSubstr("#EXT-X-MEDIA-SEQUENCE:4\n#EXT-X-DISCONTINUITY-SEQUENCE:1\n"));
  EXPECT_TRUE(exists("low/00001.m4s"));
  channel.both(2);
  periods = periods_of(text("manifest.mpd"));
  ASSERT_EQ(periods.size(), 1U);
  EXPECT_THAT(periods[0], HasSubstr(R"(<Period id="1" start="PT60.000S">)"));
  EXPECT_FALSE(exists("low/00002.m4s"));
  channel.both(2);
  EXPECT_THAT(periods_of(text("manifest.mpd"))[0], HasSubstr(R"(presentationTimeOffset="768000" startNumber="6")"));
  channel.end();
  EXPECT_TRUE(index().complete);
}

TEST_F(LivePublicationTest, TheMpdLeadsNobodyBackBehindAnInterruption) {
  const UtcTime now = utc_now();
  {
    LiveChannel channel{scratch_.path(), now - 1h, 30};
    channel.both(2);
  }
  const auto depth_with_a_start = [&](UtcTime start) {
    LiveChannel channel{scratch_.path(), start, 30};
    channel.both();
    const std::string mpd = text("manifest.mpd");
    return std::stod(mpd.substr(mpd.find("timeShiftBufferDepth=\"PT") + 24));
  };
  const double depth = depth_with_a_start(now - 20s);
  EXPECT_GE(depth, 20);
  EXPECT_LT(depth, 20 + 10) << "and what the test takes";
}

TEST_F(LivePublicationTest, AWindowThatIsShorterThanBeforeHoldsSoMuch) {
  {
    LiveChannel channel{scratch_.path(), kLiveStart, 5, 2};
    channel.both(5);
  }
  LiveChannel channel{scratch_.path(), kLiveStart + 60s, 3, 2};
  channel.both();
  EXPECT_THAT(periods_of(text("manifest.mpd"))[0], HasSubstr(R"(startNumber="4")"));
  EXPECT_FALSE(exists("low/00001.m4s"));
  EXPECT_TRUE(exists("low/00002.m4s"));
}

TEST_F(LivePublicationTest, RatesRiseToWhatIsMeasuredAndDoNotFall) {
  const auto rates = [&] { return index().tracks[0].bitrate; };
  {
    LiveChannel channel{scratch_.path(), kLiveStart};
    channel.both();
    EXPECT_EQ(rates(), (TrackBitrate{1_Mbps, 1.1_Mbps, 1_Mbps, 1.1_Mbps}));
    channel.restless();
    EXPECT_EQ(rates(), (TrackBitrate{1_Mbps, 2_Mbps, 1_Mbps, 2_Mbps}));
    EXPECT_THAT(text("manifest.mpd"), HasSubstr(R"(bandwidth="2000000")"));
    EXPECT_THAT(text("master.m3u8"), HasSubstr("BANDWIDTH=3100000,AVERAGE-BANDWIDTH=2000000,"));
    channel.both(4);
    EXPECT_EQ(rates().peak, 2_Mbps) << "it has left the window";
  }
  LiveChannel channel{scratch_.path(), kLiveStart + 60s};
  channel.both(3);
  EXPECT_EQ(rates().peak, 2_Mbps) << "a new run";
}

TEST_F(LivePublicationTest, WhatWasCompletedIsNoPeriodOfTheNextRun) {
  {
    LiveChannel channel{scratch_.path(), kLiveStart};
    channel.both(2);
    channel.end();
  }
  LiveChannel channel{scratch_.path(), kLiveStart + 60s};
  channel.both();
  ASSERT_EQ(periods_of(text("manifest.mpd")).size(), 1U);
  EXPECT_THAT(text("manifest.mpd"), HasSubstr(R"(<Period id="1" start="PT60.000S">)"));
  EXPECT_THAT(text("manifest.mpd"), HasSubstr(R"(timeShiftBufferDepth="PT6.000S")"));
}

TEST_F(LivePublicationTest, TheTimelineGoesOnEvenIfTheClockGoesBack) {
  {
    LiveChannel channel{scratch_.path(), kLiveStart};
    channel.both(3);
  }
  LiveChannel channel{scratch_.path(), kLiveStart - 1h};
  EXPECT_EQ(channel.beginning().start, 6s);
  EXPECT_EQ(channel.beginning().availability_start, kLiveStart - 1h - 6s) << "players find now where it begins";
  channel.both();
  EXPECT_EQ(index().live->availability_start, kLiveStart - 1h - 6s);
  EXPECT_EQ(index().tracks[0].start, 6 * 12800U);
  EXPECT_THAT(text("low/playlist.m3u8"), HasSubstr("#EXT-X-PROGRAM-DATE-TIME:2026-01-02T02:04:05.678Z\n"));
}

TEST_F(LivePublicationTest, WhatIsRoundedIsNoClockThatGoesBack) {
  {
    LiveChannel channel{scratch_.path(), kLiveStart};
    channel.both(3);
  }
  EXPECT_EQ(LiveChannel(scratch_.path(), kLiveStart + 5900ms).beginning().availability_start, kLiveStart);
}

TEST_F(LivePublicationTest, OneProcessAtATimeAndNothingElseInTheDirectory) {
  const auto refused = [&] {
    try {
      LiveChannel{scratch_.path(), kLiveStart};
    } catch (const Failure& failure) {
      EXPECT_EQ(failure.code(), ExitCode::kUsage);
      return std::string{failure.what()};
    }
    return std::string{"accepted"};
  };
  {
    const LiveChannel channel{scratch_.path(), kLiveStart};
    EXPECT_THAT(refused(), HasSubstr("another process"));
  }
  EXPECT_EQ(refused(), "accepted");
  const Publication publication{scratch_.path(), Publication::Existing::kContinue};
  publication.publish("notes.txt", "mine");
  EXPECT_THROW(find_beginning(publication, kLiveStart), Failure);
  publication.remove("notes.txt");
  publication.publish("low/init.mp4", "x");
  EXPECT_THROW(publication.publish_once("low/init.mp4", std::as_bytes(std::span{std::string_view{"y"}})), Failure);
}

TEST_F(LivePublicationTest, WithoutASegmentNothingIsPublished) {
  LiveChannel channel{scratch_.path(), kLiveStart};
  channel.end();
  EXPECT_FALSE(exists("index.json"));
}

}  // namespace
}  // namespace tributary::segmenter
