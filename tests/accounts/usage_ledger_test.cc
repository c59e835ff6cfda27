#include "accounts/usage_ledger.hh"
#include "support/sweep.hh"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <limits>
#include <map>

#include "accounts/usage_books.hh"
#include "units/split_mix.hh"

namespace tributary {
namespace {

using namespace literals;
namespace fs = std::filesystem;
using Day = UsageLedger::Day;

Day day(int year, unsigned month, unsigned of_month) {
  return Day{std::chrono::year{year}, std::chrono::month{month}, std::chrono::day{of_month}};
}

class UsageLedgerTest : public ::testing::Test {
 protected:
  void SetUp() override { fs::remove_all(folder); }
  void TearDown() override { fs::remove_all(folder); }

  UsageLedger ledger() {
    return {folder,
            {[this](const std::string& link) { return link + " via " + gateway; }, [this] { return today; },
             [this](const std::string& text) { warnings += text + '\n'; }}};
  }
  Grant take(UsageLedger& from, const std::string& link, const LinkTerms& on, DataSize wanted) {
    auto& lease = leases[{&from, link}];
    if (!lease) lease = from.lease(link, on);
    return lease->take(wanted);
  }
  int leases_there() const {
    int count = 0;
    for (const auto& entry : fs::directory_iterator{folder})
      count += entry.path().string().find("lease") != std::string::npos;
    return count;
  }
  /// As if the system had been started again since.
  void forget_boot() {
    for (const auto& entry : fs::directory_iterator{folder}) {
      if (entry.path().string().find("lease") == std::string::npos) continue;
      std::fstream file{entry.path()};
      file.seekp(10);
      file << "another";
    }
  }
  void damage(const std::string& name) { std::ofstream{fs::path{folder} / name} << "{\"format\": \"tributary-li"; }

  std::string folder = (fs::temp_directory_path() / fmt_name()).string();
  std::string gateway = "10.0.0.1";
  Day today = day(2026, 11, 22);
  std::string warnings;
  std::map<std::pair<UsageLedger*, std::string>, std::unique_ptr<LinkLease>> leases;
  LinkTerms terms = parse_terms("metered:10MB@5th");

