#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <memory>

#include "live_track.hh"
#include "presentation/json/json_index.hh"
#include "segmenter/live/live_publication.hh"
#include "segmenter/publish/file_bytes.hh"
#include "temporary_directory.hh"

namespace tributary::segmenter::live_parts_test {
namespace {

using namespace literals;
using namespace std::chrono_literals;
using ::testing::HasSubstr;
using ::testing::Not;

Track track_of(const std::string& id, TrackKind kind, std::uint32_t timescale) {
  Track track = live_track(id, kind, timescale);
  track.parts = TrackParts{.target = timescale};
  return track;
}

/// A live presentation of one quality and sound, of segments of two parts of a second, without any media in them.
class PartChannel {
 public:
  explicit PartChannel(const std::filesystem::path& directory, UtcTime now = kLiveStart, std::uint32_t window = 30)
      : publication_{directory, Publication::Existing::kContinue, {.part = 1s}},
        beginning_{find_beginning(publication_, now)},
        live_{publication_, beginning_, {window, 2, {}}},
        destination_{publication_, beginning_.first_number, beginning_.start, &live_} {
    for (const auto& [id, kind, timescale] :
         {std::tuple{"low", TrackKind::kVideo, 1000U}, std::tuple{"audio", TrackKind::kAudio, 48000U}}) {
      writers_.push_back(std::make_unique<TrackWriter>(destination_, track_of(id, kind, timescale), ".m4s"));
    }
    live_.set_tracks({writers_[0]->describe(), writers_[1]->describe()}, 2);
  }

  void picture(std::uint64_t ticks = 1000) { part(0, ticks, content_[0].empty()); }
  void sound() { part(1, 48000, true); }
  void row() { picture(), sound(); }
  void end_picture() { end_segment(0, 2000); }
  void end_sound() { end_segment(1, 96000); }
  void segments(int count) {
    for (int i = 0; i < count; ++i) row(), row(), end_picture(), end_sound();
  }
  void end() { live_.end(); }

 private:
  void part(std::size_t track, std::uint64_t ticks, bool independent) {
    const std::string bytes(++written_, 'x');
    content_[track] += bytes;
    writers_[track]->write_part(bytes_of(bytes), ticks, independent);
  }
  void end_segment(std::size_t track, std::uint64_t ticks) {
    writers_[track]->write_segment(bytes_of(content_[track]), ticks);
    content_[track].clear();
  }

  Publication publication_;
  LiveBeginning beginning_;
  LivePublication live_;
  TrackDestination destination_;
  std::vector<std::unique_ptr<TrackWriter>> writers_;
  std::array<std::string, 2> content_;
  std::size_t written_ = 0;
};

class LivePartsTest : public ::testing::Test {
 protected:
  bool exists(const std::string& name) const { return std::filesystem::exists(scratch_.path() / name); }
  std::string text(const std::string& name) const { return *read_file(scratch_.path() / name); }
  Presentation index() const { return read_index(text("index.json")); }
  /// "2: 2, 3: 1": the number of parts of each segment that has some.
  std::string listed(std::size_t track = 0) const {
    std::string text;
    const Presentation presentation = index();
    if (!presentation.tracks[track].parts) return "none";
    for (const SegmentParts& segment : presentation.tracks[track].parts->segments)
      text += fmt::format("{}{}: {}", text.empty() ? "" : ", ", segment.segment, segment.parts.size());
    return text;
  }

