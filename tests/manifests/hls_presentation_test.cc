#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "manifest_files_of.hh"
#include "presentation/segments/segment_table.hh"

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

/// RFC 8216 section 6.2.4.
TEST(HlsPresentation, HasTheTitleOfThePlaylist) {
  const std::string title = "#EXT-X-SESSION-DATA:DATA-ID=\"com.apple.hls.title\",VALUE=\"Fjord\"\n";
  EXPECT_EQ(opened(kMaster + title, kPlaylistUrl, film()).presentation.title, "Fjord");
}

TEST(HlsPresentation, RedundantVariantsAreOneQuality) {
  const std::string master = R"(#EXTM3U
#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="Norsk",LANGUAGE="nb",DEFAULT=YES,URI="nb.m3u8"
#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="b",NAME="Norsk",LANGUAGE="nb",DEFAULT=YES,URI="https://b.example/nb.m3u8"
#EXT-X-STREAM-INF:BANDWIDTH=2000000,RESOLUTION=1280x720,CODECS="avc1.4d401f,mp4a.40.2",AUDIO="a"
high/list.m3u8
#EXT-X-STREAM-INF:BANDWIDTH=2000000,RESOLUTION=1280x720,CODECS="avc1.4d401f,mp4a.40.2",AUDIO="b"
https://b.example/high/list.m3u8
#EXT-X-STREAM-INF:BANDWIDTH=728000,RESOLUTION=640x360,CODECS="avc1.4d401f,mp4a.40.2",AUDIO="a"
low/list.m3u8
#EXT-X-STREAM-INF:BANDWIDTH=728000,RESOLUTION=640x360,CODECS="avc1.4d401f,mp4a.40.2",AUDIO="b"
https://b.example/low/list.m3u8
)";
  ManifestFiles files = film();
  const Opened title = opened(master, kPlaylistUrl, files);
  EXPECT_THAT(title.left_out, ElementsAre());
  ASSERT_THAT(title.presentation.tracks, SizeIs(3));
  EXPECT_THAT(title.alternatives.all_of("https://film.example/a/low/l1.m4s"),
              ElementsAre("https://film.example/a/low/l1.m4s", "https://b.example/low/l1.m4s"));
  EXPECT_THAT(title.alternatives.all_of("https://film.example/a/nb1.m4s"),
              ElementsAre("https://film.example/a/nb1.m4s", "https://b.example/nb1.m4s"));

  files.files["https://b.example/low/list.m3u8"] = media("x");
  files.files.erase("https://film.example/a/low/list.m3u8");
  EXPECT_EQ(opened(master, kPlaylistUrl, files).presentation.tracks[1].segment(SegmentIndex{0}).uri,
            "https://b.example/low/x0.m4s");

  std::string other = master;
  const std::string same_rate = "2000000,RESOLUTION=1280x720,CODECS=\"avc1.4d401f,mp4a.40.2\",AUDIO=\"a\"";
  other.replace(other.find(same_rate), 7, "2000001");
  files = film();
  files.files["https://b.example/high/list.m3u8"] = media("h");
  EXPECT_THAT(opened(other, kPlaylistUrl, files).presentation.tracks, SizeIs(4)) << "a quality of its own";
}

TEST(HlsPresentation, TheDefaultSoundMayBeWithinThePictures) {
  std::string master = kMaster;
  const std::string apart = ",DEFAULT=YES,URI=\"nb.m3u8\"";
  master.replace(master.find(apart), apart.size(), ",DEFAULT=YES");
  const Opened title = opened(master, kPlaylistUrl, film());
  EXPECT_THAT(title.presentation.tracks, SizeIs(2));
  EXPECT_EQ(SegmentTable{title.presentation}.sound(), std::nullopt);
  EXPECT_THAT(title.left_out, ElementsAre(HasSubstr("sound without picture"), HasSubstr("Deutsch: beside sound")));
}

