#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "manifest_files_of.hh"
#include "presentation/segment_table.hh"

namespace tributary {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::ManifestFiles;
using testing::opened;
using testing::refusal;
using ::testing::SizeIs;

constexpr const char* kPlaylistUrl = "https://film.example/a/master.m3u8?token=5";

constexpr const char* kMaster = R"(#EXTM3U
#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="Deutsch",LANGUAGE="de",URI="de.m3u8"
#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="Norsk",LANGUAGE="nb",DEFAULT=YES,URI="nb.m3u8"
#EXT-X-STREAM-INF:BANDWIDTH=2000000,AVERAGE-BANDWIDTH=1528000,RESOLUTION=1280x720,CODECS="avc1.4d401f,mp4a.40.2",AUDIO="a"
high/list.m3u8
#EXT-X-STREAM-INF:BANDWIDTH=728000,RESOLUTION=640x360,CODECS="mp4a.40.2, avc1.4d401e",AUDIO="a"
low/list.m3u8
#EXT-X-STREAM-INF:BANDWIDTH=128000,CODECS="mp4a.40.2",AUDIO="a"
nb.m3u8
)";

std::string media(const std::string& name, double seconds = 4, int count = 3,
                  const std::string& end = "#EXT-X-ENDLIST") {
  std::string text = "#EXTM3U\n#EXT-X-TARGETDURATION:10\n#EXT-X-MAP:URI=\"init.mp4\"\n";
  for (int i = 0; i < count; ++i) text += fmt::format("#EXTINF:{},\n{}{}.m4s\n", seconds, name, i);
  return text + end + "\n";
}

ManifestFiles film() {
  return {{{"https://film.example/a/high/list.m3u8", media("h")},
           {"https://film.example/a/low/list.m3u8", media("l")},
           {"https://film.example/a/de.m3u8", media("de", 6, 2)},
           {"https://film.example/a/nb.m3u8", media("nb", 6, 2)}}};
}

TEST(HlsPresentation, HasThePicturesAndSoundsOfItsVariants) {
  const Opened title = opened(kMaster, kPlaylistUrl, film());
  EXPECT_THAT(title.left_out, ElementsAre(HasSubstr("sound without picture")));
  const std::vector<Track>& tracks = title.presentation.tracks;
  ASSERT_THAT(tracks, SizeIs(4));
  EXPECT_EQ(tracks[0].id, "720p");
  EXPECT_EQ(tracks[0].codec, "avc1.4d401f");
  EXPECT_EQ(tracks[0].bitrate.average, DataRate::bits_per_second(1'400'000)) << "without its sound";
  EXPECT_EQ(tracks[0].segment(SegmentIndex{2}).uri, "https://film.example/a/high/h2.m4s");
  EXPECT_EQ(tracks[0].init->uri, "https://film.example/a/high/init.mp4");
  EXPECT_EQ(tracks[1].codec, "avc1.4d401e");
  EXPECT_EQ(tracks[1].group, tracks[0].group);
  EXPECT_EQ(tracks[2].label.language, "nb") << "the default is first";
  EXPECT_EQ(tracks[2].codec, "mp4a.40.2");
  EXPECT_EQ(tracks[3].label.language, "de");
  const SegmentTable table{title.presentation};
  EXPECT_THAT(table.parts(SegmentIndex{1}, QualityIndex{0}), SizeIs(2)) << "sound from 6 s on starts within 4 to 8 s";
  EXPECT_THAT(table.parts(SegmentIndex{2}, QualityIndex{0}), SizeIs(1));
}

TEST(HlsPresentation, OneMediaPlaylistIsATitle) {
  std::string text = "#EXTM3U\n#EXT-X-TARGETDURATION:4\n";
  for (int i = 0; i < 3; ++i) text += fmt::format("#EXTINF:4,\n#EXT-X-BYTERANGE:1000@{}\nfilm.ts\n", 1000 * i);
  const Presentation title = opened(text + "#EXT-X-ENDLIST\n", kPlaylistUrl).presentation;
  ASSERT_THAT(title.tracks, SizeIs(1));
  EXPECT_EQ(title.tracks[0].segment(SegmentIndex{2}),
            (Resource{"https://film.example/a/film.ts", {DataSize{2000}, DataSize{3000}}, false}));
  EXPECT_FALSE(title.tracks[0].init);
}

TEST(HlsPresentation, ErrorsNameThePlaylist) {
  ManifestFiles files = film();
  files.files["https://film.example/a/low/list.m3u8"] = "#EXTM3U\n#EXTINF:x,\na\n";
  EXPECT_THAT(refusal(kMaster, kPlaylistUrl, files), HasSubstr("https://film.example/a/low/list.m3u8: line 2"));
  files.files["https://film.example/a/low/list.m3u8"] = media("l", 4, 3, "");
  EXPECT_THAT(refusal(kMaster, kPlaylistUrl, files), HasSubstr("low/list.m3u8: this playlist goes on"));
}

TEST(HlsPresentation, ErrorsKeepSecretsOfAddresses) {
  const std::string master = "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1000000\nlist.m3u8?token=secret\n";
  const ManifestFiles files{{{"https://film.example/a/list.m3u8?token=secret", "#EXTM3U\n#EXTINF:x,\na\n"}}};
  const std::string why = refusal(master, kPlaylistUrl, files);
  EXPECT_THAT(why, HasSubstr("https://film.example/a/list.m3u8?"));
  EXPECT_THAT(why, ::testing::Not(HasSubstr("secret")));
}

TEST(HlsPresentation, OtherGridsAreLeftOut) {
  ManifestFiles files = film();
  files.files["https://film.example/a/low/list.m3u8"] = media("l", 3, 4);
  EXPECT_THAT(opened(kMaster, kPlaylistUrl, files).left_out,
              ElementsAre(HasSubstr("sound"), HasSubstr("360p: has 4 segments")));
}

}  // namespace
}  // namespace tributary
