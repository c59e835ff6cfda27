#include "worlds/discovery/folder_titles.hh"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tributary {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(FolderTitles, AFolderMayHaveThreeManifests) {
  const auto all =
      ElementsAre("http://h/a.b/film/index.json", "http://h/a.b/film/manifest.mpd", "http://h/a.b/film/master.m3u8");
  EXPECT_THAT(manifests_in("http://h/a.b/film/"), all);
  EXPECT_THAT(manifests_in("http://h/a.b/film"), all) << "without a slash, as people write it";
}

TEST(FolderTitles, AnOriginIsAFolder) {
  const auto all = ElementsAre("http://h.org/index.json", "http://h.org/manifest.mpd", "http://h.org/master.m3u8");
  EXPECT_THAT(manifests_in("http://h.org"), all);
  EXPECT_THAT(manifests_in("http://h.org/"), all);
}

TEST(FolderTitles, AQueryStays) {
  EXPECT_THAT(manifests_in("http://h/film/?key=a/b.c"),
              ElementsAre("http://h/film/index.json?key=a/b.c", "http://h/film/manifest.mpd?key=a/b.c",
                          "http://h/film/master.m3u8?key=a/b.c"));
}

TEST(FolderTitles, AFileIsNone) { EXPECT_THAT(manifests_in("http://h/film/film.mp4?a"), IsEmpty()); }

}  // namespace
}  // namespace tributary
