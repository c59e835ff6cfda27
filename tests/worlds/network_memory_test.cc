#include "worlds/network_memory.hh"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>

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
