#include "hls/unplayable.hh"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "playlist_texts.hh"

namespace tributary::hls {
namespace {

const std::string kOneVariant = "#EXT-X-STREAM-INF:BANDWIDTH=1\nv.m3u8\n";
const std::string kAes = "METHOD=AES-128,URI=\"k\"\n";
const std::string kFairPlayKey = "METHOD=SAMPLE-AES,URI=\"skd://x\",KEYFORMAT=\"com.apple.streamingkeydelivery\"\n";
const std::string kWidevine =
    "METHOD=SAMPLE-AES-CTR,URI=\"data:,x\",KEYFORMAT=\"urn:uuid:EDEF8BA9-79d6-4ace-a3c8-27dcd51d21ed\"\n";
const std::string kPlayReady = "METHOD=SAMPLE-AES,URI=\"data:,x\",KEYFORMAT=\"com.microsoft.playready\"\n";
const std::string kKey = "#EXT-X-KEY:";

std::string why(const std::string& lines) { return why_unplayable(media(lines)).value_or(""); }

TEST(Unplayable, ClearAndAes128ArePlayed) {
  EXPECT_EQ(why(kSegment), "");
  EXPECT_EQ(why(kKey + kAes + kSegment), "");
  EXPECT_EQ(why(kKey + "METHOD=AES-128,URI=\"k\",KEYFORMAT=\"identity\"\n" + kSegment), "");
  EXPECT_EQ(why("#EXT-X-TARGETDURATION:2\n"), "");  // segments may come
}

TEST(Unplayable, TheSystemIsNamed) {
  EXPECT_EQ(why(kKey + kFairPlayKey + kSegment),
            "the video is encrypted for FairPlay (SAMPLE-AES), which Tributary does not decrypt; "
            "Safari or Apple's players do");
  EXPECT_EQ(why(kKey + kWidevine + kSegment),
            "the video is encrypted for Widevine (SAMPLE-AES-CTR), which Tributary does not decrypt; "
            "Chrome, Firefox and Android do");
  EXPECT_EQ(why(kKey + kPlayReady + kSegment),
            "the video is encrypted for PlayReady (SAMPLE-AES), which Tributary does not decrypt; Edge and Windows do");
  EXPECT_EQ(why(kKey + "METHOD=SAMPLE-AES,URI=\"k\"\n" + kSegment),
            "the video is encrypted (SAMPLE-AES), which Tributary does not decrypt; hls.js and Apple's players may");
  EXPECT_EQ(why(kKey + "METHOD=ROT13,URI=\"k\",KEYFORMAT=\"com.example\"\n" + kSegment),
            "the video is encrypted for \"com.example\" (ROT13), which Tributary does not decrypt");
}

TEST(Unplayable, SeveralSystemsAreNamedTogether) {
  EXPECT_EQ(why(kKey + kFairPlayKey + kKey + kWidevine + kKey + kFairPlayKey + kSegment),
            "the video is encrypted for FairPlay and Widevine (SAMPLE-AES, SAMPLE-AES-CTR), which Tributary does not "
            "decrypt; Safari or Apple's players do, Chrome, Firefox and Android do");
}

TEST(Unplayable, AnAddressOfFairPlayNeedsNoFormat) {
  EXPECT_EQ(why(kKey + "METHOD=AES-128,URI=\"skd://x\"\n" + kSegment).substr(0, 43),
            "the video is encrypted for FairPlay (AES-12");
}

TEST(Unplayable, AKeyThatNoSegmentNeedsDoesNoHarm) {
  EXPECT_EQ(why(kKey + kFairPlayKey + kKey + kAes + kSegment), "");
  EXPECT_EQ(why(kSegment + kKey + kFairPlayKey), "");
  EXPECT_NE(why(kSegment + kKey + kFairPlayKey + kSegment), "");  // a beginning in the clear is not all
}

/// A beginning in the clear whose init section stands behind the key.
TEST(Unplayable, AnInitSectionNeedsItsKey) {
  const std::string map = "#EXT-X-MAP:URI=\"i\"\n", clear = kKey + "METHOD=NONE\n" + kSegment;
  EXPECT_EQ(why(kKey + kFairPlayKey + map + clear), "");  // SAMPLE-AES leaves it in the clear
  EXPECT_EQ(why(kKey + "METHOD=AES-128,URI=\"k\",IV=0x1\n" + map + clear), "");
  EXPECT_EQ(why(kKey + "METHOD=AES-256,URI=\"k\"\n" + map + clear).substr(0, 34), "the video is encrypted (AES-256), ");
}

TEST(Unplayable, AHostilePlaylistDoesNotMakeALongText) {
  std::string lines;
  for (int i = 0; i < 2'000; ++i) {
    lines += fmt::format("#EXT-X-KEY:METHOD=NONE\n{}METHOD={:M>50}{},KEYFORMAT=\"{:f>500}{}\"\n{}", kKey, "", i, "", i,
                         kSegment);
  }
  EXPECT_LT(why(lines).size(), 800u);
}

TEST(Unplayable, NothingToPlay) {
  EXPECT_EQ(why("#EXT-X-TARGETDURATION:2\n#EXT-X-ENDLIST\n"), "the playlist has ended, and lists no segment");
  EXPECT_EQ(why_unplayable(multivariant("#EXT-X-I-FRAME-STREAM-INF:BANDWIDTH=1,URI=\"i\"\n")),
            "the playlist lists no variant (EXT-X-STREAM-INF)");
}

TEST(Unplayable, SessionKeysTellItEarly) {
  const std::string session_key = "#EXT-X-SESSION-KEY:";
  EXPECT_EQ(why_unplayable(multivariant(kOneVariant)), std::nullopt);
  EXPECT_EQ(why_unplayable(multivariant(session_key + kAes + session_key + kFairPlayKey + kOneVariant)), std::nullopt);
  EXPECT_EQ(why_unplayable(multivariant(session_key + kFairPlayKey + session_key + kWidevine + kOneVariant))
                .value_or("")
                .substr(0, 52),
            "the video is encrypted for FairPlay and Widevine (SA");
}

}  // namespace
}  // namespace tributary::hls
