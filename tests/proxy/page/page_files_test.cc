#include "proxy/page/page_files.hh"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <utility>

namespace tributary::proxy {
namespace {

std::string text_of(const std::filesystem::path& path) {
  std::ifstream file{path, std::ios::binary};
  EXPECT_TRUE(file) << path;
  return {std::istreambuf_iterator<char>{file}, {}};
}

TEST(PageFile, HasTheTextOfItsFile) {
  const std::filesystem::path folder = TRIBUTARY_PAGE_FOLDER;
  EXPECT_EQ(page_file("/")->text, text_of(folder / "index.html"));
  EXPECT_EQ(page_file("/page.css")->text, text_of(folder / "page.css"));
  std::size_t scripts = 0;
  for (const auto& entry : std::filesystem::directory_iterator{folder}) {
    if (entry.path().extension() != ".js") continue;
    const auto file = page_file("/" + entry.path().filename().string());
    ASSERT_TRUE(file) << entry.path();
    EXPECT_EQ(file->text, text_of(entry.path()));
    ++scripts;
  }
  EXPECT_GT(scripts, 1U);
}

TEST(PageFile, SaysWhatItIs) {
  EXPECT_EQ(page_file("/")->content_type, "text/html; charset=utf-8");
  EXPECT_EQ(page_file("/page.css")->content_type, "text/css; charset=utf-8");
  EXPECT_EQ(page_file("/page.js")->content_type, "text/javascript; charset=utf-8");
}

TEST(PageFile, IsNothingForAnyOtherPath) {
  for (const char* path : {"", "page.css", "//", "/index.html", "/page.css/", "/page.css?x", "/events"}) {
    EXPECT_FALSE(page_file(path)) << path;
  }
}

TEST(PageFile, PlayersAreWhatTheBuildWasGiven) {
  const std::filesystem::path folder = TRIBUTARY_PAGE_PLAYERS_FOLDER;
  for (const auto& [path, name] : {std::pair{"/hls.js", "hls.min.js"}, std::pair{"/dash.js", "dash.all.min.js"}}) {
    const auto file = page_file(path);
    EXPECT_EQ(file.has_value(), !folder.empty() && exists(folder / name)) << path;
    EXPECT_TRUE(!file || file->text == text_of(folder / name)) << path;  // too long to be printed
  }
}

}  // namespace
}  // namespace tributary::proxy
