#include "tunnel/machine/key_file.hh"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <system_error>

#include "bonding/handshake/key_text.hh"

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
  std::string text() const {
    std::ostringstream read;
    read << std::ifstream{path()}.rdbuf();
    return read.str();
  }
  std::string path() const { return folder / "key"; }
  std::string refusal_of_relay_key(const std::string& contents) {
    write(contents);
    try {
      read_relay_key(path());
    } catch (const std::runtime_error& error) {
      return error.what();
    }
    return "";
  }

  fs::path folder;
};

bool same(const bonding::KeyPair& a, const bonding::KeyPair& b) { return a.private_key() == b.private_key(); }

TEST_F(KeyFileTest, ANewKeyIsReadAgainAndItsOwnersAlone) {
  const bonding::RelayIdentity relay = bonding::RelayIdentity::random();
  write_relay_key(path(), relay);
  EXPECT_EQ(fs::status(path()).permissions(), static_cast<fs::perms>(0600));
  const bonding::RelayIdentity read = read_relay_key(path());
  EXPECT_TRUE(same(read.own, relay.own));
  EXPECT_EQ(read.pairing, relay.pairing);
}

TEST_F(KeyFileTest, AClientsKeyIsReadAgainAndItsOwnersAlone) {
  const bonding::ClientIdentity client = bonding::RelayIdentity::random().new_client();
  write_client_key(path(), "laptop", client);
  EXPECT_EQ(fs::status(path()).permissions(), static_cast<fs::perms>(0600));
  const bonding::ClientIdentity read = read_client_key(path());
  EXPECT_TRUE(same(read.own, client.own));
  EXPECT_EQ(read.relay, client.relay);
  EXPECT_EQ(read.shared, client.shared);
}

TEST_F(KeyFileTest, IsReadAsAnEditorOfAnotherSystemLeavesIt) {
  const bonding::RelayIdentity relay = bonding::RelayIdentity::random();
  write_relay_key(path(), relay);
  std::string changed = text();
  for (std::size_t at = 0; (at = changed.find('\n', at)) != std::string::npos; at += 2) changed.replace(at, 1, "\r\n");
  write("\r\n# mine\r\n" + changed + "\r\n");
  EXPECT_TRUE(same(read_relay_key(path()).own, relay.own));
}

TEST_F(KeyFileTest, AKeyIsNeverOverwritten) {
  const bonding::RelayIdentity relay = bonding::RelayIdentity::random();
  write_relay_key(path(), relay);
  EXPECT_THROW(write_relay_key(path(), bonding::RelayIdentity::random()), std::system_error);
  EXPECT_THROW(write_client_key(path(), "laptop", relay.new_client()), std::system_error);
  EXPECT_TRUE(same(read_relay_key(path()).own, relay.own));
}

TEST_F(KeyFileTest, WhatIsNoSecretIsRefused) {
  EXPECT_THROW(read_relay_key(path()), std::system_error);
  write_relay_key(path(), bonding::RelayIdentity::random());
  fs::permissions(path(), static_cast<fs::perms>(0640));
  EXPECT_THROW(read_relay_key(path()), std::runtime_error);
}

TEST_F(KeyFileTest, ACredentialOfAServiceIsReadWhateverItsPermissionsAre) {
  write_relay_key(path(), bonding::RelayIdentity::random());
  fs::permissions(path(), static_cast<fs::perms>(0440));
  ::setenv("CREDENTIALS_DIRECTORY", folder.c_str(), 1);
  EXPECT_NO_THROW(read_relay_key(path()));
  ::setenv("CREDENTIALS_DIRECTORY", (folder / "others").c_str(), 1);
  EXPECT_THROW(read_relay_key(path()), std::runtime_error);
  ::unsetenv("CREDENTIALS_DIRECTORY");
  EXPECT_THROW(read_relay_key(path()), std::runtime_error);
}

TEST_F(KeyFileTest, WhatIsBrokenIsNamedWithItsLine) {
  const std::string key = bonding::key_text(bonding::KeyPair::random().public_key());
  const std::string begin = "tributary-relay-key 1\n",
                    whole = begin + "private-key " + key + "\npairing-secret " + key + "\n";
  EXPECT_EQ(refusal_of_relay_key(whole), "");
  const auto expect = [&](const std::string& contents, const std::string& refusal) {
    EXPECT_NE(refusal_of_relay_key(contents).find(path() + refusal), std::string::npos)
        << refusal_of_relay_key(contents);
  };
  expect("", ": this is no key: it is empty");
  expect("hello\n", ":1: this is no key");
  expect("\n" + key + "\n", ":2: this key is of the kind that all clients of a relay shared");
  expect("tributary-client-key 1\n", ":1: this is the key of a client, not the key of a relay");
  expect("tributary-relay-key 2\n", ":1: this version of the file is not known");
  expect(begin + "private-key\n", ":2: expected two words");
  expect(begin + "private-key " + key + "\n# \nother " + key + "\n",
         ":4: expected one of: private-key, pairing-secret");
  expect(whole + "private-key " + key + "\n", ":4: private-key is there twice");
  expect(begin + "private-key " + key + "\n", ": there is no pairing-secret");
  expect(begin + "private-key " + key + "\npairing-secret " + key.substr(1) + "\n", ":3: pairing-secret is no key");
}

}  // namespace
}  // namespace tributary
