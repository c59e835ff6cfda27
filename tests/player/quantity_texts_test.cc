#include "player/texts/quantity_texts.hh"

#include <gtest/gtest.h>

namespace tributary::play {
namespace {

using namespace literals;
using std::chrono::milliseconds;
using std::chrono::seconds;

TEST(QuantityTexts, Times) {
  EXPECT_EQ(clock_text(seconds{0}), "0:00");
  EXPECT_EQ(clock_text(milliseconds{59'999}), "0:59");
  EXPECT_EQ(clock_text(seconds{754}), "12:34");
  EXPECT_EQ(clock_text(seconds{3723}), "1:02:03");
  EXPECT_EQ(clock_text(seconds{-4}), "0:00");
  EXPECT_EQ(span_text(milliseconds{2340}), "2.3 s");
  EXPECT_EQ(span_text(seconds{48}), "48 s");
  EXPECT_EQ(span_text(seconds{180}), "3 min");
}

TEST(QuantityTexts, Rates) {
  EXPECT_EQ(rate_text(640_kbps), "640 kbit/s");
  EXPECT_EQ(rate_text(3940_kbps), "3.9 Mbit/s");
  EXPECT_EQ(rate_text(120_Mbps), "120 Mbit/s");
  EXPECT_EQ(speed_text(1.0), "1.0×");
  EXPECT_EQ(speed_text(1.1), "1.1×");
  EXPECT_EQ(speed_text(1.25), "1.25×");
}

}  // namespace
}  // namespace tributary::play
