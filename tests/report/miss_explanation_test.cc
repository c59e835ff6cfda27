#include "report/miss_explanation.hh"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "support/tables.hh"

namespace tributary {
namespace {

using namespace literals;
using namespace std::chrono_literals;
using ::testing::EndsWith;
using ::testing::HasSubstr;

constexpr LinkId kWifi{0};
constexpr LinkId kLte{1};

/// A session written by hand: what was asked for, what came, and when it was played.
class Story {
 public:
  explicit Story(SegmentTable table) : table_{std::move(table)} { options_.buffer_segments = 1; }

  void happens(Duration when, const Event& event) { record_.on_event(event, TimePoint{when}); }
  void decides(Duration when, const Action& action) { record_.on_action(action, TimePoint{when}); }

  void start(Duration when, int segment, int quality) {
    const auto index = static_cast<SegmentIndex>(segment);
    const auto level = static_cast<QualityIndex>(quality);
    decides(when, action::StartSegment{index, level, table_.size(index, level), 0, {}, 0, ""});
  }
  RequestId ask(Duration when, LinkId link, int segment, ByteRange range, std::optional<DataRate> estimate = {}) {
    ++requests_;
    decides(when, action::SendRequest{RequestId{requests_}, link, static_cast<SegmentIndex>(segment), 0, range,
                                      estimate, ""});
    return RequestId{requests_};
  }
  void comes(RequestId id, Duration begin, Duration end, DataSize size) {
    happens(begin, event::ResponseBegan{id});
    happens(end, event::BytesReceived{id, size});
  }
  void comes_whole(RequestId id, Duration begin, Duration end, DataSize size) {
    comes(id, begin, end, size);
    happens(end, event::RequestDone{id});
  }
  void plays(Duration when, int segment, std::optional<Duration> due) {
    decides(when, action::DeliverSegment{static_cast<SegmentIndex>(segment)});
    decides(when,
            action::PlaySegment{static_cast<SegmentIndex>(segment), TimePoint{when},
                                due ? std::optional{TimePoint{*due}} : std::nullopt, due ? when - *due : Duration{}});
  }
  /// A whole segment over wifi, in the lowest quality, played at once.
  void fetch(int segment, DataSize size, Duration begin, Duration end, std::optional<Duration> due) {
    start(begin, segment, 0);
    comes_whole(ask(begin, kWifi, segment, {0_B, size}), begin, end, size);
    plays(std::max(end, due.value_or(end)), segment, due);
  }

  SessionOptions& options() { return options_; }
  std::vector<MissExplanation> explained() const { return explain_misses(record_, options_); }

 private:
  SegmentTable table_;
  SessionOptions options_;
  SessionRecord record_{table_};
  std::uint64_t requests_ = 0;
};

/// Segment 1, 500 kB in high, is due at 4 s. wifi brings 300 kB of it until `wifi_end`, lte the rest until `lte_end`.
class TwoLinks : public ::testing::Test {
 protected:
  void SetUp() override {
    story.happens(0s, event::LinkUp{kWifi, "wifi"});
    story.happens(0s, event::LinkUp{kLte, "lte"});
    story.fetch(0, 250_kB, 0s, 2s, std::nullopt);
    story.start(2s, 1, 1);
    on_wifi = story.ask(2s, kWifi, 1, {0_B, 300_kB}, 2400_kbps);
    on_lte = story.ask(2s, kLte, 1, {300_kB, 500_kB}, 1600_kbps);
  }
  void late(Duration wifi_end, Duration lte_end) {
    story.comes_whole(on_wifi, 2s, wifi_end, 300_kB);
    story.comes_whole(on_lte, 2s, lte_end, 200_kB);
    story.plays(lte_end, 1, 4s);
  }

