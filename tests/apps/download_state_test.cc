#include "apps/get/download_state.hh"

#include <gtest/gtest.h>

#include "presentation/json_node.hh"

namespace tributary {
namespace {

using namespace literals;

const DownloadState kState{
    "http://host/object", 1000_B, "\"a\"", "Mon, 01 Jan 2024 00:00:00 GMT", {{0_B, 100_B}, {200_B, 1000_B}}};

transport::ObjectHead head() { return {kState.url, kState.size, true, kState.etag, kState.last_modified, ""}; }

TEST(DownloadState, ReadsBack) { EXPECT_EQ(state_from_json(to_json(kState)), kState); }

TEST(DownloadState, NamesThePlaceOfWhatIsWrong) {
  for (const auto& [right, wrong, place] : {std::tuple{"[0,100]", "[0,100000]", "complete[0][1]"},
                                            {"[200,", "[50,", "complete[1][0]"},
                                            {"\"size\":1000", "\"size\":-1", "size"},
                                            {"tributary-get", "other", "format"},
                                            {"\"version\":1", "\"version\":2", "version"},
                                            {"\"etag\"", "\"tag\"", "etag"},
                                            {"[0,100]", "[0]", "complete[0]"}}) {
    std::string text = to_json(kState);
    const auto at = text.find(right);
    ASSERT_NE(at, std::string::npos) << right;
    try {
      state_from_json(text.replace(at, std::string{right}.size(), wrong));
      ADD_FAILURE() << wrong;
    } catch (const JsonError& error) {
      EXPECT_NE(std::string{error.what()}.find(place), std::string::npos) << error.what();
    }
  }
}

TEST(DownloadState, ATruncatedOneIsRefused) {
  const std::string text = to_json(kState);
  for (std::size_t length = 0; length + 2 < text.size(); ++length) {
    EXPECT_THROW(state_from_json(text.substr(0, length)), JsonError) << length;
  }
}

TEST(DownloadState, AStrongEtagDecides) {
  transport::ObjectHead now = head();
  EXPECT_EQ(why_not_continued(kState, now), std::nullopt);
  now.url = "http://mirror/object";
  now.last_modified = "";
  EXPECT_EQ(why_not_continued(kState, now), std::nullopt);
  now.etag = "\"b\"";
  EXPECT_TRUE(why_not_continued(kState, now));
}

TEST(DownloadState, AnotherSizeIsAnotherObject) {
  transport::ObjectHead now = head();
  now.size = 1001_B;
  EXPECT_TRUE(why_not_continued(kState, now));
  now.size.reset();
  EXPECT_TRUE(why_not_continued(kState, now));
}

TEST(DownloadState, WithoutAStrongEtagTimeAndUrlMustBeTheSame) {
  for (const char* etag : {"", "W/\"a\""}) {
    DownloadState state = kState;
    state.etag = etag;
    transport::ObjectHead now = head();
    EXPECT_EQ(why_not_continued(state, now), std::nullopt);
    now.url = "http://mirror/object";
    EXPECT_TRUE(why_not_continued(state, now));
    now = head();
    now.last_modified = "Tue, 02 Jan 2024 00:00:00 GMT";
    EXPECT_TRUE(why_not_continued(state, now));
    now.last_modified = "";
    EXPECT_TRUE(why_not_continued(state, now)) << "nothing tells it from another";
  }
}

}  // namespace
}  // namespace tributary
