#include "tunnel/key_file.hh"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <system_error>

namespace tributary {
namespace {

namespace fs = std::filesystem;

class KeyFileTest : public ::testing::Test {
 protected:
  KeyFileTest() {
    std::string pattern = (fs::temp_directory_path() / "tributary-key-XXXXXX").string();
    folder = ::mkdtemp(pattern.data());
  }
  ~KeyFileTest() override { fs::remove_all(folder); }

  void write(const std::string& text, unsigned permissions = 0600) {
    std::ofstream{path()} << text;
    fs::permissions(path(), static_cast<fs::perms>(permissions));
  }
  std::string path() const { return folder / "key"; }

  fs::path folder;
};

TEST_F(KeyFileTest, ANewKeyIsReadAgainAndItsOwnersAlone) {
  write_new_key(path());
  EXPECT_EQ(fs::status(path()).permissions(), static_cast<fs::perms>(0600));
  const bonding::PresharedKey key = read_key(path());
  write(key.text() + "\r\n");  // as an editor of another system leaves it
  EXPECT_EQ(read_key(path()), key);
}

TEST_F(KeyFileTest, AKeyIsNeverOverwritten) {
  write_new_key(path());
  const bonding::PresharedKey key = read_key(path());
  EXPECT_THROW(write_new_key(path()), std::system_error);
  EXPECT_EQ(read_key(path()), key);
}

TEST_F(KeyFileTest, WhatIsNoKeyOrNoSecretIsRefused) {
  EXPECT_THROW(read_key(path()), std::system_error);
  write("");
  EXPECT_THROW(read_key(path()), std::runtime_error);
  write(std::string(1000, 'A'));
  EXPECT_THROW(read_key(path()), std::runtime_error);
  write(bonding::PresharedKey::random().text(), 0640);
  EXPECT_THROW(read_key(path()), std::runtime_error);
}

}  // namespace
}  // namespace tributary
