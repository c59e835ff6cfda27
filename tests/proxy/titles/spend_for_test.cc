#include "proxy/titles/spend_for.hh"

#include <gtest/gtest.h>

#include <stdexcept>

namespace tributary::proxy {
namespace {

using namespace literals;

const std::vector<Ladder> kLadders{{.rungs = {{.bitrate = 400_kbps, .height = 240},
                                              {.bitrate = 800_kbps, .height = 360},
                                              {.bitrate = 1200_kbps, .height = 360},
                                              {.bitrate = 3_Mbps, .height = 720}},
                                    .dispensable = {}}};

TEST(SpendFor, TheHighestQualityOfThatHeightIsSpentFor) {
  EXPECT_EQ(SpendFor{"360p"}.bitrate(kLadders), 1200_kbps);
  EXPECT_EQ(SpendFor{"719p"}.bitrate(kLadders), 1200_kbps);
  EXPECT_EQ(SpendFor{"2160p"}.rung(kLadders.front().rungs), 3U);
}

TEST(SpendFor, TheLowestQualityIsTheLeast) {
  EXPECT_EQ(SpendFor{}.bitrate(kLadders), 400_kbps);
  EXPECT_EQ(SpendFor{"100p"}.bitrate(kLadders), 400_kbps);
  EXPECT_EQ(SpendFor{}.bitrate({}), std::nullopt);
}

TEST(SpendFor, NothingIsSpentForAQualityWhereOnlyStallsCount) {
  EXPECT_EQ(SpendFor{"stall"}.bitrate(kLadders), std::nullopt);
  EXPECT_EQ(SpendFor{"stall"}.rung(kLadders.front().rungs), std::nullopt);
}

TEST(SpendFor, OtherWordsAreRefused) {
  for (const char* word : {"", "high", "p", "-1p", "0p", "720", "720px", "99999999999p"})
    EXPECT_THROW(SpendFor{word}, std::invalid_argument) << word;
}

}  // namespace
}  // namespace tributary::proxy