TEST(HlsPresentation, KeyFramesAloneAreNoQuality) {
  const std::string trick =
      "#EXT-X-STREAM-INF:BANDWIDTH=100000,CODECS=\"avc1.4d400d\",RESOLUTION=160x90\ntrick.m3u8\n"
      "#EXT-X-I-FRAME-STREAM-INF:BANDWIDTH=30000,URI=\"trick.m3u8\"\n";
  const Opened title = opened(kMaster + trick, kPlaylistUrl, film());
  EXPECT_THAT(title.presentation.tracks, SizeIs(4));
  EXPECT_THAT(title.left_out,
              ElementsAre(HasSubstr("sound without picture"), HasSubstr("trick.m3u8: only key frames")));
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

TEST(HlsPresentation, ADiscontinuityBeginsAStretch) {
  const auto playlist = [](const std::string& name) {
    return "#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXT-X-MAP:URI=\"" + name + ".mp4\"\n#EXTINF:4,\n" + name +
           "0.m4s\n#EXT-X-DISCONTINUITY\n#EXT-X-MAP:URI=\"ad.mp4\",BYTERANGE=\"700@0\"\n#EXTINF:4,\nad0.m4s\n"
           "#EXTINF:2,\nad1.m4s\n#EXT-X-DISCONTINUITY\n#EXT-X-MAP:URI=\"" +
           name + ".mp4\"\n#EXTINF:4,\n" + name + "1.m4s\n#EXT-X-ENDLIST\n";
  };
  ManifestFiles files = film();
  files.files["https://film.example/a/high/list.m3u8"] = playlist("h");
  files.files["https://film.example/a/low/list.m3u8"] = playlist("l");
  const Opened title = opened(kMaster, kPlaylistUrl, files);
  EXPECT_THAT(title.left_out, SizeIs(1));
  const Track& low = title.presentation.tracks[1];
  ASSERT_THAT(low.stretches, SizeIs(2));
  EXPECT_EQ(
      low.stretches[0],
      (Stretch{SegmentIndex{1}, Resource{"https://film.example/a/low/ad.mp4", {DataSize{}, DataSize{700}}, false}, 0}));
  EXPECT_EQ(low.stretches[1].first, SegmentIndex{3});
  EXPECT_EQ(low.stretches[1].init->uri, low.init->uri);
  EXPECT_TRUE(low.stretches[1].init->estimated);
}

TEST(HlsPresentation, QualitiesWithOtherDiscontinuitiesAreLeftOut) {
  ManifestFiles files = film();
  std::string& low = files.files["https://film.example/a/low/list.m3u8"];
  low.insert(low.rfind("#EXTINF"), "#EXT-X-DISCONTINUITY\n");
  EXPECT_THAT(opened(kMaster, kPlaylistUrl, files).left_out,
              ElementsAre(HasSubstr("sound"), HasSubstr("360p: goes on")));
}

TEST(HlsPresentation, KeysOfAes128AreFetchedOnce) {
  const std::string playlist =
      "#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXT-X-MEDIA-SEQUENCE:7\n#EXTINF:4,\nclear.ts\n"
      "#EXT-X-KEY:METHOD=AES-128,URI=\"/key\"\n#EXTINF:4,\na.ts\n"
      "#EXT-X-KEY:METHOD=AES-128,URI=\"/key\",IV=0x0000000000000000000000000000ab00\n#EXTINF:4,\nb.ts\n#EXT-X-ENDLIST\n";
  ManifestFiles files{{{"https://film.example/key", "0123456789abcdef"}}};
  const Presentation title = opened(playlist, kPlaylistUrl, files).presentation;
  const Track& track = title.tracks.at(0);
  EXPECT_FALSE(track.segment(SegmentIndex{0}).cipher);
  const auto by_number = track.segment(SegmentIndex{1}).cipher, stated = track.segment(SegmentIndex{2}).cipher;
  ASSERT_TRUE(by_number && stated);
  EXPECT_EQ(by_number->key.at(15), std::byte{'f'});
  EXPECT_EQ(by_number->vector.at(15), std::byte{8}) << "its media sequence number";
  EXPECT_EQ(stated->vector.at(14), std::byte{0xab});
  EXPECT_FALSE(without_addresses(title).tracks[0].segment(SegmentIndex{1}).cipher);
  files.files["https://film.example/key"] = "short";
  EXPECT_THAT(refusal(playlist, kPlaylistUrl, files),
              HasSubstr("https://film.example/key: a key of AES-128 has 16 bytes, and this one has 5"));
}

TEST(HlsPresentation, TheEndOfALineMayFollowAKey) {
  const auto with_key = [](const std::string& uri) {
    return "#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXT-X-KEY:METHOD=AES-128,URI=\"" + uri +
           "\"\n#EXTINF:4,\na.ts\n#EXT-X-ENDLIST\n";
  };
  for (const auto* const end : {"\n", "\r\n", "\n\n"}) {
    const ManifestFiles files{{{"https://film.example/key", std::string{"0123456789abcdef"} + end}}};
    const Presentation title = opened(with_key("/key"), kPlaylistUrl, files).presentation;
    EXPECT_EQ(title.tracks.at(0).segment(SegmentIndex{0}).cipher.value().key.at(15), std::byte{'f'});
  }
  const Presentation within = opened(with_key("data:,0123456789abcdef%0a"), kPlaylistUrl).presentation;
  EXPECT_EQ(within.tracks.at(0).segment(SegmentIndex{0}).cipher.value().key.at(15), std::byte{'f'});
  for (const auto* const more : {"g", " ", "\nx"}) {
    const ManifestFiles files{{{"https://film.example/key", std::string{"0123456789abcdef"} + more}}};
    EXPECT_THAT(refusal(with_key("/key"), kPlaylistUrl, files), HasSubstr("a key of AES-128 has 16 bytes")) << more;
  }
}

TEST(HlsPresentation, AnInitSectionBehindAForeignKeyIsInTheClear) {
  const std::string playlist =
      "#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXT-X-KEY:METHOD=SAMPLE-AES,URI=\"skd://k\"\n#EXT-X-MAP:URI=\"i.mp4\"\n"
      "#EXT-X-KEY:METHOD=NONE\n#EXTINF:4,\na.m4s\n#EXT-X-ENDLIST\n";
  const Track track =
      open_manifest(playlist, "https://film.example/m.m3u8", ManifestFiles{}.fetch()).presentation.tracks.at(0);
  ASSERT_TRUE(track.init);
  EXPECT_EQ(track.init->cipher, std::nullopt);
}

TEST(HlsPresentation, AGapIsAHole) {
  std::string text = media("h");
  text.insert(text.find("h1.m4s"), "#EXT-X-GAP\n");
  const Track track = opened(text, kPlaylistUrl).presentation.tracks.at(0);
  EXPECT_THAT(track.durations, ElementsAre(720'000, 360'000));
  EXPECT_EQ(track.segment(SegmentIndex{1}).uri, "https://film.example/a/h2.m4s");
}

TEST(HlsPresentation, ABadPlaylistIsLeftOutAndNamed) {
  const std::string low = "https://film.example/a/low/list.m3u8";
  for (const auto& [text, why] : std::vector<std::pair<std::string, std::string>>{
           {"#EXTM3U\n#EXT-X-BYTERANGE:x\na\n", low + ": line 2"},
           {"<html>gone</html>", low + ": line 1"},
           {"", low},
           {"#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXT-X-ENDLIST\n", low + ": the playlist has ended"},
           {media("l", 4, 2, ""), low + ": this playlist has no EXT-X-ENDLIST"}}) {
    ManifestFiles files = film();
    files.files[low] = text;
    const Opened title = opened(kMaster, kPlaylistUrl, files);
    EXPECT_EQ(title.presentation.tracks.size(), 3U) << text;
    EXPECT_THAT(title.left_out, ElementsAre(HasSubstr("sound"), HasSubstr("360p: " + why))) << text;
    EXPECT_FALSE(title.live) << text;
  }
}

TEST(HlsPresentation, AnyPlaylistMayBeGoneButTheLastPicture) {
  const std::string at = "https://film.example/a/";
  for (const std::string& gone : {"low/list.m3u8", "high/list.m3u8", "de.m3u8", "nb.m3u8"}) {
    ManifestFiles files = film();
    files.files.erase(at + gone);
    const Opened title = opened(kMaster, kPlaylistUrl, files);
    EXPECT_EQ(title.presentation.tracks.size(), 3U) << gone;
    EXPECT_THAT(title.left_out, ElementsAre(HasSubstr("sound"), HasSubstr("there is no such file"))) << gone;
    EXPECT_EQ(SegmentTable{title.presentation}.segment_count(), 3U) << gone;
  }
  ManifestFiles files = film();
  files.files.erase(at + "low/list.m3u8");
  files.files[at + "high/list.m3u8"] = "<html>gone</html>";
  EXPECT_THAT(refusal(kMaster, kPlaylistUrl, files), HasSubstr("high/list.m3u8: line 1"));
}

TEST(HlsPresentation, APlaylistThatListsAsMuchAsThoseThatEndedNeedsNoEnd) {
  for (const std::string& name : {"low", "high"}) {
    ManifestFiles files = film();
    files.files["https://film.example/a/" + name + "/list.m3u8"] = media(name, 4, 3, "");
    const Opened title = opened(kMaster, kPlaylistUrl, files);
    EXPECT_EQ(title.presentation.tracks.size(), 4U) << name;
    EXPECT_TRUE(title.presentation.complete) << name;
  }
}

TEST(HlsPresentation, ErrorsKeepSecretsOfAddresses) {
  const std::string master = "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1000000\nlist.m3u8?token=secret\n";
  const ManifestFiles files{{{"https://film.example/a/list.m3u8?token=secret", "#EXTM3U\n#EXT-X-BYTERANGE:x\na\n"}}};
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
