#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstddef>
#include <filesystem>
#include <fstream>
#include <span>
#include <sstream>
#include <string>
#include <string_view>

namespace tributary::testing {

inline std::span<const std::byte> bytes(std::string_view text) { return std::as_bytes(std::span{text}); }

inline std::string content(const std::string& path) {
  std::ifstream in{path, std::ios::binary};
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

/// Gives each test program a directory of its own, with a blank in its name.
class DirectoryTest : public ::testing::Test {
 protected:
  void SetUp() override { std::filesystem::create_directories(directory_); }
  void TearDown() override { std::filesystem::remove_all(directory_); }
  std::string directory_ = ::testing::TempDir() + "files of " + std::to_string(getpid());
};

}  // namespace tributary::testing
