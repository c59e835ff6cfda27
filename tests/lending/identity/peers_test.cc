#include "lending/identity/peers.hh"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "lending/identity/code_file.hh"
#include "lending/identity/identity.hh"
#include "lending/identity/lender_status.hh"
#include "lending/identity/pairing_text.hh"

namespace tributary::lending {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class PeersTest : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto* info = ::testing::UnitTest::GetInstance()->current_test_info();
    folder_ = fs::path{::testing::TempDir()} / fmt::format("peers-{}-{}", info->name(), ::getpid());
    fs::remove_all(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }
  void write(const std::string& name, const std::string& text) const {
    fs::create_directories(folder_);
    std::ofstream{folder_ / name} << text;
  }

  fs::path folder_;
};

MemberKey key(int number) {
  MemberKey result{};
  result[3] = static_cast<std::byte>(number);
  return result;
}

TEST_F(PeersTest, AreReadAsTheyWereWritten) {
  const PeersFile lenders{folder_, PeersFile::Of::kLenders};
  EXPECT_TRUE(lenders.read().empty());
  EXPECT_EQ(lenders.add({.name = "anna", .key = key(1), .address = "192.0.2.1:7118", .agreed = true}), "anna");
  EXPECT_EQ(lenders.add({.name = "anna", .key = key(2), .address = "192.0.2.2:7118"}), "anna-2");
  const auto read = lenders.read();
  ASSERT_EQ(read.size(), 2u);
  EXPECT_EQ(read[0].key, key(1));
  EXPECT_EQ(read[0].address, "192.0.2.1:7118");
  EXPECT_TRUE(read[0].agreed);
  EXPECT_FALSE(read[1].agreed);
  EXPECT_TRUE(lenders.remove("anna"));
  EXPECT_FALSE(lenders.remove("anna"));
  EXPECT_EQ(lenders.read().size(), 1u);
}

TEST_F(PeersTest, AKnownKeyKeepsOurNameForIt) {
  const PeersFile lenders{folder_, PeersFile::Of::kLenders};
  lenders.add({.name = "anna", .key = key(1), .address = "192.0.2.1:7118"});
  EXPECT_EQ(lenders.add({.name = "bert", .key = key(1), .address = "192.0.2.9:7118"}), "anna");
  EXPECT_EQ(lenders.read().at(0).address, "192.0.2.9:7118");
}

TEST_F(PeersTest, OnlyOneThatIsThereMoves) {
  const PeersFile lenders{folder_, PeersFile::Of::kLenders};
  lenders.add({.name = "anna", .key = key(1), .address = "192.0.2.1:7118", .agreed = true});
  EXPECT_TRUE(lenders.move(key(1), "192.0.2.9:7118"));
  EXPECT_FALSE(lenders.move(key(1), "192.0.2.9:7118"));
  EXPECT_EQ(lenders.read().at(0).address, "192.0.2.9:7118");
  EXPECT_TRUE(lenders.read().at(0).agreed);
  lenders.remove("anna");
  EXPECT_FALSE(lenders.move(key(1), "192.0.2.1:7118"));
  EXPECT_TRUE(lenders.read().empty()) << "its user has given it back";
}

TEST_F(PeersTest, NamesOfOthersAreMadeHarmless) {
  EXPECT_EQ(as_peer_name("Anna's phone\x1b[2J"), "Anna-s-phone--2J");
  EXPECT_EQ(as_peer_name("--help"), "help");
  EXPECT_EQ(as_peer_name(""), "somebody");
  EXPECT_TRUE(is_peer_name(as_peer_name(std::string(500, 'x'))));
}

TEST_F(PeersTest, ABrokenFileIsRefusedWithItsPlace) {
  const PeersFile members{folder_, PeersFile::Of::kMembers};
  write("members.json",
        R"({"format": "tributary-members", "version": 1, "peers": [{"name": "anna", "key": "short"}]})");
  try {
    (void)members.read();
    FAIL() << "it was read";
  } catch (const std::runtime_error& error) {
    EXPECT_THAT(error.what(), HasSubstr("members.json"));
    EXPECT_THAT(error.what(), HasSubstr("peers[0].key"));
  }
}

TEST_F(PeersTest, TheIdentityIsMadeOnceAndOnlyForItsUser) {
  const Identity first = own_identity(folder_), second = own_identity(folder_);
  EXPECT_EQ(first.key, second.key);
  EXPECT_EQ(first.private_key, second.private_key);
  EXPECT_EQ(fs::status(folder_ / "identity.pem").permissions(), fs::perms::owner_read | fs::perms::owner_write);
  write("identity.pem", "no key");
  EXPECT_THROW((void)own_identity(folder_), std::runtime_error);
}

TEST_F(PeersTest, ACodeIsReadBackWhileItIsGood) {
  const CodeFile file{folder_};
  EXPECT_FALSE(file.read());
  file.write("012345");
  EXPECT_EQ(file.read(), "012345");
  fs::last_write_time(file.path(), fs::file_time_type::clock::now() - std::chrono::minutes{6});
  EXPECT_FALSE(file.read());
  file.remove();
  EXPECT_FALSE(fs::exists(file.path()));
}

TEST(LenderStatus, IsReadAsItWasWritten) {
  const LenderStatus status{.name = "anna \"the\" lender\n",
                            .lends = false,
                            .why = "used up",
                            .left = DataSize{0},
                            .each_day = DataSize{2'000'000'000},
                            .public_only = false};
  const std::string line = status_line(status);
  EXPECT_EQ(line.find('\n'), std::string::npos);
  EXPECT_EQ(read_status_line(line), status);
  for (std::size_t size = 0; size < line.size(); ++size) EXPECT_FALSE(read_status_line(line.substr(0, size)));
  EXPECT_FALSE(read_status_line(R"({"name": "x", "lends": true, "public_only": true, "left": -5})"));
}

TEST(PairingText, IsReadAsItWasWritten) {
  PairingBegin begin{"anna", Pairing::new_session(), {}};
  begin.share[5] = std::byte{77};
  const auto read = read_pairing_begin(text_of(begin));
  ASSERT_TRUE(read);
  EXPECT_EQ(read->name, "anna");
  EXPECT_EQ(read->session, begin.session);
  EXPECT_EQ(read->share, begin.share);
  EXPECT_FALSE(read_pairing_begin("{}"));
  EXPECT_FALSE(read_pairing_begin(R"({"name": "a", "session": "AA", "share": "AA"})"));
  EXPECT_FALSE(read_proof("[]"));
}

}  // namespace
}  // namespace tributary::lending
