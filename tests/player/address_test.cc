#include "player/memory/address.hh"

#include <gtest/gtest.h>

#include "support/files.hh"

namespace tributary::play {
namespace {

TEST(Address, IsOfAManifestOrAFolder) {
  for (const auto& [typed, url] : {std::pair{"https://a.org/film/index.json", "https://a.org/film/index.json"},
                                   {"  http://a.org:8080/film/index.json\n", "http://a.org:8080/film/index.json"},
                                   {"a.org/film/", "https://a.org/film/"},
                                   {"a.org/film", "https://a.org/film"},
                                   {"localhost:8080/film/", "http://localhost:8080/film/"},
                                   {"192.168.1.5/film/", "http://192.168.1.5/film/"},
                                   {"https://a.org", "https://a.org/"},
                                   {"https://a.org/film/master.m3u8", "https://a.org/film/master.m3u8"},
                                   {"https://a.org/film.mpd?token=1", "https://a.org/film.mpd?token=1"},
                                   {"https://[::1]:81/f/", "https://[::1]:81/f/"},
                                   {"https://a.org/a%20b/index.json", "https://a.org/a%20b/index.json"},
                                   {"tributary://a.org/film/", "https://a.org/film/"},
                                   {"tributary+http://a.org/film/", "http://a.org/film/"},
                                   {"tributary:http://a.org/film/", "http://a.org/film/"},
                                   {"https://a.org/other.json", "https://a.org/other.json"}}) {
    EXPECT_EQ(address_to_play(typed), url) << typed;
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
      ADD_FAILURE() << typed << " became " << address_to_play(typed);
    } catch (const AddressError& error) {
      EXPECT_NE(std::string{error.what()}.find(why), std::string::npos) << error.what();
    }
  }
}

using LocalAddress = testing::DirectoryTest;  // with a blank in its name

TEST_F(LocalAddress, IsThatOfTheManifest) {
  std::ofstream{directory_ + "/master.m3u8"} << "#EXTM3U\n";
  EXPECT_TRUE(address_to_play(directory_).ends_with("/master.m3u8"));
  std::ofstream{directory_ + "/index.json"} << "{}";
  const std::string url = address_to_play(directory_);
  EXPECT_TRUE(url.starts_with("file:///") && url.ends_with("/index.json")) << url;
  EXPECT_EQ(address_to_play(directory_ + "/index.json"), url);
  std::ofstream{directory_ + "/film.mpd"} << "<MPD/>";
  EXPECT_TRUE(address_to_play(directory_ + "/film.mpd").ends_with("/film.mpd"));
  EXPECT_EQ(address_to_play(url), url);
  EXPECT_EQ(local_path(url), std::filesystem::absolute(directory_) / "index.json");
  EXPECT_EQ(local_path("http://a.org/index.json"), "");
}

TEST_F(LocalAddress, KeepsTheChannelOfAList) {
  std::ofstream{directory_ + "/tv.m3u"} << "#EXTM3U\n";
  const std::string url = address_to_play(directory_ + "/tv.m3u#channel=2");
  EXPECT_TRUE(url.starts_with("file:///") && url.ends_with("/tv.m3u#channel=2")) << url;
  EXPECT_EQ(address_to_play(url), url);
  EXPECT_EQ(local_path(url), std::filesystem::absolute(directory_) / "tv.m3u");
}

TEST(Address, KeepsTheChannelOfAList) {
  EXPECT_EQ(address_to_play("tv.example/all.m3u#channel=The%20News"), "https://tv.example/all.m3u#channel=The%20News");
  EXPECT_EQ(address_title("https://tv.example/all.m3u#channel=The%20News"), "The News");
}

TEST(Address, HasAShortName) {
  EXPECT_EQ(address_title("https://a.org/films/big%20film/index.json"), "big film");
  EXPECT_EQ(address_title("https://a.org/index.json"), "a.org");
  EXPECT_EQ(address_title("https://a.org/films/big/master.m3u8"), "big");
  EXPECT_EQ(address_title("https://a.org/films/big.mpd"), "big");
  EXPECT_EQ(address_title("https://a.org/films/big/"), "big");
  EXPECT_EQ(address_title("https://a.org/"), "a.org");
  EXPECT_EQ(address_title("https://a.org/%C3%BCber/index.json?x=1"), "über");
}

}  // namespace
}  // namespace tributary::play
