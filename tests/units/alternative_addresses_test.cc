#include "units/text/alternative_addresses.hh"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tributary {
namespace {

using testing::ElementsAre;

TEST(AlternativeAddresses, AFileIsAtAllBeginningsOfItsGroup) {
  AlternativeAddresses alternatives;
  alternatives.add({"https://a.example/film/", "https://b.example/copy/film/", "http://c.example/"});
  EXPECT_THAT(alternatives.all_of("https://b.example/copy/film/low/1.m4s?t=1"),
              ElementsAre("https://b.example/copy/film/low/1.m4s?t=1", "https://a.example/film/low/1.m4s?t=1",
                          "http://c.example/low/1.m4s?t=1"));
  EXPECT_THAT(alternatives.all_of("https://a.example/films/1.m4s"), ElementsAre("https://a.example/films/1.m4s"));
  EXPECT_FALSE(alternatives.find("https://a.example/"));
  EXPECT_FALSE(alternatives.find(""));
}

TEST(AlternativeAddresses, TheLongestBeginningCounts) {
  AlternativeAddresses alternatives;
  alternatives.add({"https://a.example/", "https://b.example/"});
  alternatives.add({"https://a.example/low/", "https://c.example/"});
  alternatives.add({"https://a.example/low/1.mp4", "https://d.example/one.mp4?token=7"});
  EXPECT_EQ(alternatives.find("https://a.example/2.mp4")->group, 0u);
  EXPECT_EQ(alternatives.find("https://a.example/low/2.mp4")->group, 1u);
  EXPECT_THAT(alternatives.all_of("https://a.example/low/1.mp4"),
              ElementsAre("https://a.example/low/1.mp4", "https://d.example/one.mp4?token=7"));
}

TEST(AlternativeAddresses, OneAddressIsNoAlternative) {
  AlternativeAddresses alternatives;
  alternatives.add({"https://a.example/"});
  alternatives.add({"https://a.example/", "https://a.example/"});
  EXPECT_EQ(alternatives, AlternativeAddresses{});
  alternatives.add({"https://a.example/", "https://b.example/"});
  alternatives.add({"https://b.example/", "https://c.example/"});  // b is known as a's
  EXPECT_FALSE(alternatives.find("https://c.example/1"));
}

TEST(AlternativeAddresses, ManyAreBounded) {
  AlternativeAddresses alternatives;
  for (std::size_t i = 0; i < 2 * AlternativeAddresses::kMostGroups; ++i)
    alternatives.add({"https://a.example/" + std::to_string(i) + "/", "https://b.example/" + std::to_string(i) + "/"});
  EXPECT_TRUE(alternatives.find("https://a.example/999/x"));
  EXPECT_FALSE(alternatives.find("https://a.example/1000/x"));
}

}  // namespace
}  // namespace tributary
