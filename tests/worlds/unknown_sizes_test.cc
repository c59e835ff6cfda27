#include <gtest/gtest.h>

#include <random>

#include "core/run.hh"
#include "presentation/segments/size_estimates.hh"
#include "report/session_record.hh"
#include "report/summary.hh"
#include "support/session_audit.hh"
#include "support/sweep.hh"
#include "support/tables.hh"
#include "worlds/simulated_world.hh"

namespace tributary {
namespace {

using namespace std::chrono_literals;

/// A ladder of four qualities, whose scenes differ in size by a factor of up to six.
Presentation film(std::uint32_t seed, int segments) {
  std::mt19937 random{seed};
  const auto between = [&](double from, double to) {
    return from + (to - from) * static_cast<double>(random()) / 0xffffffff;
  };
  std::vector<testing::QualityRow> rows{{"low", {}}, {"medium", {}}, {"high", {}}, {"super", {}}};
  for (int i = 0; i < segments; ++i) {
    const double scene = between(.3, 1.8);
    double bytes = 90'000;
    for (testing::QualityRow& row : rows) {
      row.sizes.emplace_back(static_cast<std::int64_t>(bytes * scene * between(.9, 1.1)));
      bytes *= 2;
    }
  }
  return testing::presentation_of(rows);
}

struct Streamed {
  Summary summary;
  double last_at = 0;  // s; when the last segment was there
};

Streamed stream(const Presentation& told, const Presentation& there, const SessionOptions& options,
                const std::string& links, std::uint64_t seed) {
  const SegmentTable origin{there};
  Session session{SegmentTable{told}, options};
  SimulatedWorld world{session.table(), parse_scenario(links), seed, 0, &origin};
  SessionRecord record{session.table()};
  SessionObserver* const observers[] = {&record};
  run(session, world, observers);
  for (const auto& [segment, timing] : record.segments())
    EXPECT_FALSE(session.table().parts(segment, timing.quality).back().resource.estimated) << to_index(segment);
  return {summarise(record, options), to_seconds(record.now().time_since_epoch())};
}

constexpr const char* kLinks[] = {"wifi 6Mbps 20ms; lte 3Mbps 60ms",
                                  "wifi 4Mbps 20ms, down 9s..14s; lte 2Mbps 120ms, loss 1%", "wifi 3Mbps 10ms",
                                  "a 8Mbps 10ms; b 4Mbps 60ms; c 1Mbps 200ms"};

TEST(UnknownSizes, EverySegmentComesWholeAndSizesAreLearnt) {
  for (const char* links : kLinks) {
    for (const auto approach :
         {SubsegmentApproach::kBalanced, SubsegmentApproach::kStatic, SubsegmentApproach::kDynamic}) {
      SessionOptions options;
      options.subsegments = approach;
      options.buffer_segments = 4;
      const Presentation there = film(3, 30);
      const Streamed outcome = stream(without_sizes(there), there, options, links, 1);
      EXPECT_EQ(outcome.summary.played, 30) << links;
    }
  }
}

/// Estimates may be wrong by any factor.
TEST(UnknownSizes, WrongEstimatesCostTimeAndNothingElse) {
  for (const double factor : {.02, .3, 3., 40.}) {
    const Presentation there = film(5, 20);
    Presentation told = without_sizes(there);
    for (Track& track : told.tracks)
      for (DataSize& size : track.sizes) size = std::max(scale(size, factor), DataSize{1});
    SessionOptions options;
    options.buffer_segments = 4;
    const Streamed outcome = stream(told, there, options, kLinks[0], 2);
    EXPECT_EQ(outcome.summary.played, 20) << factor;
  }
}

/// Estimates from peaks, and questions for what they do not tell: nearly the level of known sizes.
TEST(UnknownSizes, QualityIsNearlyThatOfKnownSizes) {
  SessionOptions options;
  options.adaptation = "planned";
  SessionOptions without_questions = options;
  without_questions.without = "size-questions";
  double known = 0, unknown = 0, unasked = 0;
  constexpr const char* kScarce = "wifi 1.2Mbps 20ms, at 30s 0.7Mbps, at 60s 1.4Mbps; lte 0.6Mbps 60ms, at 45s 0.9Mbps";
  for (std::uint32_t seed = 1; seed <= static_cast<std::uint32_t>(testing::of_sweep(2, 6)); ++seed) {
    for (const std::uint32_t buffer : {2, 6}) {
      options.buffer_segments = without_questions.buffer_segments = buffer;
      const Presentation there = film(seed, 60);
      Presentation told = there;
      for (Track& track : told.tracks) track.bitrate.average = 1.6 * track.bitrate.average;
      told = without_sizes(told);
      known += stream(there, there, options, kScarce, seed).summary.mean_level;
      unknown += stream(told, there, options, kScarce, seed).summary.mean_level;
      unasked += stream(told, there, without_questions, kScarce, seed).summary.mean_level;
    }
  }
  EXPECT_GE(unknown / known, .985) << known << ", " << unknown << ", without questions " << unasked;
  EXPECT_LT(unasked, unknown);
}

/// The bar of a download: one quality, all segments, as fast as both links can.
TEST(UnknownSizes, TheLinksStayFull) {
  SessionOptions options;
  options.adaptation = "fixed:super";
  options.mode = StreamingMode::kDownload;
  options.buffer_segments = 6;
  const Presentation there = film(7, 40);
  double known = 0, unknown = 0;
  for (const std::uint64_t seed : {1, 2, 3}) {
    known += stream(there, there, options, kLinks[0], seed).last_at;
    unknown += stream(without_sizes(there), there, options, kLinks[0], seed).last_at;
  }
  EXPECT_GE(known / unknown, .97);
}

}  // namespace
}  // namespace tributary
