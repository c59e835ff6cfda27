#include "core/qualities/quality_adaptation.hh"

#include <gtest/gtest.h>

#include <stdexcept>

#include "support/tables.hh"

namespace tributary {
namespace {

using namespace literals;
using namespace std::chrono_literals;

const SegmentTable& table() {
  static const SegmentTable kTable = testing::constant_table(10, {100_kB, 200_kB, 400_kB, 800_kB});
  return kTable;
}

QualityIndex thesis_choice(AdaptationInput input) {
  return make_adaptation("thesis", table())->choose(input, table()).quality;
}

TEST(ThesisAdaptation, TheFirstSegmentIsRequestedInTheHighestQuality) {
  AdaptationInput input;
  input.first = true;
  EXPECT_EQ(thesis_choice(input), QualityIndex{3});
}

TEST(ThesisAdaptation, TakesTheHighestThatArrivesBeforeItIsDue) {
  AdaptationInput input;
  input.throughput = 800_kbps;  // 100 kB a second
  input.time_left_playout = 1500ms;
  input.buffered = 4s;
  // 5.5 s are left: 400 kB take 4 s, 800 kB would take 8 s.
  EXPECT_EQ(thesis_choice(input), QualityIndex{2});
  // 160 kB come before it and take 1.6 s of them: 3.9 s are not enough for 4 s.
  input.bytes_left = 160_kB;
  EXPECT_EQ(thesis_choice(input), QualityIndex{1});
}

TEST(ThesisAdaptation, WhatIsJustInTimeIsTooLate) {
  AdaptationInput input;
  input.throughput = 800_kbps;
  input.buffered = 4s;
  EXPECT_EQ(thesis_choice(input), QualityIndex{1});  // 400 kB take exactly 4 s, and Algorithm 2 says "<"
  input.buffered = 4001ms;
  EXPECT_EQ(thesis_choice(input), QualityIndex{2});
}

TEST(ThesisAdaptation, FallsToTheLowestWhenNothingFitsOrNothingIsKnown) {
  AdaptationInput input;
  input.throughput = 800_kbps;
  EXPECT_EQ(thesis_choice(input), QualityIndex{0});
  input.throughput.reset();
  input.buffered = 60s;
  EXPECT_EQ(thesis_choice(input), QualityIndex{0});
}

TEST(FixedQuality, IsTheOneOfTheOption) {
  const auto fixed = make_adaptation("fixed:medium", table());
  AdaptationInput input;
  input.first = true;
  EXPECT_EQ(fixed->choose(input, table()).quality, QualityIndex{1});
}

TEST(Adaptation, AnUnknownNameIsRefusedWithWhatThereIs) {
  EXPECT_THROW(make_adaptation("magic", table()), std::invalid_argument);
  try {
    make_adaptation("fixed:ultra", table());
    FAIL();
  } catch (const std::invalid_argument& error) {
    EXPECT_STREQ(error.what(),
                 "adaptation \"fixed:ultra\": the presentation has the qualities low, medium, high, super");
  }
}

TEST(Adaptation, AnUnknownNameIsAnsweredWithAllThatAreKnown) {
  try {
    make_adaptation("magic", table());
    FAIL();
  } catch (const std::invalid_argument& error) {
    const std::string text = error.what();
    for (const std::string name :
         {"thesis", "throughput", "bola", "bola-finite", "dynamic", "dynamic-finite", "bba", "robust-mpc"}) {
      EXPECT_NE(text.find(name), std::string::npos) << text;
      EXPECT_NO_THROW(make_adaptation(name, table()));
    }
    EXPECT_NE(text.find("fixed:QUALITY"), std::string::npos) << text;
  }
}

}  // namespace
}  // namespace tributary
