#include "dash/unplayable.hh"

#include <gtest/gtest.h>

#include "mpd_text.hh"

namespace tributary::dash {
namespace {

constexpr std::string_view kCenc =
    R"(<ContentProtection schemeIdUri="urn:mpeg:dash:mp4protection:2011" value="cenc"/>)";
constexpr std::string_view kWidevine =
    R"(<ContentProtection schemeIdUri="urn:uuid:EDEF8BA9-79D6-4ACE-A3C8-27DCD51D21ED"/>)";
constexpr std::string_view kPlayReady =
    R"(<ContentProtection schemeIdUri="urn:uuid:9a04f079-9840-4286-ab92-e65be0885f95"/>)";

Period period_of(std::string_view content) {
  return read_mpd(mpd_text("", fmt::format("<Period>{}</Period>", content))).periods.at(0);
}

std::string protected_set(std::string_view kind, std::string_view of_set, std::string_view of_representation = "") {
  return fmt::format("<AdaptationSet contentType=\"{}\">{}<Representation id=\"a\">{}</Representation></AdaptationSet>",
                     kind, of_set, of_representation);
}

TEST(Unplayable, SchemesHaveNames) {
  EXPECT_EQ(protection_name("urn:uuid:94ce86fb-07ff-4f43-adb8-93d2fa968ca2"), "FairPlay");
  EXPECT_EQ(protection_name("urn:uuid:e2719d58-a985-b3c9-781a-b030af78d30e"), "ClearKey");
  EXPECT_EQ(protection_name("urn:uuid:1077efec-c0b2-4d02-ace3-3c1e52e2fb4b"), "ClearKey");
  EXPECT_EQ(protection_name("urn:uuid:5e629af5-38da-4063-8977-97ffbd9902d4"), "Marlin");
  EXPECT_EQ(protection_name("urn:uuid:00000000-0000-0000-0000-000000000000"),
            "urn:uuid:00000000-0000-0000-0000-000000000000");
}

TEST(Unplayable, EncryptedPicturesAreRefusedByTheNameOfTheSystem) {
  EXPECT_EQ(
      why_unplayable(period_of(protected_set("video", fmt::format("{}{}{}", kCenc, kWidevine, kPlayReady)))),
      "the picture is encrypted (cenc), with keys from Widevine or PlayReady; a player with that licence system is "
      "needed, as Tributary decrypts nothing");
  EXPECT_EQ(
      why_unplayable(period_of(protected_set("video", "") + protected_set("audio", "", kWidevine))),
      "the sound is encrypted, with keys from Widevine; a player with that licence system is needed, as Tributary "
      "decrypts nothing");
}

TEST(Unplayable, ProtectionIsInheritedFromTheSet) {
  const Period period = period_of(protected_set("video", kCenc, fmt::format("{}{}", kCenc, kWidevine)));
  EXPECT_EQ(protection_of(period.sets[0].representations[0]), "encrypted (cenc), with keys from Widevine");
}

TEST(Unplayable, ASetInTheClearBesideEncryptedOnesIsPlayed) {
  const Period period =
      period_of(protected_set("video", kCenc) + protected_set("video", "") + protected_set("text", kCenc));
  EXPECT_EQ(why_unplayable(period), std::nullopt);
  EXPECT_EQ(protection_of(period.sets[0].representations[0]), "encrypted (cenc)");
  EXPECT_EQ(protection_of(period.sets[1].representations[0]), std::nullopt);
}

TEST(Unplayable, PicturesForFastMotionAreNoPicture) {
  const Period period = period_of(
      protected_set("video", kCenc) +
      protected_set("video", R"(<EssentialProperty schemeIdUri="http://dashif.org/guidelines/trickmode" value="1"/>)"));
  EXPECT_TRUE(why_unplayable(period));
}

}  // namespace
}  // namespace tributary::dash
