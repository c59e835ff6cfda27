#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "oracle/oracle.hh"
#include "support/tables.hh"
#include "units/split_mix.hh"

namespace tributary {
namespace {

using namespace std::chrono_literals;

/// A few segments over one to three links that change and fail: small enough to try every sequence of qualities.
struct Instance {
  Instance(std::uint64_t seed, bool is_live) : random{seed}, options{random_options(is_live)} {}

  OracleOptions random_options(bool is_live) {
    const std::uint32_t buffer = 1 + random.below(4);
    return {is_live ? 1 + random.below(buffer) : 0, buffer, std::chrono::milliseconds{500 + random.below(6000)}};
  }

  std::vector<LinkScenario> random_links() {
    std::vector<LinkScenario> result;
    const std::uint32_t count = 1 + random.below(3);
    for (std::uint32_t i = 0; i < count; ++i) result.push_back(random_link(i, count));
    return result;
  }

  LinkScenario random_link(std::uint32_t index, std::uint32_t count) {
    LinkScenario link{.name = "link" + std::to_string(index), .changes = {}, .period = std::nullopt};
    for (TimePoint at; at < TimePoint{30s}; at += std::chrono::milliseconds{300 + random.below(5000)}) {
      LinkCondition condition;
      condition.rate = DataRate::bits_per_second((2e5 + 3e6 * random.uniform()) / count);
      condition.rtt = round_trip;
      condition.up = random.below(5) > 0;
      if (link.changes.empty() || link.changes.back().condition != condition) link.changes.push_back({at, condition});
    }
    link.changes.back().condition.up = true;
    return link;
  }

  /// Segments last 0.5 to 3 s, and sizes vary so much that a lower quality is larger now and then.
  Presentation random_presentation() {
    const std::uint32_t segments = 2 + random.below(5);
    std::vector<testing::QualityRow> rows(2 + random.below(segments > 5 ? 2 : 3));
    for (std::size_t q = 0; q < rows.size(); ++q) {
      rows[q].name = "q" + std::to_string(q);
      for (std::uint32_t j = 0; j < segments; ++j)
        rows[q].sizes.emplace_back(100'000 * (q + 1) + random.below(150'000));
    }
    Presentation presentation = testing::presentation_of(rows);
    for (std::uint32_t j = 0; j < segments; ++j) {
      const std::uint64_t milliseconds = 500 + random.below(2500);
      for (Track& track : presentation.tracks) track.durations[j] = milliseconds;
    }
    return presentation;
  }

  SplitMix random;
  OracleOptions options;
  Duration round_trip = std::chrono::milliseconds{random.below(400)};
  std::vector<LinkScenario> links = random_links();
  SegmentTable table{random_presentation()};
  LinkCapacity capacity{links, TimePoint{1h}};
};

using Choice = std::vector<QualityIndex>;

/// When a segment could be requested at the earliest, and when the segments play.
struct Playout {
  std::vector<TimePoint> requests, plays;
};

Playout play(const Instance& in, const Choice& choice) {
  Playout result;
  TimePoint complete;
  TimePoint due{in.options.startup};
  for (std::size_t j = 0; j < choice.size(); ++j) {
    const auto segment = static_cast<SegmentIndex>(j);
    const std::size_t buffer = in.options.buffer_segments;
    TimePoint request = j < buffer ? TimePoint{} : result.plays[j - buffer];
    if (in.options.at_start > 0) {
      const std::size_t newest = std::min<std::size_t>(in.options.at_start, in.table.segment_count()) - 1;
      const Duration before = in.table.starts_at(static_cast<SegmentIndex>(newest));
      request = std::max(request, TimePoint{in.table.starts_at(segment) - before});
    }
    const TimePoint first_byte = std::max(complete, request + in.round_trip);
    complete =
        in.capacity.delivered_at(in.capacity.delivered_until(first_byte) + in.table.size(segment, choice[j])).value();
    result.requests.push_back(request);
    result.plays.push_back(std::max(due, complete));
    due = result.plays.back() + in.table.duration(segment);
  }
  return result;
}

std::uint64_t levels(const Choice& choice) {
  std::uint64_t sum = 0;
  for (const QualityIndex q : choice) sum += to_index(q);
  return sum;
}

/// The next sequence in the order of numbers with the digits of `choice`. False after the last.
bool advance(Choice& choice, QualityIndex highest) {
  for (QualityIndex& q : choice) {
    if (q < highest) {
      q = next(q);
      return true;
    }
    q = QualityIndex{0};
  }
  return false;
}

/// Tries everything: first the earliest moment at which each segment can play, then the best of the choices that keep to
/// all of these moments.
struct BruteForce {
  explicit BruteForce(const Instance& in) {
    Choice choice(in.table.segment_count());
    do {
      const Playout playout = play(in, choice);
      if (earliest.empty()) earliest = playout.plays;
      for (std::size_t j = 0; j < earliest.size(); ++j) earliest[j] = std::min(earliest[j], playout.plays[j]);
    } while (advance(choice, in.table.highest_quality()));
    do {
      if (play(in, choice).plays == earliest) best = std::max(best, levels(choice));
    } while (advance(choice, in.table.highest_quality()));
  }

  std::vector<TimePoint> earliest;
  std::uint64_t best = 0;
};

Duration stalls(const Instance& in, const std::vector<TimePoint>& plays) {
  const auto last = static_cast<SegmentIndex>(plays.size() - 1);
  return plays.back() - TimePoint{in.options.startup} - in.table.starts_at(last);
}

/// For all i <= j: what segments i to j have must fit between the first byte of i and the moment at which j plays.
void expect_every_interval_to_hold(const Instance& in, const Choice& choice, const Playout& playout) {
  for (std::size_t j = 0; j < choice.size(); ++j) {
    DataSize sum;
    for (std::size_t i = j + 1; i-- > 0;) {
      sum += in.table.size(static_cast<SegmentIndex>(i), choice[i]);
      const TimePoint first_byte = playout.requests[i] + in.round_trip;
      EXPECT_LE(sum, in.capacity.delivered_until(playout.plays[j]) - in.capacity.delivered_until(first_byte))
          << "segments " << i << " to " << j;
    }
  }
}

class OracleRandom : public ::testing::TestWithParam<bool> {};

TEST_P(OracleRandom, IsAsGoodAsTheBestOfAllSequences) {
  int with_misses = 0;
  int between = 0;  // neither all lowest nor all highest
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const Instance in{seed, GetParam()};
    const auto run = best_possible(in.table, in.capacity, in.round_trip, in.options);
    ASSERT_TRUE(run);
    const BruteForce all{in};
    ASSERT_EQ(levels(run->qualities), all.best);
    const Playout playout = play(in, run->qualities);
    EXPECT_EQ(playout.plays, all.earliest);
    EXPECT_EQ(run->miss_total, stalls(in, all.earliest));
    expect_every_interval_to_hold(in, run->qualities, playout);
    if (run->misses > 0) ++with_misses;
    const std::size_t most = in.table.segment_count() * to_index(in.table.highest_quality());
    if (all.best > 0 && all.best < most) ++between;
  }
  // The instances must be worth trying.
  EXPECT_GT(with_misses, 50);
  EXPECT_LT(with_misses, 250);
  EXPECT_GT(between, 150);
}

INSTANTIATE_TEST_SUITE_P(Modes, OracleRandom, ::testing::Bool(),
                         [](const auto& mode) { return mode.param ? "Live" : "OnDemand"; });

}  // namespace
}  // namespace tributary
