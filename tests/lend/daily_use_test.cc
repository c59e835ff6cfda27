#include "lend/daily_use.hh"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace tributary::lending {
namespace {

class DailyUseTest : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto* info = ::testing::UnitTest::GetInstance()->current_test_info();
    folder_ = std::filesystem::path{::testing::TempDir()} / fmt::format("use-{}-{}", info->name(), ::getpid());
    std::filesystem::remove_all(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  DailyUse use(DailyUse::Caps caps) const {
    return {folder_.string(),
            caps,
            [](const std::string& text) { FAIL() << text; },
            {.today = [this] { return today_; }, .now = [this] { return now_; }}};
  }

  std::filesystem::path folder_;
  std::string today_ = "2026-11-29";
  TimePoint now_{};
};

TEST_F(DailyUseTest, WithoutCapsAnyNumberOfBytesIsGiven) {
  DailyUse any = use({});
  EXPECT_EQ(any.take("anna", DataSize{123}).size, DataSize{123});
  EXPECT_FALSE(any.left("anna"));
  DailyUse capped = use({.all = DataSize{200}, .member = {}});
  EXPECT_EQ(capped.left("anna"), DataSize{77}) << "they count for a cap that is said later";
}

TEST_F(DailyUseTest, WithoutCapsThoughTheyCannotBeCounted) {
  std::ofstream{folder_} << "no folder";
  EXPECT_EQ(use({}).take("anna", DataSize{123}).size, DataSize{123});
}

TEST_F(DailyUseTest, NeverMoreThanTheCapOfAMember) {
  DailyUse capped = use({.all = {}, .member = DataSize{1000}});
  EXPECT_EQ(capped.take("anna", DataSize{700}).size, DataSize{700});
  EXPECT_EQ(capped.take("anna", DataSize{700}).size, DataSize{300});
  EXPECT_EQ(capped.take("anna", DataSize{1}).size, DataSize{0});
  EXPECT_EQ(capped.take("bert", DataSize{700}).size, DataSize{700}) << "which is another one's";
  EXPECT_EQ(capped.left("anna"), DataSize{0});
  EXPECT_EQ(capped.left("bert"), DataSize{300});
}

TEST_F(DailyUseTest, NorThanTheCapOfAll) {
  DailyUse capped = use({.all = DataSize{1000}, .member = DataSize{800}});
  EXPECT_EQ(capped.take("anna", DataSize{900}).size, DataSize{800});
  EXPECT_EQ(capped.take("bert", DataSize{900}).size, DataSize{200});
  EXPECT_EQ(capped.left("bert"), DataSize{0});
}

TEST_F(DailyUseTest, WhatIsGivenBackCanBeTaken) {
  DailyUse capped = use({.all = DataSize{1000}, .member = {}});
  capped.take("anna", DataSize{1000});
  capped.give_back("anna", {capped.today(), DataSize{400}});
  EXPECT_EQ(capped.left("anna"), DataSize{400});
  EXPECT_EQ(capped.take("anna", DataSize{1000}).size, DataSize{400});
}

TEST_F(DailyUseTest, AProgramThatIsStartedAgainKnowsWhatWasTaken) {
  (void)use({.all = DataSize{1000}, .member = {}}).take("anna", DataSize{900});
  EXPECT_EQ(use({.all = DataSize{1000}, .member = {}}).left("anna"), DataSize{100});
}

TEST_F(DailyUseTest, TheBooksAreReadNowAndThenHoweverOftenItIsAsked) {
  DailyUse capped = use({.all = DataSize{1000}, .member = {}}), other = use({.all = DataSize{1000}, .member = {}});
  EXPECT_EQ(capped.left("anna"), DataSize{1000});
  other.take("anna", DataSize{100});
  EXPECT_EQ(capped.left("anna"), DataSize{1000}) << "without a look";
  now_ += DailyUse::kDelay;
  EXPECT_EQ(capped.left("anna"), DataSize{900});
  capped.take("bert", DataSize{300});
  EXPECT_EQ(capped.left("anna"), DataSize{600}) << "which is known here";
  today_ = "2026-11-30";
  EXPECT_EQ(capped.left("anna"), DataSize{1000});
}

TEST_F(DailyUseTest, WhatIsGivenBackOfYesterdayIsNotForToday) {
  DailyUse capped = use({.all = DataSize{1000}, .member = {}});
  const DailyUse::Taken of_yesterday = capped.take("anna", DataSize{900});
  today_ = "2026-11-30";
  EXPECT_EQ(capped.take("anna", DataSize{700}).size, DataSize{700});
  capped.give_back("anna", {of_yesterday.day, DataSize{400}});
  EXPECT_EQ(capped.left("anna"), DataSize{300});
}

}  // namespace
}  // namespace tributary::lending
