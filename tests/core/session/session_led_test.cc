#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "core/session.hh"
#include "support/session_driver.hh"
#include "support/tables.hh"

namespace tributary {
namespace {

using namespace literals;
using namespace std::chrono_literals;
using testing::segment;
using testing::SessionDriver;

constexpr Duration kStep = 50ms;
constexpr Duration kLength = 2s;
const std::vector<DataSize> kSizes{125_kB, 250_kB, 500_kB, 1000_kB};  // 0.5, 1, 2 and 4 Mbit/s

SegmentTable led_files() {
  std::vector<testing::QualityRow> rows;
  for (std::size_t q = 0; q < kSizes.size(); ++q) rows.push_back({std::to_string(q), {kSizes[q]}});
  Presentation files = testing::presentation_of(rows);
  files.live = LiveWindow{};
  files.complete = false;
  return SegmentTable{files};
}

std::vector<TrackSegment> led_row() {
  std::vector<TrackSegment> row;
  for (const DataSize size : kSizes) row.push_back({.size = size, .ticks = 2000});
  return row;
}

SessionOptions led_options() {
  SessionOptions options;
  options.mode = StreamingMode::kDemanded;
  options.adaptation = "planned";
  options.start = StartRule::kFast;
  options.stays_open = true;
  return options;
}

/// A player of somebody else, which holds `most` at most and takes what it is given, over two links of these rates.
struct LedPlayer : SessionDriver {
  explicit LedPlayer(Duration most = 8s) : SessionDriver{led_files(), led_options()}, most_in_hand{most} {
    link_up(0, "wifi");
    link_up(1, "lte");
  }

  void play(Duration duration, DataRate wifi, DataRate lte) {
    for (Duration played{}; played < duration; played += kStep) {
      if (delivered() == asked && in_hand <= most_in_hand - kLength) ask();
      const std::size_t before = delivered();
      carry(LinkId{0}, wifi);
      carry(LinkId{1}, lte);
      wait(kStep);
      for (std::size_t i = before; i < delivered(); ++i) in_hand += kLength;
      if (delivered() > 0 && in_hand < kStep) stalled += kStep;
      in_hand = std::max(in_hand - kStep, Duration{});
    }
  }
  void ask() {
    const SegmentIndex next = segment(static_cast<int>(asked));
    if (asked > 0) happens(event::SegmentAdded{next, led_row()});
    happens(event::SegmentWanted{next, now() + std::max(in_hand, kLength), in_hand});
    ++asked;
  }
  std::size_t delivered() const { return all<action::DeliverSegment>().size(); }

  void carry(LinkId link, DataRate rate) {
    DataSize left = rate * kStep;
    while (left > DataSize{}) {
      const auto id = std::ranges::find(unanswered(), link, [&](RequestId each) { return request(each).link; });
      if (id == unanswered().end()) return;
      DataSize& came = came_[*id];
      const DataSize size = request(*id).range.size();
      if (came == DataSize{}) happens(event::ResponseBegan{*id});
      const DataSize now_comes = std::min(left, size - came);
      came += now_comes;
      left -= now_comes;
      happens(event::BytesReceived{*id, now_comes});
      if (came == size) end(*id);
    }
  }
  /// Of the segments from `first` on.
  std::vector<int> qualities(std::size_t first = 0) const {
    std::vector<int> result;
    for (const auto& started : all<action::StartSegment>()) {
      if (to_index(started.segment) >= first) result.push_back(static_cast<int>(to_index(started.quality)));
    }
    return result;
  }

  Duration in_hand{}, stalled{}, most_in_hand;
  std::size_t asked = 0;

 private:
  std::map<RequestId, DataSize> came_;
};

double mean(const std::vector<int>& qualities) {
  double sum = 0;
  for (const int quality : qualities) sum += quality;
  return sum / static_cast<double>(qualities.size());
}

TEST(LedSession, TheFirstSegmentIsTheLowestAndThenAllLinksCountTogether) {
  LedPlayer player;
  player.play(60s, 1.5_Mbps, 1_Mbps);
  ASSERT_FALSE(player.qualities().empty());
  EXPECT_EQ(player.qualities().front(), 0);
  // 2 Mbit/s fit into 2.5 Mbit/s, and into neither link alone.
  EXPECT_GE(mean(player.qualities(8)), 1.8);
  EXPECT_EQ(player.stalled, 0s);
}

TEST(LedSession, TheFirstSegmentIsWhatIsRememberedAlsoBesideItsSound) {
  SessionDriver session{led_files(), led_options()};
  session.happens(event::LinkUp{LinkId{0}, "wifi", LinkUse::kUse, 20_Mbps, 20ms});
  session.happens(event::SegmentWanted{segment(0), session.now()});  // the sound
  session.happens(event::SegmentAdded{segment(1), led_row()});
  session.happens(event::SegmentWanted{segment(1), session.now(), Duration{}});
  // 500 kB take 0.4 s at half of what is remembered; up to a quarter of the duration is allowed.
  EXPECT_EQ(session.all<action::StartSegment>().back().quality, QualityIndex{2});
}

TEST(LedSession, TheQualityFollowsTheLinksDownAndUp) {
  LedPlayer player;
  player.play(40s, 3_Mbps, 2_Mbps);
  const std::size_t before = player.asked;
  EXPECT_GE(mean(player.qualities(6)), 2.5);
  player.play(40s, 0.5_Mbps, 0.3_Mbps);
  const std::size_t low = player.asked;
  EXPECT_LE(mean(player.qualities(before + 2)), 0.5);
  player.play(40s, 3_Mbps, 2_Mbps);
  EXPECT_GE(mean(player.qualities(low + 4)), 2.5);
}

TEST(LedSession, APlayerThatHoldsLittleGetsLess) {
  LedPlayer little{4s}, much{20s};
  little.play(60s, 1.5_Mbps, 0.9_Mbps);
  much.play(60s, 1.5_Mbps, 0.9_Mbps);
  EXPECT_LE(mean(little.qualities(8)), mean(much.qualities(8)));
  EXPECT_EQ(little.stalled, 0s);
  EXPECT_EQ(much.stalled, 0s);
}

TEST(LedSession, WithoutAWordOfThePlayersBufferNothingIsChosen) {
  LedPlayer player;
  player.play(20s, 3_Mbps, 2_Mbps);
  const SegmentIndex next = segment(static_cast<int>(player.asked));
  std::vector<TrackSegment> row(kSizes.size(), TrackSegment{.size = 30_kB, .ticks = 2000});
  player.happens(event::SegmentAdded{next, row});
  player.happens(event::SegmentWanted{next, player.now() + 1s});
  EXPECT_EQ(player.all<action::StartSegment>().back().quality, QualityIndex{0});
  EXPECT_EQ(player.all<action::StartSegment>().back().reason, "a player wants it");
}

TEST(LedSession, WhatIsFetchedAheadOfSomethingElseDoesNotLowerTheNext) {
  LedPlayer player{20s};
  player.play(40s, 1.5_Mbps, 1_Mbps);
  // A large file that nobody waits for is on its way.
  const SegmentIndex large = segment(static_cast<int>(player.asked++));
  player.happens(event::SegmentAdded{large, std::vector(kSizes.size(), TrackSegment{.size = 20000_kB, .ticks = 2000})});
  player.happens(event::SegmentWanted{large, std::nullopt});
  player.ask();
  EXPECT_GE(player.qualities().back(), 1);
}

}  // namespace
}  // namespace tributary
