#include "gst/source/feed_ahead.hh"

#include <gmock/gmock.h>

#include <vector>

namespace tributary {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;

/// A feed whose news the test tells.
struct ToldFeed final : MediaFeed {
  struct Seen {
    std::vector<std::string> opened;
    std::vector<Duration> sought;
    StreamListener* listener = nullptr;  // null: the feed has ended
  };

  ToldFeed(Seen& seen, StreamListener& listener) : seen_{seen} { seen_.listener = &listener; }
  ~ToldFeed() override { seen_.listener = nullptr; }

  std::uint32_t seek(Duration position) override {
    seen_.sought.push_back(position);
    return static_cast<std::uint32_t>(seen_.sought.size());
  }
  std::uint32_t choose_sound(std::size_t /*track*/, Duration position) override { return seek(position); }
  void choose_quality(const QualityWish& /*wish*/) override {}
  void use_link(const std::string& /*name*/, LinkUse /*use*/) override {}
  void report(const PlayoutReport& /*report*/) override {}
  StreamStatus status() const override { return {}; }

 private:
  Seen& seen_;
};

OpenFeed opens(ToldFeed::Seen& seen) {
  return [&seen](const std::string& url, const Stream::Options& /*options*/, StreamListener& listener) {
    seen.opened.push_back(url);
    return std::make_unique<ToldFeed>(seen, listener);
  };
}

struct News final : StreamListener {
  std::vector<std::string> heard;

  void opened(const StreamInfo& /*info*/) override { heard.push_back("opened"); }
  void segment(MediaSegment segment) override { heard.push_back("segment " + std::to_string(to_index(segment.index))); }
  void skipped(const SkippedSegment& /*skipped*/) override { heard.push_back("skipped"); }
  void may_play(std::uint32_t /*generation*/) override { heard.push_back("may play"); }
  void ended(std::uint32_t /*generation*/) override { heard.push_back("ended"); }
  void failed(const StreamFailure& /*failure*/) override { heard.push_back("failed"); }
};

MediaSegment segment(int number) {
  MediaSegment segment;
  segment.index = static_cast<SegmentIndex>(number);
  return segment;
}

constexpr auto kFilm = "http://origin/film/index.json", kOther = "http://origin/other/index.json";

TEST(FeedAhead, WhatCameBeforeThereWasAPlayerIsToldToIt) {
  ToldFeed::Seen seen;
  FeedAhead ahead{{.url = kFilm}, {}, opens(seen)};
  ASSERT_THAT(seen.opened, ElementsAre(kFilm));
  seen.listener->opened({});
  seen.listener->segment(segment(0));
  seen.listener->may_play(0);
  News news;
  const auto feed = ahead.open(kFilm, {}, news);
  EXPECT_THAT(news.heard, ElementsAre("opened", "segment 0", "may play"));
  seen.listener->segment(segment(1));
  EXPECT_EQ(news.heard.back(), "segment 1");
  EXPECT_EQ(news.heard.size(), 4U);
  EXPECT_THAT(seen.opened, ElementsAre(kFilm)) << "there is one feed";
}

TEST(FeedAhead, TheFirstSeekToThePlaceWhereItBeganIsDoneAlready) {
  ToldFeed::Seen seen;
  FeedAhead ahead{{.url = kFilm, .start = 40s}, {}, opens(seen)};
  EXPECT_THAT(seen.sought, ElementsAre(40s));
  News news;
  const auto feed = ahead.open(kFilm, {}, news);
  EXPECT_EQ(feed->seek(40s), 1U);
  EXPECT_THAT(seen.sought, ElementsAre(40s));
  EXPECT_EQ(feed->seek(40s), 2U) << "the user goes back there";
}

TEST(FeedAhead, APlayerThatBeginsElsewhereSeeks) {
  ToldFeed::Seen seen;
  FeedAhead ahead{{.url = kFilm, .start = 40s}, {}, opens(seen)};
  News news;
  const auto feed = ahead.open(kFilm, {}, news);
  EXPECT_EQ(feed->seek(50s), 2U);
  EXPECT_EQ(feed->seek(40s), 3U);
}

TEST(FeedAhead, AnotherTitleEndsIt) {
  ToldFeed::Seen seen;
  FeedAhead ahead{{.url = kFilm}, {}, opens(seen)};
  seen.listener->opened({});
  News news;
  {
    const auto feed = ahead.open(kOther, {}, news);
    EXPECT_TRUE(news.heard.empty());
    EXPECT_THAT(seen.opened, ElementsAre(kFilm, kOther));
  }
  const auto again = ahead.open(kFilm, {}, news);
  EXPECT_EQ(seen.opened.size(), 3U) << "opened for the second time, it begins anew";
}

}  // namespace
}  // namespace tributary
