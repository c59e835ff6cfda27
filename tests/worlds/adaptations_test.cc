#include <gtest/gtest.h>

#include "support/simulated_run.hh"
#include "support/tables.hh"
#include "trace/replay.hh"

namespace tributary {
namespace {

using namespace literals;
using testing::SimulatedRun;

// 750, 1300, 2150 and 3000 kbit/s in segments of two seconds.
SegmentTable movie(std::size_t segments) {
  return testing::constant_table(segments, {187500_B, 325_kB, 537500_B, 750_kB});
}

class EveryAdaptation : public ::testing::TestWithParam<const char*> {
 protected:
  SimulatedRun run(StreamingMode mode, std::uint32_t buffer, const std::string& links) const {
    SessionOptions options;
    options.mode = mode;
    options.buffer_segments = buffer;
    options.adaptation = GetParam();
    return SimulatedRun{movie(60), options, links};
  }
};

TEST_P(EveryAdaptation, StreamsAMovieToItsEndAndUsesLinksThatCarryTheHighestQuality) {
  const SimulatedRun movie = run(StreamingMode::kOnDemand, 10, "a 4Mbps 10ms; b 2Mbps 40ms");
  EXPECT_TRUE(movie.record.complete());
  EXPECT_EQ(movie.summary.played, 60U);
  EXPECT_EQ(movie.summary.misses, 0U);
  EXPECT_GT(movie.summary.shares[3], 0.5);
}

TEST_P(EveryAdaptation, SurvivesALinkThatComesAndGoesWithLittleForTheLowest) {
  const SimulatedRun movie =
      run(StreamingMode::kOnDemand, 6, "a 1.5Mbps 30ms, at 40s 0.3Mbps, at 50s 1.5Mbps; b 2Mbps 60ms, down 30s..60s");
  EXPECT_TRUE(movie.record.complete());
  EXPECT_EQ(movie.summary.played, 60U);
}

TEST_P(EveryAdaptation, StreamsLive) {
  const SimulatedRun movie = run(StreamingMode::kLiveUnbuffered, 1, "a 2.5Mbps 10ms; b 1.5Mbps 40ms");
  EXPECT_TRUE(movie.record.complete());
  EXPECT_EQ(movie.summary.played + movie.summary.skipped, 60U);
}

TEST_P(EveryAdaptation, DecidesTheSameWhenARecordedSessionIsReplayed) {
  const SimulatedRun movie = run(StreamingMode::kOnDemand, 6, "a 2Mbps 30ms, loss 0.5%; b 1Mbps 60ms, down 20s..30s");
  std::istringstream in{movie.trace};
  const SessionTrace trace = SessionTrace::read(in);
  Session session = recorded_session(trace);
  EXPECT_EQ(replay(trace, session), std::nullopt);
}

INSTANTIATE_TEST_SUITE_P(Rules, EveryAdaptation,
                         ::testing::Values("thesis", "throughput", "bola", "bola-finite", "dynamic", "dynamic-finite",
                                           "bba", "robust-mpc", "lol-plus", "l2a-ll", "planned", "fixed:super"));

}  // namespace
}  // namespace tributary
