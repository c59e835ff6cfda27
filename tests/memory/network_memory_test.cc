#include "memory/network_memory.hh"
#include "support/sweep.hh"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <sstream>

#include "units/split_mix.hh"

namespace tributary {
namespace {

using namespace literals;
namespace fs = std::filesystem;

class NetworkMemoryTest : public ::testing::Test {
 protected:
  void SetUp() override { fs::remove_all(folder); }
  void TearDown() override { fs::remove_all(folder); }

  NetworkMemory memory() {
    return {folder,
            {[](const std::string& link) { return link; }, [this] { return now; },
             [this](const std::string& text) { warnings += text + '\n'; }}};
  }
  fs::path file() const { return fs::path{folder} / "link-memory.json"; }
  void write(const std::string& text) const {
    fs::create_directories(folder);
    std::ofstream{file()} << text;
  }
  static std::string with(const std::string& network) {
    return R"({"format": "tributary-link-memory", "version": 1, "networks": [)" + network + "]}";
  }

  std::string folder = (fs::temp_directory_path() / fmt::format("network-memory-test-{}", getpid())).string();
  UtcTime now = *utc_from("2026-11-22T08:00:00Z");
  std::string warnings;
  const RememberedLink wifi{8_Mbps, std::chrono::milliseconds{40}}, lte{2_Mbps, std::chrono::milliseconds{80}};
};

TEST_F(NetworkMemoryTest, KnowsInTheNextRunWhatWasMeasuredLast) {
  EXPECT_EQ(memory().recall("wlan0 via 10.0.0.1"), std::nullopt);
  memory().remember({{"wlan0 via 10.0.0.1", lte}, {"wwan0", lte}});
  memory().remember({{"wlan0 via 10.0.0.1", wifi}});
  EXPECT_EQ(memory().recall("wlan0 via 10.0.0.1"), wifi);
  EXPECT_EQ(memory().recall("wwan0"), lte);
  EXPECT_EQ(memory().recall("wlan0 via 10.0.0.2"), std::nullopt);
  struct stat status {};
  ASSERT_EQ(stat(file().c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0600U);
  EXPECT_EQ(warnings, "");
}

TEST_F(NetworkMemoryTest, ForgetsAndSaysOfHowMany) {
  EXPECT_EQ(memory().forget(), 0U);
  memory().remember({{"a", wifi}, {"b", lte}});
  EXPECT_EQ(memory().forget(), 2U);
  EXPECT_EQ(memory().recall("a"), std::nullopt);
  EXPECT_EQ(memory().forget(), 0U);
}

TEST_F(NetworkMemoryTest, WhatIsOlderThanThirtyDaysOrFromTheFutureIsNotKnown) {
  memory().remember({{"old", wifi}});
  now += std::chrono::days{29};
  EXPECT_EQ(memory().recall("old"), wifi);
  now += std::chrono::days{2};
  EXPECT_EQ(memory().recall("old"), std::nullopt);
  memory().remember({{"new", lte}});
  now -= std::chrono::days{2};
  EXPECT_EQ(memory().recall("new"), std::nullopt);
  EXPECT_EQ(memory().recall("old"), std::nullopt) << "whoever wrote has dropped it";
}

TEST_F(NetworkMemoryTest, OfTooManyNetworksTheOldestAreForgotten) {
  for (int i = 0; i < 105; ++i) {
    memory().remember({{fmt::format("network {}", i), wifi}});
    now += std::chrono::minutes{1};
  }
  EXPECT_EQ(memory().recall("network 4"), std::nullopt);
  EXPECT_EQ(memory().recall("network 5"), wifi);
  EXPECT_EQ(memory().forget(), 100U);
}

TEST_F(NetworkMemoryTest, DamageIsSaidWithItsPlaceAndBegunAfresh) {
  const std::string good =
      R"("network": "a", "throughput_bit_s": 1000000, "round_trip_s": 0.1, "measured_at": "2026-11-22T07:00:00Z")";
  const std::vector<std::pair<std::string, std::string>> damaged{
      {"{\"format\": \"tributary-li", "line 1"},
      {"", "line 1"},
      {R"({"format": "another", "version": 1, "networks": []})", "format"},
      {R"({"format": "tributary-link-memory", "version": 2, "networks": []})", "version"},
      {with(R"({"network": "a", "throughput_bit_s": 1000000, "round_trip_s": 0.1})"), "networks[0]"},
      {with(R"({"network": "a", "throughput_bit_s": 0, "round_trip_s": 0.1, "measured_at": "2026-11-22T07:00:00Z"})"),
       "networks[0].throughput_bit_s: is not a rate"},
      {with(R"({"network": "a", "throughput_bit_s": 1, "round_trip_s": -1, "measured_at": "2026-11-22T07:00:00Z"})"),
       "networks[0].round_trip_s: is not a round trip"},
      {with("{" + good + "}, {" +
            R"("network": "b", "throughput_bit_s": 1, "round_trip_s": 1, "measured_at": "yesterday")" + "}"),
       "networks[1].measured_at: is not a time"}};
  write(with("{" + good + "}"));
  EXPECT_EQ(memory().recall("a"), (RememberedLink{1_Mbps, std::chrono::milliseconds{100}}));
  EXPECT_EQ(warnings, "");
  int count = 0;
  for (const auto& [text, place] : damaged) {
    SCOPED_TRACE(text);
    write(text);
    warnings.clear();
    NetworkMemory program = memory();
    EXPECT_EQ(program.recall("a"), std::nullopt);
    EXPECT_NE(warnings.find(file().string() + " is damaged ("), std::string::npos) << warnings;
    EXPECT_NE(warnings.find(place), std::string::npos) << warnings;
    const std::string said = warnings;
    program.remember({{"a", wifi}});
    EXPECT_EQ(warnings, said) << "once";
    EXPECT_EQ(program.recall("a"), wifi);
    EXPECT_TRUE(fs::exists(fmt::format("{}.damaged-{}", file().string(), ++count)));
  }
}

TEST_F(NetworkMemoryTest, WhateverWasMeasuredCanBeReadAgainAndHurtsNothingElse) {
  constexpr std::uint64_t kSeed = 14;
  SCOPED_TRACE(fmt::format("seed {}", kSeed));
  SplitMix random{kSeed};
  using Limits = std::numeric_limits<double>;
  const std::vector<double> odd_rates{0,
                                      -0.0,
                                      -1,
                                      Limits::quiet_NaN(),
                                      Limits::infinity(),
                                      -Limits::infinity(),
                                      Limits::denorm_min(),
                                      Limits::max(),
                                      0.4,
                                      0.5,
                                      1,
                                      1e12,
                                      1.75e12};  // the last one was seen on a loopback interface
  const std::vector<Duration> odd_times{Duration::zero(),
                                        Duration{-1},
                                        Duration{1},
                                        Duration::min(),
                                        Duration::max(),
                                        std::chrono::seconds{60},
                                        std::chrono::milliseconds{60'001}};
  const std::vector<std::string> odd_names{
      "", "\"", "\\", std::string{"\0", 1}, "\x1b[2J\n", "wlan\xc3\xa9", std::string(3000, 'x')};
  const auto any_of = [&](const auto& values) {
    return values[random.below(static_cast<std::uint32_t>(values.size()))];
  };
  memory().remember({{"another", lte}});
  for (int i = 0; i < testing::of_sweep(100, 400); ++i) {
    const double rate = random.below(2) == 0 ? any_of(odd_rates) : std::pow(10, 40 * random.uniform() - 20);
    const Duration time = random.below(2) == 0 ? any_of(odd_times) : Duration{static_cast<std::int64_t>(random.next())};
    const std::string name = random.below(2) == 0 ? any_of(odd_names) : fmt::format("network {}", random.below(50));
    SCOPED_TRACE(fmt::format("{}: {} bit/s, {} ns", i, rate, time.count()));
    const auto before = memory().recall(name);
    memory().remember({{name, {DataRate::bits_per_second(rate), time}}});
    const auto known = memory().recall(name);
    ASSERT_EQ(warnings, "");
    ASSERT_EQ(memory().recall("another"), lte);
    if (!(rate > 0)) {
      ASSERT_EQ(known, before) << "nothing was measured";
      continue;
    }
    ASSERT_TRUE(known);
    ASSERT_TRUE(known->rate >= DataRate::bits_per_second(1) && known->rate <= DataRate::bits_per_second(1e12));
    ASSERT_TRUE(known->round_trip >= Duration::zero() && known->round_trip <= std::chrono::seconds{60});
  }
}

TEST_F(NetworkMemoryTest, ANameThatIsNotUtf8AndAYearThatHasNotFourDigitsHurtNothingElse) {
  memory().remember({{"another", lte}});
  memory().remember({{"wlan\xff", wifi}});
  EXPECT_EQ(memory().recall("another"), lte);
  EXPECT_EQ(warnings, "");
  const UtcTime today = now;
  for (const int year : {-1, 10'000, 30'000}) {
    now = std::chrono::sys_days{std::chrono::year{year} / 1 / 1};
    memory().remember({{"later", wifi}});
    now = today;
    EXPECT_NE(warnings.find("is not a time"), std::string::npos) << warnings;
    warnings.clear();
    EXPECT_EQ(memory().recall("another"), lte) << year;
    EXPECT_EQ(warnings, "");
  }
}

TEST_F(NetworkMemoryTest, WhatCannotBeReadOrWrittenEndsNothing) {
  folder = "/proc/nowhere";
  NetworkMemory program = memory();
  EXPECT_EQ(program.recall("a"), std::nullopt);
  program.remember({{"a", wifi}});
  program.remember({{"a", wifi}});
  EXPECT_NE(warnings.find("is not remembered"), std::string::npos) << warnings;
  EXPECT_EQ(std::ranges::count(warnings, '\n'), 1) << warnings;
}

TEST_F(NetworkMemoryTest, ProgramsAtTheSameTimeLoseNothing) {
  constexpr int kPrograms = 4, kTimes = 15;
  for (int i = 0; i < kPrograms; ++i) {
    if (fork() != 0) continue;
    NetworkMemory own = memory();
    for (int n = 0; n < kTimes; ++n) own.remember({{fmt::format("{} {}", i, n), wifi}});
    _exit(warnings.empty() ? 0 : 1);
  }
  for (int i = 0; i < kPrograms; ++i) {
    int status = 1;
    wait(&status);
    EXPECT_EQ(status, 0);
  }
  EXPECT_EQ(memory().forget(), static_cast<std::size_t>(kPrograms * kTimes));
}

}  // namespace
}  // namespace tributary
