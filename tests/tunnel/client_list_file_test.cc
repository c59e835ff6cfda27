#include "tunnel/machine/client_list_file.hh"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <stdexcept>

#include "bonding/handshake/key_text.hh"
#include "tunnel/machine/key_file.hh"

namespace tributary {
namespace {

namespace fs = std::filesystem;

class ClientListFileTest : public ::testing::Test {
 protected:
  ClientListFileTest() {
    std::string pattern = (fs::temp_directory_path() / "tributary-clients-XXXXXX").string();
    folder = ::mkdtemp(pattern.data());
  }
  ~ClientListFileTest() override { fs::remove_all(folder); }

  std::string list() const { return folder / "relay.clients"; }
  void add(const std::string& name) { add_client(list(), relay, name, key_of_client(name)); }
  std::string key_of_client(const std::string& name) const { return folder / (name + ".key"); }
  std::string refusal(const std::string& contents) {
    std::ofstream{list()} << contents;
    try {
      read_client_list(list());
    } catch (const std::runtime_error& error) {
      return error.what();
    }
    return "";
  }

  bonding::RelayIdentity relay = bonding::RelayIdentity::random();
  fs::path folder;
};

TEST_F(ClientListFileTest, AClientThatIsAddedIsInTheListUntilItIsRemoved) {
  EXPECT_TRUE(read_client_list(list()).empty()) << "no file is an empty list";
  add("laptop");
  add("phone");
  const bonding::ClientIdentity laptop = read_client_key(key_of_client("laptop"));
  EXPECT_EQ(laptop.relay, relay.own.public_key());
  EXPECT_EQ(laptop.shared, relay.shared_with(laptop.own.public_key()));
  EXPECT_EQ(read_client_list(list()).size(), 2U);
  EXPECT_EQ(read_client_list(list()).at(laptop.own.public_key()), "laptop");
  remove_client(list(), "laptop");
  EXPECT_FALSE(read_client_list(list()).contains(laptop.own.public_key()));
  EXPECT_EQ(read_client_list(list()).size(), 1U);
}

TEST_F(ClientListFileTest, EverybodyMayReadTheListAndNobodyElseTheKeys) {
  add("laptop");
  EXPECT_EQ(fs::status(list()).permissions(), static_cast<fs::perms>(0644));
  EXPECT_EQ(fs::status(key_of_client("laptop")).permissions(), static_cast<fs::perms>(0600));
}

TEST_F(ClientListFileTest, NamesThatAreTakenOrNoneAreRefusedAndNothingIsLeft) {
  add("laptop");
  fs::remove(key_of_client("laptop"));
  EXPECT_THROW(add("laptop"), std::invalid_argument);
  EXPECT_FALSE(fs::exists(key_of_client("laptop")));
  for (const std::string name : {"", "-x", ".x", "a b", "../x", "x\n", "0123456789012345678901234567890123"})
    EXPECT_THROW(add(name), std::invalid_argument) << name;
  EXPECT_THROW(remove_client(list(), "phone"), std::invalid_argument);
  EXPECT_EQ(read_client_list(list()).size(), 1U);
}

TEST_F(ClientListFileTest, AKeyThatIsThereIsKeptAndTheClientIsNotAdded) {
  std::ofstream{key_of_client("laptop")} << "another one";
  EXPECT_THROW(add("laptop"), std::system_error);
  EXPECT_TRUE(read_client_list(list()).empty());
}

TEST_F(ClientListFileTest, WhatIsBrokenIsNamedWithItsLine) {
  const std::string key = bonding::key_text(bonding::KeyPair::random().public_key());
  const std::string begin = "tributary-clients 1\n";
  const auto expect = [&](const std::string& contents, const std::string& problem) {
    EXPECT_NE(refusal(contents).find(list() + problem), std::string::npos) << refusal(contents);
  };
  EXPECT_EQ(refusal(begin + "laptop " + key + "\n"), "");
  expect("laptop " + key + "\n", ":1: this is no key: expected \"tributary-clients 1\"");
  expect(begin + "laptop\n", ":2: expected two words");
  expect(begin + "../laptop " + key + "\n", ":2: expected a name");
  expect(begin + "laptop " + key.substr(1) + "\n", ":2: expected a public key");
  expect(begin + "laptop " + bonding::key_text(bonding::PublicKey{}) + "\n", ":2: expected a public key");
  expect(begin + "laptop " + key + "\n\nphone " + key + "\n", ":4: this is the key of laptop");
  expect(begin + "laptop " + key + "\nlaptop " + bonding::key_text(bonding::KeyPair::random().public_key()) + "\n",
         ":3: laptop is there twice");
}

}  // namespace
}  // namespace tributary
