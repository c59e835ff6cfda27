#include "hls/lines/playlist_values.hh"

#include <gtest/gtest.h>

#include <string>

#include "hls/lines/playlist_limits.hh"

namespace tributary::hls {
namespace {

using namespace std::chrono_literals;

TEST(PlaylistValues, WholeNumbersDoNotOverflow) {
  EXPECT_EQ(whole_number("0"), 0u);
  EXPECT_EQ(whole_number("0017"), 17u);
  EXPECT_EQ(whole_number("4611686018427387903"), kMaxNumber);
  for (const char* text : {"", "-1", "+1", " 1", "1 ", "1.5", "0x1", "gobble", "4611686018427387904",
                           "18446744073709551616", "99999999999999999999999999"}) {
    EXPECT_EQ(whole_number(text), std::nullopt) << text;
  }
}

TEST(PlaylistValues, SecondsAreExactToTheNanosecond) {
  EXPECT_EQ(seconds("6.006"), 6006ms);
  EXPECT_EQ(seconds("10"), 10s);
  EXPECT_EQ(seconds("10."), 10s);
  EXPECT_EQ(seconds(".5"), 500ms);
  EXPECT_EQ(seconds("0"), 0s);
  EXPECT_EQ(seconds("2.123456789"), 2123456789ns);
  EXPECT_EQ(seconds("2.1234567894"), 2123456789ns);
  EXPECT_EQ(seconds("2.1234567895"), 2123456790ns);
  EXPECT_EQ(seconds("0.9999999999"), 1s);
  EXPECT_EQ(seconds("86400.000"), kMaxDuration);
  EXPECT_EQ(seconds(std::string(100000, '0') + "1." + std::string(100000, '0')), 1s);
}

TEST(PlaylistValues, SecondsAreFiniteAndAtMostADay) {
  for (const char* text : {"", ".", "-1", "+1", "1e30", "1e", "e3", "-1e0", "NaN", "inf", "1,5", "1.5.5",
                           "86400.000000001", "86401", "99999999999999999999", "86399.99999999999999x"}) {
    EXPECT_EQ(seconds(text), std::nullopt) << text;
  }
  EXPECT_EQ(seconds("1e3"), 1000s);
  EXPECT_EQ(seconds("4.5E-1"), 450ms);
  EXPECT_EQ(signed_seconds("-12.5"), -12500ms);
  EXPECT_EQ(signed_seconds("+12.5"), 12500ms);
  for (const char* text : {"", "-", "--1", "+-1"}) EXPECT_EQ(signed_seconds(text), std::nullopt) << text;
}

TEST(PlaylistValues, ManySegmentsDoNotDrift) {
  Duration sum{};
  for (int i = 0; i < 10'000; ++i) sum += *seconds("3.3366666666666667");
  EXPECT_LT(std::chrono::abs(sum - 33'366'666'666'667ns), 5us);
}

TEST(PlaylistValues, DecimalNumbersAndRates) {
  EXPECT_EQ(decimal_number("29.97"), 29.97);
  EXPECT_EQ(decimal_number("0"), 0.0);
  for (const char* text : {"", ".", "-1", "1e3", "nan", "inf", "0x10", "5 "}) {
    EXPECT_EQ(decimal_number(text), std::nullopt) << text;
    EXPECT_EQ(bits_per_second(text), std::nullopt) << text;
  }
  EXPECT_EQ(bits_per_second("195023.7"), DataRate::bits_per_second(195023));
}

TEST(PlaylistValues, Extents) {
  EXPECT_EQ(extent("1280x720"), (Extent{1280, 720}));
  EXPECT_EQ(extent("1280X720"), (Extent{1280, 720}));
  for (const char* text :
       {"", "x", "1280", "1280x", "x720", "0x0", "1280x0", "-1x5", "65536x1", "1x2x3", "1280 x 720"}) {
    EXPECT_EQ(extent(text), std::nullopt) << text;
  }
}

TEST(PlaylistValues, Ranges) {
  EXPECT_EQ(stated_range("10")->length, DataSize{10});
  EXPECT_EQ(stated_range("10")->offset, std::nullopt);
  EXPECT_EQ(stated_range("10@0")->offset, DataSize{0});
  EXPECT_EQ(stated_range("10@20")->offset, DataSize{20});
  for (const char* text : {"", "@", "10@", "@5", "0", "0@5", "-1@5", "10@-5", "10@5@6", "10-20", "1e3"}) {
    EXPECT_FALSE(stated_range(text).has_value()) << text;
  }
}

std::string hexadecimal(const std::optional<Block>& bytes) {
  std::string text;
  if (!bytes) return "none";
  for (const std::byte b : *bytes) {
    text += "0123456789abcdef"[std::to_integer<unsigned>(b >> 4)];
    text += "0123456789abcdef"[std::to_integer<unsigned>(b & std::byte{15})];
  }
  return text;
}

TEST(PlaylistValues, BlocksAreFilledFromTheirEnd) {
  EXPECT_EQ(hexadecimal(block("0x00000000000000000000014BB69D61E4")), "00000000000000000000014bb69d61e4");
  EXPECT_EQ(hexadecimal(block("0XabC")), "00000000000000000000000000000abc");
  EXPECT_EQ(hexadecimal(block("123456789abcdef0123456789abcdef0")), "123456789abcdef0123456789abcdef0");
  for (const char* text : {"", "0x", "0xg", "0x0123456789abcdef0123456789abcdef0", "-1", "0x 1"}) {
    EXPECT_EQ(hexadecimal(block(text)), "none") << text;
  }
}

TEST(PlaylistValues, CalendarTimesInEveryZone) {
  const UtcTime expected = *utc_from("2026-01-02T03:04:05.678Z");
  for (const char* text :
       {"2026-01-02T03:04:05.678Z", "2026-01-02T03:04:05.678", "2026-01-02T03:04:05.678+00:00",
        "2026-01-02T04:04:05.678+01:00", "2026-01-02T04:04:05.678+0100", "2026-01-02T04:04:05.678+01",
        "2026-01-01T22:34:05.678-0430", "2026-01-02t03:04:05,678z", "2026-01-02 03:04:05.678Z",
        "2026-01-02T03:04:05.6779999Z", "2026-01-02T03:04:05.6780001Z"}) {
    EXPECT_EQ(calendar_time(text), expected) << text;
  }
  EXPECT_EQ(calendar_time("2026-12-31T23:59:59.9996Z"), *utc_from("2027-01-01T00:00:00Z"));
  EXPECT_EQ(calendar_time("2024-02-29T00:00:00Z"), *utc_from("2024-02-29T00:00:00Z"));
  for (const char* text :
       {"", "2026", "2026-01-02", "2026-01-02T", "2026-01-02T03:04", "2026-13-02T03:04:05Z", "2026-02-29T03:04:05Z",
        "2026-01-02T24:04:05Z", "2026-01-02T03:60:05Z", "2026-01-02T03:04:61Z", "2026-01-02T03:04:05.Z",
        "2026-01-02T03:04:05ZZ", "2026-01-02T03:04:05+1", "2026-01-02T03:04:05+24:00", "2026-01-02T03:04:05+01:60",
        "2026-01-02T03:04:05+01:00x", "26-01-02T03:04:05Z", "yesterday"}) {
    EXPECT_EQ(calendar_time(text), std::nullopt) << text;
  }
}

}  // namespace
}  // namespace tributary::hls
