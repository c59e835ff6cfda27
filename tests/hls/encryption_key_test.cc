#include "hls/encryption_key.hh"

#include <gtest/gtest.h>

#include "hls/lines/playlist_limits.hh"
#include "playlist_texts.hh"

namespace tributary::hls {
namespace {

const std::string kFairPlay =
    "#EXT-X-KEY:METHOD=SAMPLE-AES,URI=\"skd://x\",KEYFORMAT=\"com.apple.streamingkeydelivery\"\n";

std::string aes(const std::string& uri) { return "#EXT-X-KEY:METHOD=AES-128,URI=\"" + uri + "\"\n"; }

TEST(EncryptionKey, IsInForceUntilTheNext) {
  const MediaPlaylist playlist = media(kSegment + aes("1") + kSegment + aes("1") + kSegment + aes("2") + kSegment +
                                       "#EXT-X-KEY:METHOD=NONE\n" + kSegment);
  ASSERT_EQ(playlist.keys.size(), 2u);  // the repeated one is the same
  EXPECT_EQ(playlist.keys[0].uri, "1");
  EXPECT_EQ(playlist.keys[0].method, EncryptionMethod::kAes128);
  EXPECT_EQ(playlist.keys[0].iv, std::nullopt);
  EXPECT_TRUE(playlist.keys[0].is_plain_aes128());
  std::vector<std::optional<std::size_t>> keys;
  for (const MediaSegment& segment : playlist.segments) keys.push_back(segment.key);
  EXPECT_EQ(keys, (std::vector<std::optional<std::size_t>>{std::nullopt, 0, 0, 1, std::nullopt}));
}

TEST(EncryptionKey, AKeyOfOneFormatReplacesThatFormatOnly) {
  const std::string widevine =
      "#EXT-X-KEY:METHOD=SAMPLE-AES-CTR,URI=\"data:,x\",KEYFORMAT=\"urn:uuid:edef8ba9-79d6-4ace-a3c8-27dcd51d21ed\"\n";
  const MediaPlaylist playlist = media(kFairPlay + widevine + kSegment + aes("k") + kSegment);
  ASSERT_EQ(playlist.keys.size(), 3u);
  EXPECT_EQ(playlist.keys[1].method, EncryptionMethod::kSampleAesCtr);
  EXPECT_EQ(playlist.segments.at(0).key, 0u);
  EXPECT_EQ(playlist.segments.at(1).key, 2u);  // the one that we can use
}

TEST(EncryptionKey, WithoutAVectorTheSequenceNumberIsIt) {
  const MediaPlaylist playlist = media("#EXT-X-MEDIA-SEQUENCE:72623859790382856\n" + aes("k") + kSegment +
                                       "#EXT-X-KEY:METHOD=AES-128,URI=\"k\",IV=0x00ff\n" + kSegment);
  const MediaSegment& first = playlist.segments.at(0);
  Block expected{};
  for (std::size_t i = 8; i < 16; ++i) expected[i] = static_cast<std::byte>(i - 7);
  EXPECT_EQ(initialization_vector(playlist.keys[*first.key], first.sequence), expected);
  const MediaSegment& second = playlist.segments.at(1);
  Block stated{};
  stated[15] = std::byte{0xff};
  EXPECT_EQ(initialization_vector(playlist.keys[*second.key], second.sequence), stated);
}

TEST(EncryptionKey, AnInitSectionIsEncryptedWithTheKeyBeforeIt) {
  const std::string map = "#EXT-X-MAP:URI=\"i\"\n";
  const MediaPlaylist playlist = media("#EXT-X-KEY:METHOD=AES-128,URI=\"k\",IV=0x1\n" + map + kSegment);
  EXPECT_EQ(playlist.maps.at(0).key, 0u);
  EXPECT_EQ(media(map + aes("k") + kSegment).maps.at(0).key, std::nullopt);
  EXPECT_EQ(media(kFairPlay + map + kSegment).maps.at(0).key, 0u);
  EXPECT_EQ(refusal(aes("k") + map),
            "line 3, EXT-X-MAP: the init section is encrypted (AES-128), and its EXT-X-KEY has no IV");
}

TEST(EncryptionKey, TheSameInitSectionUnderAnotherKeyIsAnother) {
  const std::string map = "#EXT-X-MAP:URI=\"i\"\n";
  const MediaPlaylist playlist =
      media(map + kSegment + "#EXT-X-KEY:METHOD=AES-128,URI=\"k\",IV=0x1\n" + map + kSegment);
  EXPECT_EQ(playlist.maps.size(), 2u);
}

TEST(EncryptionKey, ErrorsNameTheirPlace) {
  EXPECT_EQ(refusal("#EXT-X-KEY:URI=\"k\"\n"), "line 2, EXT-X-KEY: METHOD is missing");
  EXPECT_EQ(refusal("#EXT-X-KEY:METHOD=AES-128\n"), "line 2, EXT-X-KEY: URI is missing");
  EXPECT_EQ(refusal("#EXT-X-KEY:METHOD=AES-128,URI=\"\"\n"), "line 2, EXT-X-KEY: the address is empty");
  EXPECT_EQ(refusal("#EXT-X-DEFINE:QUERYPARAM=\"q\"\n#EXT-X-KEY:METHOD=AES-128,URI=\"k{$q}\"\n", {{}, "q=%0d%0aX"}),
            "line 3, EXT-X-KEY: character 2 of the address is a control character");
  EXPECT_EQ(refusal("#EXT-X-KEY:METHOD=AES-128,URI=\"k\",IV=0x\n"),
            "line 2, EXT-X-KEY: IV=\"0x\" is not a hexadecimal number of at most 128 bits");
  EXPECT_EQ(refusal("#EXT-X-KEY:METHOD=SAMPLE-AES,IV=0x\n"), "accepted");  // why_unplayable() tells better
}

TEST(EncryptionKey, ListsHaveBounds) {
  std::string formats;
  for (std::size_t i = 0; i <= kMaxKeysInForce; ++i)
    formats += "#EXT-X-KEY:METHOD=AES-128,KEYFORMAT=\"" + std::to_string(i) + "\"\n";
  EXPECT_EQ(refusal(formats), "line 34, EXT-X-KEY: at most 32 keys may be in force");
  EXPECT_EQ(refusal(repeated(aes("1") + aes("2"), kMaxKeys / 2) + aes("3")),
            "line 20002, EXT-X-KEY: at most 20000 keys are read");
}

}  // namespace
}  // namespace tributary::hls
