#include "accounts/link_terms.hh"

#include <gtest/gtest.h>

#include <stdexcept>

namespace tributary {
namespace {

using namespace literals;

std::string why_refused(const std::string& text) {
  try {
    parse_terms(text);
    return "";
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
}

TEST(LinkTerms, AreReadAsPeopleWriteThem) {
  EXPECT_EQ(parse_terms("free"), LinkTerms{});
  EXPECT_EQ(parse_terms("backup").kind, CostKind::kBackup);
  EXPECT_EQ(parse_terms("metered").cap, std::nullopt);
  const LinkTerms capped = parse_terms("metered:500MB@5th");
  EXPECT_EQ(capped.kind, CostKind::kMetered);
  EXPECT_EQ(capped.cap, 500_MB);
  EXPECT_EQ(capped.reset_day, 5);
  EXPECT_EQ(parse_terms("metered:1.5GB").cap, 1500_MB);
  EXPECT_EQ(parse_terms("metered:1GB@31").reset_day, 31);
  EXPECT_DOUBLE_EQ(parse_terms("paid:0.01/MB").price_per_mb, 0.01);
  EXPECT_DOUBLE_EQ(parse_terms("paid:4/GB").price_per_mb, 0.004);
}

TEST(LinkTerms, AreRefusedWithThePlace) {
  EXPECT_EQ(why_refused("cheap"),
            "\"cheap\": expected free, backup, metered, metered:500MB, metered:500MB@5th or paid:0.01/MB");
  EXPECT_NE(why_refused("free:1MB"), "");
  EXPECT_NE(why_refused("paid"), "");
  EXPECT_EQ(why_refused("paid:x/MB"), "\"x/MB\": expected a price for a size, as in 0.01/MB or 4/GB");
  for (const char* text :
       {"paid:", "paid:1", "paid:1/", "paid:-1/MB", "paid:nan/MB", "paid:inf/MB", "paid:1/5MB", "paid:1/apple"})
    EXPECT_NE(why_refused(text), "") << text;
  EXPECT_EQ(why_refused("metered:lots"), "\"lots\": expected a cap above 0, as in 500MB");
  EXPECT_EQ(why_refused("metered:500MB@32nd"), "\"32nd\": expected a day of the month, 1st to 31st");
  for (const char* text :
       {"metered:", "metered:0", "metered:1MB@", "metered:1MB@0", "metered:1MB@5x", "", "metered:500MB@5th@6th"})
    EXPECT_NE(why_refused(text), "") << text;
}

}  // namespace
}  // namespace tributary
