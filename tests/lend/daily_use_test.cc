#include "lend/daily_use.hh"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

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
    return {folder_.string(), caps, [](const std::string& text) { FAIL() << text; }};
  }

  std::filesystem::path folder_;
};

TEST_F(DailyUseTest, WithoutCapsAnyNumberOfBytesIsGiven) {
  DailyUse any = use({});
  EXPECT_EQ(any.take("anna", DataSize{123}), DataSize{123});
  EXPECT_FALSE(any.left("anna"));
  EXPECT_FALSE(std::filesystem::exists(folder_));
}

TEST_F(DailyUseTest, NeverMoreThanTheCapOfAMember) {
  DailyUse capped = use({.all = {}, .member = DataSize{1000}});
  EXPECT_EQ(capped.take("anna", DataSize{700}), DataSize{700});
  EXPECT_EQ(capped.take("anna", DataSize{700}), DataSize{300});
  EXPECT_EQ(capped.take("anna", DataSize{1}), DataSize{0});
  EXPECT_EQ(capped.take("bert", DataSize{700}), DataSize{700}) << "which is another one's";
  EXPECT_EQ(capped.left("anna"), DataSize{0});
  EXPECT_EQ(capped.left("bert"), DataSize{300});
}

TEST_F(DailyUseTest, NorThanTheCapOfAll) {
  DailyUse capped = use({.all = DataSize{1000}, .member = DataSize{800}});
  EXPECT_EQ(capped.take("anna", DataSize{900}), DataSize{800});
  EXPECT_EQ(capped.take("bert", DataSize{900}), DataSize{200});
  EXPECT_EQ(capped.left("bert"), DataSize{0});
}

TEST_F(DailyUseTest, WhatIsGivenBackCanBeTaken) {
  DailyUse capped = use({.all = DataSize{1000}, .member = {}});
  capped.take("anna", DataSize{1000});
  capped.give_back("anna", DataSize{400});
  EXPECT_EQ(capped.left("anna"), DataSize{400});
  EXPECT_EQ(capped.take("anna", DataSize{1000}), DataSize{400});
}

TEST_F(DailyUseTest, AProgramThatIsStartedAgainKnowsWhatWasTaken) {
  (void)use({.all = DataSize{1000}, .member = {}}).take("anna", DataSize{900});
  EXPECT_EQ(use({.all = DataSize{1000}, .member = {}}).left("anna"), DataSize{100});
}

}  // namespace
}  // namespace tributary::lending
