#include "download/files/download_state.hh"

#include <gtest/gtest.h>

#include <limits>

#include "presentation/json/json_error.hh"
#include "units/split_mix.hh"

namespace tributary {
namespace {

using namespace literals;

const DownloadState kState{
    "http://host/object", 1000_B, "\"a\"", "Mon, 01 Jan 2024 00:00:00 GMT", {{0_B, 100_B}, {200_B, 1000_B}}};

const std::string kAsked = "http://asked/object";  // led to there

transport::ObjectHead head() { return {kState.url, kState.size, true, kState.etag, kState.last_modified, ""}; }

TEST(DownloadState, ReadsBack) { EXPECT_EQ(state_from_json(to_json(kState)), kState); }

TEST(DownloadState, WhateverAnOriginSaysOfAnObjectReadsBack) {
  constexpr std::uint64_t kSeed = 14;
  SCOPED_TRACE(kSeed);
  SplitMix random{kSeed};
  const auto any_text = [&] {
    std::string text(random.below(20), ' ');
    const bool any_byte = random.below(2) == 0;
    for (char& c : text) c = static_cast<char>(any_byte ? random.below(256) : ' ' + random.below(95));
    return random.below(4) == 0 ? text + "\xc3\xa9" : text;
  };
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max() / 2;  // no file is larger
  for (int i = 0; i < 3000; ++i) {
    DownloadState state{any_text(), DataSize{0}, any_text(), any_text(), {}};
    state.size =
        DataSize{random.below(10) == 0 ? kMost : static_cast<std::int64_t>(random.next() >> (2 + random.below(62)))};
    for (std::uint32_t ranges = random.below(5); ranges > 0; --ranges) {
      const DataSize a{static_cast<std::int64_t>(random.uniform() * static_cast<double>(state.size.bytes() / 2))};
      const DataSize b{random.below(3) == 0 ? state.size.bytes() : a.bytes() + random.below(1000)};
      if (a < b && b <= state.size) state.complete.add({a, b});
    }
    const std::string text = to_json(state);
    ASSERT_EQ(state_from_json(text), state) << i << ": " << text;
  }
}

TEST(DownloadState, DigitsThatAreNoBytesAreRefused) {
  DownloadState state = kState;
  state.etag = "\"caf\xe9\"";
  const std::string text = to_json(state), bytes = "22636166e922";
  ASSERT_NE(text.find(bytes), std::string::npos) << text;
  for (const char* wrong : {"2", "226", "2x", "-1", "22 63"}) {
    std::string changed = text;
    EXPECT_THROW(state_from_json(changed.replace(changed.find(bytes), bytes.size(), wrong)), JsonError) << wrong;
  }
}

TEST(DownloadState, WhatIsSecretInItsAddressIsNotSaid) {
  DownloadState state = kState;
  state.url = "http://user:secret@host/object?t=secret";
  state.etag = "";
  EXPECT_EQ(why_not_continued(state, head(), kAsked).value_or("").find("secret"), std::string::npos);
}

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
  EXPECT_EQ(why_not_continued(kState, now, kAsked), std::nullopt);
  now.url = "http://mirror/object";
  now.last_modified = "";
  EXPECT_EQ(why_not_continued(kState, now, kAsked), std::nullopt);
  now.etag = "\"b\"";
  EXPECT_TRUE(why_not_continued(kState, now, kAsked));
}

TEST(DownloadState, AnotherTagIsOfAnotherServerIfSizeAndTimeAreTheSame) {
  for (const char* etag : {"\"b\"", "W/\"b\""}) {
    transport::ObjectHead now = head();
    now.etag = etag;
    EXPECT_EQ(why_not_continued(kState, now, kAsked), std::nullopt);
    EXPECT_TRUE(has_another_tag(kState, now));
    now.url = "http://mirror/object";
    EXPECT_TRUE(why_not_continued(kState, now, kAsked));
    EXPECT_EQ(why_not_continued(kState, now, kState.url), std::nullopt) << "the same address led to a mirror";
    now.last_modified = "Tue, 02 Jan 2024 00:00:00 GMT";
    EXPECT_TRUE(why_not_continued(kState, now, kState.url));
    now.last_modified = "";
    EXPECT_TRUE(why_not_continued(kState, now, kState.url));
  }
}

TEST(DownloadState, AnotherSizeIsAnotherObject) {
  transport::ObjectHead now = head();
  now.size = 1001_B;
  EXPECT_TRUE(why_not_continued(kState, now, kAsked));
  now.size.reset();
  EXPECT_TRUE(why_not_continued(kState, now, kAsked));
}

TEST(DownloadState, WithoutAStrongEtagTimeAndUrlMustBeTheSame) {
  for (const char* etag : {"", "W/\"a\""}) {
    DownloadState state = kState;
    state.etag = etag;
    transport::ObjectHead now = head();
    EXPECT_EQ(why_not_continued(state, now, kAsked), std::nullopt);
    now.url = "http://mirror/object";
    EXPECT_TRUE(why_not_continued(state, now, kAsked));
    now = head();
    now.last_modified = "Tue, 02 Jan 2024 00:00:00 GMT";
    EXPECT_TRUE(why_not_continued(state, now, kAsked));
    now.last_modified = "";
    EXPECT_TRUE(why_not_continued(state, now, kAsked)) << "nothing tells it from another";
  }
}

}  // namespace
}  // namespace tributary
