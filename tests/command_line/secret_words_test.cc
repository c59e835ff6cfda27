#include "command_line/secret_words.hh"

#include <gtest/gtest.h>

#include <array>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "command_line/parse.hh"

namespace tributary {
namespace {

std::vector<std::string> hidden(std::vector<std::string> words) {
  constexpr std::array<std::string_view, 3> kSecret{"--header", "-H", "--user"};
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  hide_secrets(pointers, kSecret);
  for (std::string& word : words) word.erase(word.find_last_not_of(' ') + 1);
  return words;
}

using Words = std::vector<std::string>;

TEST(SecretWords, AddressesLoseUserAndQuery) {
  EXPECT_EQ(hidden({"https://me:secret@example.org/film?token=secret"}), (Words{"https://...@example.org/film?..."}));
  EXPECT_EQ(hidden({"--checksum=x", "https://example.org/film", "film.mp4"}),
            (Words{"--checksum=x", "https://example.org/film", "film.mp4"}));
  EXPECT_EQ(hidden({"--proxy=https://example.org/?token=secret"}), (Words{"--proxy=https://example.org/?..."}));
  EXPECT_EQ(hidden({"http://h/?a"}), (Words{"http://h/?."})) << "a word has the place that it had";
}

TEST(SecretWords, ValuesOfSecretOptionsAreHiddenHoweverTheyAreGiven) {
  EXPECT_EQ(hidden({"--user", "me:pw", "-H", "Cookie: a", "x"}), (Words{"--user", "*****", "-H", "*********", "x"}));
  EXPECT_EQ(hidden({"--user=me:pw", "-HA: b", "--header=A: b"}), (Words{"--user=*****", "-H****", "--header=****"}));
  EXPECT_EQ(hidden({"--user-agent", "me", "--headers"}), (Words{"--user-agent", "me", "--headers"}));
  EXPECT_EQ(hidden({"--header", "--user", "me"}), (Words{"--header", "******", "me"}));
  EXPECT_EQ(hidden({"--user"}), (Words{"--user"}));
}

TEST(SecretWords, OptionsHaveTheirValuesAndTheWordsHaveThemNoMore) {
  std::string program = "program", option = "--user", value = "me:pw", url = "http://h/?token=secret";
  std::array<char*, 5> words{program.data(), option.data(), value.data(), url.data(), nullptr};
  CLI::App app;
  std::string user, address;
  app.add_option("--user", user);
  app.add_option("url", address);
  parse(
      app, 4, words.data(), [] {}, std::array<std::string_view, 1>{"--user"});
  EXPECT_EQ(user, "me:pw");
  EXPECT_EQ(address, "http://h/?token=secret");
  EXPECT_EQ(value, "*****");
  EXPECT_EQ(url.find("secret"), std::string::npos);
}

}  // namespace
}  // namespace tributary
