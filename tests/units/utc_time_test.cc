#include "units/utc_time.hh"

#include <gtest/gtest.h>

namespace tributary {
namespace {

using namespace std::chrono_literals;

TEST(UtcTime, IsWrittenToTheMillisecondAndReadBack) {
  const UtcTime time = std::chrono::sys_days{std::chrono::year{2026} / 1 / 2} + 3h + 4min + 5s + 678ms;
  EXPECT_EQ(utc_text(time), "2026-01-02T03:04:05.678Z");
  EXPECT_EQ(utc_from("2026-01-02T03:04:05.678Z"), time);
  EXPECT_EQ(utc_from("2026-01-02T03:04:05Z"), time - 678ms);
  EXPECT_EQ(utc_from("2026-01-02T03:04:05.6Z"), time - 78ms);
  EXPECT_EQ(utc_from("2026-01-02T03:04:05.6789123Z"), time);
  EXPECT_EQ(utc_text(UtcTime{}), "1970-01-01T00:00:00.000Z");
}

TEST(UtcTime, AnythingElseIsRefused) {
  for (const char* text : {"", "2026-01-02", "2026-01-02T03:04:05", "2026-01-02 03:04:05Z", "2026-13-02T03:04:05Z",
                           "2026-02-30T03:04:05Z", "2026-01-02T24:04:05Z", "2026-01-02T03:04:05.Z",
                           "2026-01-02T03:04:05.67xZ", "2026-01-02T03:04:05+01:00", "2026-01-02T03:04:05Z "}) {
    EXPECT_FALSE(utc_from(text)) << text;
  }
}

}  // namespace
}  // namespace tributary
