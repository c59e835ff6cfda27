#include "worlds/discovery/manifest_lookup.hh"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <string>

#include "canned_responses.hh"
#include "faulty_origin.hh"
#include "worlds/discovery/first_link.hh"

namespace tributary {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class TwoLinks final : public LinkMonitor {
 public:
  int file_descriptor() const override { return -1; }
  std::vector<LinkChangeNotice> poll() override {
    std::vector<LinkChangeNotice> notices(2);
    notices[0].link.name = "silent";
    notices[1].link.name = "answers";
    notices[0].usable = notices[1].usable = true;
    return notices;
  }
};

class ManifestLookupTest : public ::testing::Test {
 protected:
  BatchFetch::Begin begin() {
    return [this](const WantedFile& file, const GoesOn& goes_on) {
      return std::make_unique<transport::DocumentFetch>(
          loop, file.url, transport::LinkRules{.link = "lo"},
          transport::FetchLimits{.range = file.range, .goes_on = goes_on});
    };
  }

  FoundDocument look_up(const std::string& path) {
    ManifestLookup lookup{url(path), begin()};
    while (lookup.advance() != AttemptState::kThere) loop.wait(std::nullopt);
    return lookup.take();
  }

  std::string url(const std::string& path) const { return fmt::format("http://127.0.0.1:{}{}", origin.port(), path); }

  transport::CurlLoop loop;
  std::map<std::string, std::string> files;  // by their paths
  FaultyOrigin origin{[this](const std::string& head) -> FaultyOrigin::Reply {
    const std::string path = head.substr(4, head.find(" HTTP") - 4);
    if (!files.contains(path)) return {transport::response("404 Not Found", "")};
    return {transport::response("200 OK", files.at(path))};
  }};
};

TEST_F(ManifestLookupTest, TheAddressItselfComesFirst) {
  files = {{"/film", "#EXTM3U\n"}, {"/film/index.json", "{}"}};
  EXPECT_EQ(look_up("/film").document.text, "#EXTM3U\n");
}

TEST_F(ManifestLookupTest, AFolderIsKnownByWhatItHas) {
  files = {{"/film/master.m3u8", "#EXTM3U\n"}, {"/film/", "<html>a listing"}, {"/film/index.json", "<html>our shop"}};
  EXPECT_EQ(look_up("/film").asked, url("/film/master.m3u8"));
  EXPECT_EQ(look_up("/film/").document.url, url("/film/master.m3u8"));
}

TEST_F(ManifestLookupTest, APageIsNamedAsWhatItIs) {
  files = {{"/film/", "<html>a listing"}};
  try {
    look_up("/film/");
    FAIL();
  } catch (const NoManifestThere& error) {
    EXPECT_EQ(error.url, url("/film/"));
    EXPECT_THAT(error.why, HasSubstr("a web page"));
    EXPECT_THAT(error.why, HasSubstr("as a folder, it has none of"));
  }
}

TEST_F(ManifestLookupTest, AFileThatIsNotThereIsNotTakenForAFolder) {
  try {
    look_up("/film/index.mpd");
    FAIL();
  } catch (const transport::FetchError& error) {
    EXPECT_EQ(error.reason, FailureReason::kNotFound);
    EXPECT_THAT(error.what(), Not(HasSubstr("as a folder")));
  }
}

TEST_F(ManifestLookupTest, SoundOrPictureIsKnownByItsFrontWhereTheServerRefusesMore) {
  for (const char* refusal : {"403 Forbidden", "413 Content Too Large", "503 Service Unavailable"}) {
    FaultyOrigin of_small_ranges{[&](const std::string& head) -> FaultyOrigin::Reply {
      if (head.find("Range: bytes=0-15999") == std::string::npos) return {transport::response(refusal, "")};
      const std::string front = "\x10\x10\x10\x18" + ("ftypmp42" + std::string(15'988, 'a'));
      return {transport::response("206 Partial Content", front, "Content-Range: bytes 0-15999/9000000\r\n")};
    }};
    ManifestLookup lookup{fmt::format("http://127.0.0.1:{}/film.mp4", of_small_ranges.port()), begin()};
    try {
      while (lookup.advance() != AttemptState::kThere) loop.wait(std::nullopt);
      FAIL() << refusal;
    } catch (const NoManifestThere& error) {
      EXPECT_TRUE(error.media) << refusal;
    }
  }
}

TEST_F(ManifestLookupTest, ASilentLinkKeepsNoOtherFromAFolder) {
  files = {{"/film/master.m3u8", "#EXTM3U\n"}};
  TwoLinks links;
  std::shared_ptr<ManifestLookup> lookup;
  over_first_link(url("/film/"), links, use_any_link,
                  {.begin = [&](const std::string& link) -> Attempt {
                     if (link == "silent") return [] { return AttemptState::kAsked; };
                     lookup = std::make_shared<ManifestLookup>(url("/film/"), begin());
                     return [lookup] { return lookup->advance(); };
                   },
                   .wait = [&](std::optional<Duration> at_most) { loop.wait(at_most); },
                   .tell = [](const std::string&) {}});
  EXPECT_EQ(lookup->take().asked, url("/film/master.m3u8"));
}

}  // namespace
}  // namespace tributary
