#include "manifests/from_hls/side_list.hh"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace tributary {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

SideFile file_from(Duration start, const std::string& uri) { return {{uri, {}, true}, start, 2s}; }

SideFiles listing(std::vector<SideFile> files, Duration shift = 0s) {
  SideFiles side;
  side.stretches = {{std::nullopt, shift}};
  side.files = std::move(files);
  return side;
}

std::vector<std::string> uris(const std::vector<SideList::Entry>& entries) {
  std::vector<std::string> uris;
  for (const SideList::Entry& entry : entries) uris.push_back(entry.file.resource.uri);
  return uris;
}

TEST(SideList, KnowsAFileThatIsListedAgain) {
  SideList list;
  EXPECT_EQ(list.end(), std::nullopt);
  list.add(listing({file_from(0s, "a"), file_from(2s, "b")}));
  list.add(listing({file_from(2s + 1us, "b"), file_from(4s, "c")}));
  EXPECT_THAT(uris(list.between(0s, 10s, 9)), ElementsAre("a", "b", "c"));
  EXPECT_EQ(list.end(), 6s);
  list.add(listing({file_from(8s, "a")}));  // the same bytes, shown again
  EXPECT_THAT(uris(list.between(0s, 10s, 9)), ElementsAre("a", "b", "c", "a"));
}

TEST(SideList, GivesWhatIsBetweenTwoTimesAndNoMoreThanIsWanted) {
  SideList list;
  list.add(listing({file_from(0s, "a"), file_from(2s, "b"), file_from(4s, "c")}));
  EXPECT_THAT(uris(list.between(2s, 4s, 9)), ElementsAre("b"));
  EXPECT_THAT(uris(list.between(1s, 5s, 2)), ElementsAre("a", "b"));
  EXPECT_THAT(uris(list.between(6s, 8s, 9)), IsEmpty());
}

TEST(SideList, NumbersAreNotUsedTwice) {
  SideList list;
  list.add(listing({file_from(4s, "c"), file_from(2s, "b"), file_from(0s, "a")}));
  const auto all = list.between(0s, 10s, 9);
  EXPECT_THAT(uris(all), ElementsAre("a", "b", "c"));
  list.drop_before(4s);
  EXPECT_THAT(uris(list.between(0s, 10s, 9)), ElementsAre("c"));
  EXPECT_FALSE(list.find(all[1].number));
  EXPECT_EQ(list.find(all[2].number)->file.resource.uri, "c");
  list.add(listing({file_from(6s, "d")}));
  const auto later = list.between(6s, 8s, 9);
  for (const SideList::Entry& entry : all) EXPECT_NE(later.front().number, entry.number);
}

TEST(SideList, EachFileHasTheStretchThatItWasListedWith) {
  SideList list;
  list.add(listing({file_from(0s, "a")}, 1s));
  list.add(listing({file_from(0s, "a"), file_from(2s, "b")}, 1s));
  list.add(listing({file_from(4s, "c")}, 7s));
  const auto all = list.between(0s, 10s, 9);
  EXPECT_EQ(all[0].stretch, all[1].stretch);
  EXPECT_EQ(all[1].stretch->shift, 1s);
  EXPECT_EQ(all[2].stretch->shift, 7s);
}

}  // namespace
}  // namespace tributary