 private:
  static std::string fmt_name() { return "usage-ledger-test-" + std::to_string(getpid()); }
};

TEST_F(UsageLedgerTest, NeverGivesOutMoreThanTheCap) {
  UsageLedger a = ledger(), b = ledger();
  EXPECT_EQ(take(a, "lte", terms, 6_MB).size, 6_MB);
  EXPECT_EQ(take(b, "lte", terms, 6_MB).size, 4_MB);
  const Grant none = take(a, "lte", terms, 1_B);
  EXPECT_EQ(none.size, 0_B);
  EXPECT_EQ(
      none.why_not_more,
      "10.0 MB of its cap of 10.0 MB are used since 2026-11-05, by all programs together; it begins anew on 2026-12-05");
  leases.at({&b, "lte"})->give_back(3_MB);
  EXPECT_EQ(take(a, "lte", terms, 6_MB).size, 3_MB);
  EXPECT_EQ(warnings, "");
}

TEST_F(UsageLedgerTest, CountsForEachNetworkApart) {
  UsageLedger a = ledger();
  EXPECT_EQ(take(a, "lte", terms, 10_MB).size, 10_MB);
  leases.at({&a, "lte"})->not_requested({});
  gateway = "10.9.9.9";
  EXPECT_EQ(take(a, "lte", terms, 1_MB).size, 1_MB);
  EXPECT_EQ(take(a, "wlan0", terms, 2_MB).size, 2_MB);
  gateway = "10.0.0.1";
  EXPECT_EQ(a.used("lte", terms), 10_MB);
}

TEST_F(UsageLedgerTest, BeginsAnewOnTheResetDay) {
  UsageLedger a = ledger();
  EXPECT_EQ(take(a, "lte", terms, 10_MB).size, 10_MB);
  leases.at({&a, "lte"})->not_requested({});
  today = day(2026, 12, 4);
  EXPECT_EQ(take(a, "lte", terms, 1_MB).size, 0_B);
  today = day(2026, 12, 5);
  EXPECT_EQ(take(a, "lte", terms, 1_MB).size, 1_MB);
}

TEST_F(UsageLedgerTest, WithoutACapCountsOnly) {
  UsageLedger a = ledger();
  const LinkTerms paid = parse_terms("paid:1/MB");
  EXPECT_EQ(take(a, "lte", paid, 600_MB).size, 600_MB);
  EXPECT_EQ(a.used("lte", paid), 600_MB);
}

TEST_F(UsageLedgerTest, ADamagedFileIsSaidKeptAndMadeUpForByItsCopy) {
  UsageLedger a = ledger();
  take(a, "lte", terms, 6_MB);
  for (const std::string name : {"link-usage.json", "link-usage.copy.json"}) {
    damage(name);
    warnings.clear();
    EXPECT_EQ(a.used("lte", terms), 6_MB);
    EXPECT_NE(warnings.find(name + " is damaged (line 1"), std::string::npos) << warnings;
    EXPECT_NE(warnings.find("nothing is lost"), std::string::npos) << warnings;
    EXPECT_TRUE(fs::exists(fs::path{folder} / (name + ".damaged-1")));
    EXPECT_EQ(take(a, "lte", terms, 0_B).size, 0_B);
    leases.at({&a, "lte"})->give_back(1_B);  // writes both
    take(a, "lte", terms, 1_B);
  }
  EXPECT_EQ(take(a, "lte", terms, 100_MB).size, 4_MB);
}

TEST_F(UsageLedgerTest, WhereBothAreDamagedNothingOfACapIsGivenOut) {
  UsageLedger a = ledger();
  take(a, "lte", terms, 1_MB);
  damage("link-usage.json");
  damage("link-usage.copy.json");
  EXPECT_EQ(take(a, "lte", terms, 1_MB).size, 0_B);
  EXPECT_NE(warnings.find("what was used before is not known"), std::string::npos) << warnings;
  EXPECT_EQ(take(a, "lte", terms, 1_MB).size, 0_B) << "nor later";
  today = day(2026, 12, 5);
  EXPECT_EQ(take(a, "lte", terms, 1_MB).size, 1_MB);
}

TEST_F(UsageLedgerTest, WhereNothingCanBeWrittenNothingOfACapIsGivenOut) {
  folder = "/proc/nowhere";
  UsageLedger a = ledger();
  EXPECT_EQ(take(a, "lte", terms, 1_MB).size, 0_B);
  EXPECT_NE(warnings.find("lte cannot be counted"), std::string::npos) << warnings;
  EXPECT_EQ(take(a, "wwan0", parse_terms("paid:1/MB"), 1_MB).size, 1_MB);
}

TEST_F(UsageLedgerTest, ProgramsAtTheSameTimeLoseNothing) {
  constexpr int kPrograms = 4, kTimes = 25;
  LinkTerms uncapped = terms;
  uncapped.cap.reset();
  for (int i = 0; i < kPrograms; ++i) {
    if (fork() != 0) continue;
    UsageLedger own = ledger();
    for (int n = 0; n < kTimes; ++n) {
      take(own, "lte", uncapped, 1_kB);
      leases.at({&own, "lte"})->not_requested({});
    }
    _exit(warnings.empty() ? 0 : 1);
  }
  for (int i = 0; i < kPrograms; ++i) {
    int status = 1;
    wait(&status);
    EXPECT_EQ(status, 0);
  }
  EXPECT_EQ(ledger().used("lte", uncapped), 100_kB);
}

TEST_F(UsageLedgerTest, OfAProgramThatWasKilledCountsWhatItMayHaveRequested) {
  for (const bool power_was_lost : {false, true}) {
    const DataSize before = ledger().used("lte", terms);
    const pid_t program = fork();
    if (program == 0) {
      UsageLedger own = ledger();
      const auto lease = own.lease("lte", terms);
      lease->take(2_MB);
      lease->not_requested(1500_kB);
      lease->not_requested(1400_kB);
      raise(SIGKILL);
    }
    int status = 0;
    waitpid(program, &status, 0);
    ASSERT_TRUE(WIFSIGNALED(status));
    if (power_was_lost) forget_boot();
    EXPECT_EQ(ledger().used("lte", terms) - before, power_was_lost ? 2_MB : 600_kB);
    EXPECT_EQ(leases_there(), 0);
  }
  EXPECT_EQ(warnings, "");
}

TEST_F(UsageLedgerTest, TheLeaseOfAProgramThatLivesStays) {
  UsageLedger a = ledger(), b = ledger();
  take(a, "lte", terms, 2_MB);
  EXPECT_EQ(b.used("lte", terms), 2_MB);
  EXPECT_EQ(leases_there(), 1);
  leases.at({&a, "lte"})->give_back(500_kB);
  EXPECT_EQ(b.used("lte", terms), 1500_kB);
  EXPECT_EQ(leases_there(), 0);
}

TEST_F(UsageLedgerTest, WhatIsNotRequestedYetMovesWithTheLinkAndTheResetDay) {
  UsageLedger a = ledger();
  take(a, "lte", terms, 4_MB);
  leases.at({&a, "lte"})->not_requested(1_MB);
  gateway = "10.9.9.9";
  take(a, "lte", terms, 2_MB);
  EXPECT_EQ(a.used("lte", terms), 3_MB);
  leases.at({&a, "lte"})->give_back(1_MB);
  EXPECT_EQ(a.used("lte", terms), 2_MB);
  gateway = "10.0.0.1";
  EXPECT_EQ(a.used("lte", terms), 3_MB);
}

TEST(LastReset, IsOnOrBeforeTheDay) {
  EXPECT_EQ(last_reset(day(2026, 11, 22), 5), day(2026, 11, 5));
  EXPECT_EQ(last_reset(day(2026, 11, 5), 5), day(2026, 11, 5));
  EXPECT_EQ(last_reset(day(2026, 11, 4), 5), day(2026, 10, 5));
  EXPECT_EQ(last_reset(day(2026, 1, 4), 5), day(2025, 12, 5));
  EXPECT_EQ(last_reset(day(2026, 3, 1), 31), day(2026, 2, 28));
  EXPECT_EQ(last_reset(day(2028, 2, 29), 31), day(2028, 2, 29));
  EXPECT_EQ(next_reset(day(2028, 2, 29), 31), day(2028, 3, 31));
  EXPECT_EQ(next_reset(day(2026, 12, 5), 5), day(2027, 1, 5));
  EXPECT_EQ(next_reset(day(2026, 12, 4), 5), day(2026, 12, 5));
}

TEST_F(UsageLedgerTest, WhateverWasUsedCanBeReadAgain) {
  constexpr std::uint64_t kSeed = 14;
  SCOPED_TRACE(kSeed);
  SplitMix random{kSeed};
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  const auto warn = [this](const std::string& text) { warnings += text + '\n'; };
  const std::vector<std::string> names{"", "\"", "\x1b[2J\n", "wlan\xc3\xa9", std::string(3000, 'x')};
  std::map<std::string, std::int64_t> used;
  for (int i = 0; i < testing::of_sweep(100, 300); ++i) {
    const std::string& name = names[random.below(static_cast<std::uint32_t>(names.size()))];
    const auto more = static_cast<std::int64_t>(random.next() >> (1 + random.below(63)));
    {
      UsageBooks books{folder, warn};
      UsageBooks::Usage& usage = books.usage_of(name, "2026-11-05");
      usage.add(DataSize{random.below(20) == 0 ? kMost : more});
      ASSERT_GE(usage.bytes, used[name]) << "it wraps around";
      used[name] = usage.bytes;
      books.save();
    }
    UsageBooks books{folder, warn};
    ASSERT_EQ(warnings, "") << i;
    for (const auto& [network, bytes] : used) ASSERT_EQ(books.usage_of(network, "2026-11-05").bytes, bytes) << i;
  }
}

TEST_F(UsageLedgerTest, WhateverALeaseHoldsIsGivenBackWhenItsProgramWasKilled) {
  for (const std::int64_t bytes :
       {std::int64_t{1}, std::int64_t{1} << 50, std::int64_t{1} << 51, std::int64_t{1} << 60}) {
    SCOPED_TRACE(bytes);
    if (const pid_t program = fork(); program == 0) {
      UsageLedger killed = ledger();
      take(killed, "wwan0", {}, DataSize{bytes});
      ::kill(getpid(), SIGKILL);
    } else {
      waitpid(program, nullptr, 0);
    }
    EXPECT_EQ(ledger().used("wwan0", {}), DataSize{});
    EXPECT_EQ(warnings, "");
  }
}

}  // namespace
}  // namespace tributary
