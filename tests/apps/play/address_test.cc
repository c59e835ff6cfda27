#include "apps/play/memory/address.hh"

#include <gtest/gtest.h>

#include "support/files.hh"

namespace tributary::play {
namespace {

TEST(Address, LeadsToTheIndex) {
  for (const auto& [typed, url] : {std::pair{"https://a.org/film/index.json", "https://a.org/film/index.json"},
                                   {"  http://a.org:8080/film/index.json\n", "http://a.org:8080/film/index.json"},
                                   {"a.org/film/", "https://a.org/film/index.json"},
                                   {"https://a.org", "https://a.org/index.json"},
                                   {"https://a.org/film/master.m3u8", "https://a.org/film/master.m3u8"},
                                   {"https://a.org/film.mpd?token=1", "https://a.org/film.mpd?token=1"},
                                   {"https://[::1]:81/f/", "https://[::1]:81/f/index.json"},
                                   {"https://a.org/a%20b/index.json", "https://a.org/a%20b/index.json"},
                                   {"tributary://a.org/film/", "https://a.org/film/index.json"},
                                   {"tributary+http://a.org/film/", "http://a.org/film/index.json"},
                                   {"tributary:http://a.org/film/", "http://a.org/film/index.json"},
                                   {"https://a.org/other.json", "https://a.org/other.json"}}) {
    EXPECT_EQ(index_address(typed), url) << typed;
  }
}

TEST(Address, SaysWhyItCannotBePlayed) {
  const std::string long_address = "http://a.org/" + std::string(100'000, 'x');
  for (const auto& [typed, why] : {std::pair{"", "empty"},
                                   {"   ", "empty"},
                                   {"ftp://a.org/film/", "ftp"},
                                   {"https://", "not a web address"},
                                   {"http://a.org:port/", "not a web address"},
                                   {"/no/such/index.json", "no file “/no/such/index.json”"},
                                   {"file:///no/such/folder/", "no file “/no/such/folder/index.json”"},
                                   {"/bin/sh", "tributary-segment"},
                                   {long_address.c_str(), "too long"}}) {
    try {
      ADD_FAILURE() << typed << " became " << index_address(typed);
    } catch (const AddressError& error) {
      EXPECT_NE(std::string{error.what()}.find(why), std::string::npos) << error.what();
    }
  }
}

using LocalAddress = testing::DirectoryTest;  // with a blank in its name

TEST_F(LocalAddress, IsThatOfTheIndex) {
  std::ofstream{directory_ + "/index.json"} << "{}";
  const std::string url = index_address(directory_);
  EXPECT_TRUE(url.starts_with("file:///") && url.ends_with("/index.json")) << url;
  EXPECT_EQ(index_address(directory_ + "/index.json"), url);
  std::ofstream{directory_ + "/film.mpd"} << "<MPD/>";
  EXPECT_TRUE(index_address(directory_ + "/film.mpd").ends_with("/film.mpd"));
  EXPECT_EQ(index_address(url), url);
  EXPECT_EQ(local_path(url), std::filesystem::absolute(directory_) / "index.json");
  EXPECT_EQ(local_path("http://a.org/index.json"), "");
}

TEST(Address, HasAShortName) {
  EXPECT_EQ(address_title("https://a.org/films/big%20film/index.json"), "big film");
  EXPECT_EQ(address_title("https://a.org/index.json"), "a.org");
  EXPECT_EQ(address_title("https://a.org/films/big/master.m3u8"), "big");
  EXPECT_EQ(address_title("https://a.org/films/big.mpd"), "big");
  EXPECT_EQ(address_title("https://a.org/%C3%BCber/index.json?x=1"), "über");
}

}  // namespace
}  // namespace tributary::play