  Story story{testing::constant_table(2, {250_kB, 500_kB})};
  RequestId on_wifi{}, on_lte{};
};

TEST_F(TwoLinks, TheOtherLinkHadTimeForTheLateRange) {
  late(3s, 4500ms);
  const auto explained = story.explained();
  ASSERT_EQ(explained.size(), 1U);
  EXPECT_EQ(explained[0].segment, SegmentIndex{1});
  EXPECT_EQ(explained[0].miss, 500ms);
  EXPECT_EQ(explained[0].avoided_by, "link");
  // 200 kB are 1.6 Mbit: a second as estimated. wifi is free at 3 s, and needs two thirds of one.
  EXPECT_EQ(explained[0].text,
            "segment 1 (medium) 0.500 s late, due at 4.000 s: bytes 300000-499999 on lte, asked for at 2.000 s, "
            "estimated at 1600 kbit/s and so expected at 3.000 s, came at 4.500 s, at 640 kbit/s; on wifi, at the "
            "2400 kbit/s that it had, they would have been here at 3.667 s, in time by 0.333 s");
}

TEST_F(TwoLinks, ALinkThatWasDownMeanwhileIsNoHelp) {
  story.comes_whole(on_wifi, 2s, 3s, 300_kB);
  story.happens(3500ms, event::LinkDown{kWifi, ""});
  story.comes_whole(on_lte, 2s, 4500ms, 200_kB);
  story.plays(4500ms, 1, 4s);
  const auto explained = story.explained();
  EXPECT_EQ(explained.at(0).avoided_by, "quality");
  EXPECT_THAT(explained.at(0).text, HasSubstr("; wifi was down from 3.500 s on; "));
}

TEST_F(TwoLinks, ALowerQualityWouldHaveBeenInTime) {
  late(3900ms, 4500ms);
  const auto explained = story.explained();
  ASSERT_EQ(explained.size(), 1U);
  EXPECT_EQ(explained[0].avoided_by, "quality");
  // Half of each link's bytes: at 2.95 s on wifi, at 3.25 s on lte.
  EXPECT_THAT(explained[0].text, EndsWith("; in low, 250 kB instead of 500 kB, it would have been here at 3.250 s, "
                                          "in time by 0.750 s"));
}

TEST_F(TwoLinks, BytesThatWereAskedForAgainCountForTheLinkThatOwedThem) {
  story.comes_whole(on_wifi, 2s, 3900ms, 300_kB);
  story.comes(on_lte, 2s, 2200ms, 20_kB);
  story.happens(4s, event::RequestFailed{on_lte, FailureReason::kStalled, ""});
  const RequestId again = story.ask(4s, kWifi, 1, {320_kB, 500_kB}, 1200_kbps);
  story.comes_whole(again, 4s, 5s, 180_kB);
  story.plays(5s, 1, 4s);
  const auto explained = story.explained();
  ASSERT_EQ(explained.size(), 1U);
  EXPECT_THAT(explained[0].text,
              HasSubstr("bytes 300000-499999 on lte, asked for at 2.000 s, estimated at 1600 kbit/s and so "
                        "expected at 3.000 s, failed at 4.000 s (stalled) with 20.0 kB of 200 kB here; bytes "
                        "320000-499999 again on wifi, asked for at 4.000 s, estimated at 1200 kbit/s and so "
                        "expected at 5.200 s, came at 5.000 s, at 1440 kbit/s; "));
  // Half of what lte owed had not come either when the segment was due: the lower quality is no remedy.
  EXPECT_EQ(explained[0].avoided_by, "buffer");
}

TEST(MissExplanation, MoreBufferWhereThereIsNoOtherLinkOrQuality) {
  Story story{testing::constant_table(3, {250_kB})};
  story.happens(0s, event::LinkUp{kWifi, "wifi"});
  story.fetch(0, 250_kB, 0s, 1s, std::nullopt);
  story.fetch(1, 250_kB, 1s, 3500ms, 3s);
  story.fetch(2, 250_kB, 3500ms, 5700ms, 5500ms);
  const auto explained = story.explained();
  ASSERT_EQ(explained.size(), 2U);
  EXPECT_EQ(explained[0].avoided_by, "buffer");
  // Playout begins when segment 1 is here, at 3.5 s; segment 2 comes as before, and is due at 7.5 s.
  EXPECT_THAT(explained[1].text,
              EndsWith("; with 1 more segment of buffer, for which the start-up takes 2.500 s longer, "
                       "it would have been in time by 1.800 s"));
  EXPECT_EQ(worst_miss(explained)->segment, SegmentIndex{1});
}

/// Segments of a second, and a ninth (due at 17 s) that an outage cuts after 50 kB, until `returns`.
std::vector<MissExplanation> after_an_outage(StreamingMode mode, Duration returns) {
  Story story{testing::constant_table(9, {250_kB})};
  story.options().mode = mode;
  story.happens(0s, event::LinkUp{kWifi, "wifi"});
  for (int i = 0; i < 8; ++i) {
    const Duration due = 1s + i * 2s;
    story.fetch(i, 250_kB, i == 0 ? 0s : due - 2s, i == 0 ? 1s : due - 1s, i == 0 ? std::nullopt : std::optional{due});
  }
  story.start(15s, 8, 0);
  const RequestId cut = story.ask(15s, kWifi, 8, {0_B, 250_kB});
  story.comes(cut, 15s, 16s, 50_kB);
  story.happens(16s, event::LinkDown{kWifi, ""});
  story.happens(16s, event::RequestFailed{cut, FailureReason::kLinkDown, ""});
  story.decides(17s, action::Stall{""});
  story.happens(returns - 1s, event::LinkUp{kWifi, "wifi"});
  story.comes_whole(story.ask(returns - 1s, kWifi, 8, {50_kB, 250_kB}), returns - 1s, returns, 200_kB);
  story.plays(returns, 8, 17s);
  return story.explained();
}

TEST(MissExplanation, NothingHelpsAgainstALongOutage) {
  // Six more segments ask for it 6 s earlier, at 9 s: it takes 15 s, and is due at 23 s.
  const auto explained = after_an_outage(StreamingMode::kOnDemand, 30s);
  ASSERT_EQ(explained.size(), 1U);
  EXPECT_EQ(explained[0].avoided_by, "nothing");
  EXPECT_THAT(explained[0].text,
              EndsWith("; wifi was down from 16.000 s to 29.000 s; no choice avoids it, nor 6 more segments of buffer: "
                       "until it was due, the links carried 50.0 kB of the 250 kB that even low needs"));
}

TEST(MissExplanation, OfAShorterOutageTheBufferMakesUp) {
  // Until 29 s it is 14 s: here at 23 s, just in time.
  EXPECT_THAT(after_an_outage(StreamingMode::kOnDemand, 29s).at(0).text, HasSubstr("with 6 more segments of buffer"));
}

TEST(MissExplanation, LiveUnbufferedIsOfferedNoBuffer) {
  const auto explained = after_an_outage(StreamingMode::kLiveUnbuffered, 18s);
  EXPECT_EQ(explained.at(0).avoided_by, "nothing");
  EXPECT_THAT(explained.at(0).text, HasSubstr("no choice avoids it: until"));
}

TEST(MissExplanation, ASkipIsBlamedOnTheMissWithoutWhichItWouldNotHaveBeen) {
  Story story{testing::constant_table(4, {250_kB})};
  story.options().mode = StreamingMode::kLiveUnbuffered;
  story.happens(0s, event::LinkUp{kWifi, "wifi"});
  story.fetch(0, 250_kB, 0s, 1s, std::nullopt);
  story.fetch(1, 250_kB, 1s, 6s, 3s);
  story.decides(6s, action::SkipSegment{SegmentIndex{2}, 4500ms, "4.500 s behind, segment 3 is out"});
  const auto explained = story.explained();
  ASSERT_EQ(explained.size(), 2U);
  EXPECT_TRUE(explained[1].skipped);
  EXPECT_EQ(explained[1].text,
            "segment 2 skipped at 6.000 s: 4.500 s behind, segment 3 is out; this would not have been without the "
            "miss of segment 1");
  EXPECT_EQ(worst_miss(explained)->segment, SegmentIndex{1});
  EXPECT_EQ(worst_miss({explained[1]}), std::nullopt);
}

TEST(MissExplanation, TheTableQuotesItsSentences) {
  std::ostringstream out;
  write_misses_csv(out,
                   {{SegmentIndex{3}, false, 500ms, "link", "so, \"so\""}, {SegmentIndex{4}, true, {}, "", "skip"}});
  EXPECT_EQ(out.str(),
            "segment,skipped,miss_s,avoided_by,explanation\n"
            "3,0,0.500000,link,\"so, \"\"so\"\"\"\n"
            "4,1,0.000000,,\"skip\"\n");
}

}  // namespace
}  // namespace tributary
