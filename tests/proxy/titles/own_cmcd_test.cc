#include "proxy/titles/own_cmcd.hh"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "proxy/requests/cmcd.hh"

namespace tributary::proxy {
namespace {

using namespace literals;
using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::MatchesRegex;
using ::testing::Pair;

TEST(OwnCmcd, SaysWhatIsKnown) {
  const OwnCmcd said{.session = "a-b",
                     .dash = true,
                     .live = false,
                     .object_type = "v",
                     .bitrate = 1234_kbps,
                     .duration = 2002ms,
                     .throughput = 5678_kbps};
  EXPECT_THAT(cmcd_fields(said, 1449ms),
              ElementsAre(Pair("CMCD-Object", "br=1234,d=2002,ot=v"), Pair("CMCD-Request", "dl=1400,mtp=5700"),
                          Pair("CMCD-Session", "sf=d,sid=\"a-b\",st=v")));
}

TEST(OwnCmcd, SaysNothingOfTheRest) {
  EXPECT_THAT(cmcd_fields({.session = "a", .live = true}, std::nullopt),
              ElementsAre(Pair("CMCD-Session", "sf=h,sid=\"a\",st=l")));
}

TEST(OwnCmcd, AFileThatIsLateHasNoTimeLeft) {
  const auto fields = cmcd_fields({.session = "a"}, -3s);
  EXPECT_EQ(read_cmcd("/", fields).deadline, Duration{});
  EXPECT_TRUE(read_cmcd("/", cmcd_fields({.session = "a", .startup = true}, 1s)).startup);
}

TEST(OwnCmcd, SessionsHaveNamesOfTheirOwn) {
  const std::string name = made_up_session();
  EXPECT_THAT(name, MatchesRegex("[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}"));
  EXPECT_NE(name, made_up_session());
}

TEST(OwnCmcd, ObjectsAreWhatThePlayerSaysOrTheTypeTells) {
  EXPECT_EQ(object_type("av", false, "video/mp4"), "av");
  EXPECT_EQ(object_type("a\r\nX: y", false, "audio/mp4"), "a") << "no type of CTA-5004";
  EXPECT_EQ(object_type(std::nullopt, true, "video/mp4"), "i");
  EXPECT_EQ(object_type(std::nullopt, false, "video/mp4"), "");
}

}  // namespace
}  // namespace tributary::proxy