  TemporaryDirectory scratch_;
};

TEST_F(LivePartsTest, APartIsListedWhenAllTracksHaveIt) {
  PartChannel channel{scratch_.path()};
  channel.segments(1);
  EXPECT_EQ(listed(), "1: 2");
  channel.picture();
  EXPECT_TRUE(exists("low/00002.0.m4s"));
  EXPECT_EQ(listed(), "1: 2");
  channel.sound();
  EXPECT_EQ(listed(), "1: 2, 2: 1");
  EXPECT_EQ(listed(1), "1: 2, 2: 1");
  EXPECT_THAT(text("low/playlist.m3u8"), HasSubstr("#EXT-X-PART:DURATION=1.000000,URI=\"00002.0.m4s\",INDEPENDENT=YES\n"
                                                   "#EXT-X-RENDITION-REPORT:"));
  EXPECT_THAT(text("low/playlist.m3u8"), Not(HasSubstr("EXT-X-PRELOAD-HINT"))) << "its part is not there";
  channel.row();
  EXPECT_EQ(listed(), "1: 2, 2: 2");
  EXPECT_EQ(index().tracks[0].sizes.size(), 1U) << "the segment is not whole yet";
  channel.end_picture();
  EXPECT_EQ(index().tracks[0].sizes.size(), 1U);
  channel.end_sound();
  EXPECT_EQ(index().tracks[0].sizes.size(), 2U);
}

TEST_F(LivePartsTest, ThePresentationAppearsWithItsFirstSegment) {
  PartChannel channel{scratch_.path()};
  channel.row();
  channel.row();
  EXPECT_TRUE(exists("low/00001.1.m4s"));
  EXPECT_FALSE(exists("index.json"));
  EXPECT_FALSE(exists("low/playlist.m3u8"));
}

TEST_F(LivePartsTest, PartsAreListedForThreeTargetDurationsAndTheirFilesStayForLonger) {
  PartChannel channel{scratch_.path()};
  channel.segments(5);
  EXPECT_EQ(listed(), "3: 2, 4: 2, 5: 2") << "of six seconds";
  channel.row();
  EXPECT_EQ(listed(), "4: 2, 5: 2, 6: 1");
  channel.row();
  channel.end_picture();
  channel.end_sound();
  EXPECT_TRUE(exists("low/00001.0.m4s"));
  channel.segments(1);
  EXPECT_FALSE(exists("low/00001.0.m4s")) << "four segments after they left the list";
  EXPECT_FALSE(exists("audio/00001.1.m4s"));
  EXPECT_TRUE(exists("low/00002.0.m4s"));
  EXPECT_TRUE(exists("low/00001.m4s"));
}

TEST_F(LivePartsTest, AShortWindowHasFewerParts) {
  PartChannel channel{scratch_.path(), kLiveStart, 2};
  channel.segments(5);
  EXPECT_EQ(listed(), "4: 2, 5: 2");
}

TEST_F(LivePartsTest, ManifestsNameThem) {
  PartChannel channel{scratch_.path()};
  channel.segments(4);
  channel.row();
  const std::string playlist = text("low/playlist.m3u8");
  EXPECT_THAT(playlist, HasSubstr("#EXT-X-VERSION:9\n#EXT-X-TARGETDURATION:2\n"
                                  "#EXT-X-SERVER-CONTROL:HOLD-BACK=6.000000,PART-HOLD-BACK=4.000000\n"
                                  "#EXT-X-PART-INF:PART-TARGET=1.000000\n"));
  EXPECT_THAT(playlist, Not(HasSubstr("CAN-BLOCK-RELOAD")));
  EXPECT_THAT(playlist, HasSubstr("URI=\"00004.0.m4s\",INDEPENDENT=YES\n"
                                  "#EXT-X-PART:DURATION=1.000000,URI=\"00004.1.m4s\"\n#EXTINF:2.000000,\n"));
  EXPECT_THAT(playlist, HasSubstr("#EXT-X-RENDITION-REPORT:URI=\"../audio/playlist.m3u8\",LAST-MSN=5,LAST-PART=0\n"));
  EXPECT_THAT(text("manifest.mpd"), Not(HasSubstr("SubNumber"))) << "FFmpeg would wait for parts";
  const std::string mpd = text("low-latency.mpd");
  EXPECT_THAT(mpd, HasSubstr(R"(<EssentialProperty schemeIdUri="urn:mpeg:dash:ssr:2023" value="0" />)"));
  EXPECT_THAT(mpd, HasSubstr(R"(media="low/$Number%05d$.$SubNumber$.m4s")"));
  EXPECT_THAT(mpd, HasSubstr(R"(<S t="6000" d="2000" k="2" />)"));
  EXPECT_THAT(mpd, HasSubstr(R"(<S t="8000" d="2000" k="2" />)")) << "which comes into being";
  EXPECT_THAT(mpd, HasSubstr(R"(<Latency referenceId="0" target="5000")"));
}

TEST_F(LivePartsTest, AtTheEndNoneIsListed) {
  PartChannel channel{scratch_.path()};
  channel.segments(2);
  channel.row();
  channel.end_picture();
  channel.end_sound();
  channel.end();
  EXPECT_EQ(listed(), "none");
  EXPECT_TRUE(index().complete);
  EXPECT_THAT(text("low/playlist.m3u8"), Not(HasSubstr("EXT-X-PART")));
  EXPECT_THAT(text("low/playlist.m3u8"), Not(HasSubstr("EXT-X-PRELOAD-HINT")));
  EXPECT_THAT(text("low-latency.mpd"), HasSubstr("type=\"static\"")) << "players that know it load it once more";
  EXPECT_THAT(text("low-latency.mpd"), Not(HasSubstr("SubNumber")));
  EXPECT_TRUE(exists("low/00002.0.m4s")) << "for players that have listed it";
}

TEST_F(LivePartsTest, ANewRunUsesNoNumberOfAPartAgainAndRemovesWhatIsLeft) {
  {
    PartChannel channel{scratch_.path()};
    channel.segments(2);
    channel.picture();  // killed before the sound came
  }
  PartChannel channel{scratch_.path(), kLiveStart + 60s};
  channel.segments(1);
  EXPECT_EQ(index().tracks[0].first_number, 4U);
  EXPECT_EQ(listed(), "4: 2");
  EXPECT_TRUE(exists("low/00003.0.m4s")) << "for players of the earlier lists";
  EXPECT_THAT(text("low/playlist.m3u8"), HasSubstr("#EXT-X-DISCONTINUITY-SEQUENCE:1\n"));
  channel.segments(5);
  EXPECT_FALSE(exists("low/00003.0.m4s"));
  EXPECT_FALSE(exists("audio/00002.1.m4s"));
}

TEST_F(LivePartsTest, PartsThatDoNotAgreeAreNotListed) {
  PartChannel channel{scratch_.path()};
  channel.segments(1);
  channel.row();
  channel.sound();
  channel.end_sound();
  channel.end_picture();  // its pictures came too late to be divided
  EXPECT_EQ(listed(), "");
  EXPECT_EQ(index().tracks[0].sizes.size(), 2U);
  channel.segments(1);
  EXPECT_EQ(listed(), "3: 2");
  channel.picture(1001);
  channel.sound();
  EXPECT_EQ(listed(), "") << "longer than the target";
}

}  // namespace
}  // namespace tributary::segmenter::live_parts_test
