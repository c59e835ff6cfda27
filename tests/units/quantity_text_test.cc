#include "units/text/quantity_text.hh"

#include <gtest/gtest.h>

#include <stdexcept>

namespace tributary {
namespace {

using namespace literals;
using namespace std::chrono_literals;

TEST(QuantityText, ReadsWhatPeopleWrite) {
  EXPECT_EQ(parse_size("100kB"), 100_kB);
  EXPECT_EQ(parse_size("64KiB"), 65536_B);
  EXPECT_EQ(parse_size("1.5 MB"), 1500_kB);
  EXPECT_EQ(parse_rate("1.5Mbps"), 1500_kbps);
  EXPECT_EQ(parse_rate("750k"), 750_kbps);
  EXPECT_EQ(parse_rate("64000"), 64_kbps);
  EXPECT_EQ(parse_duration("2s"), 2s);
  EXPECT_EQ(parse_duration("0.5ms"), 500us);
  EXPECT_DOUBLE_EQ(parse_fraction("5%"), 0.05);
}

TEST(QuantityText, QuotesWhatItRefuses) {
  for (const char* bad : {"", "kB", "-1kB", "1xB", "1kB2", "inf", "1e3kB", "99999999999GB", "0x10"}) {
    try {
      parse_size(bad);
      FAIL() << bad << " was taken";
    } catch (const std::invalid_argument& error) {
      EXPECT_NE(std::string{error.what()}.find('"' + std::string{bad} + '"'), std::string::npos) << error.what();
    }
  }
  EXPECT_THROW(parse_duration("10"), std::invalid_argument);
  EXPECT_THROW(parse_fraction("120%"), std::invalid_argument);
}

TEST(QuantityText, WritesThreeDigits) {
  EXPECT_EQ(format_size(999_B), "999 B");
  EXPECT_EQ(format_size(754321_B), "754 kB");
  EXPECT_EQ(format_rate(1500_kbps), "1.50 Mbit/s");
  EXPECT_EQ(format_rate({}), "0 bit/s");
  EXPECT_EQ(format_duration(12345ms), "12.3 s");
  EXPECT_EQ(format_duration(281ms), "281 ms");
}

}  // namespace
}  // namespace tributary
