// The set-ups of CATS (Agirbas 2018, chapter 4), and random ones: a paid link that the user allows, and that is fast enough
// by itself, never lets playout pause.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>

#include "core/run.hh"
#include "core/subsegments/subsegment_planner.hh"
#include "report/summary.hh"
#include "support/sweep.hh"
#include "support/tables.hh"
#include "worlds/costed_world.hh"
#include "worlds/simulated_world.hh"

namespace tributary {
namespace {

using namespace std::chrono_literals;

constexpr double kPaidRate = 10;  // Mbit/s

SegmentTable chunks(int count, double mbit_s) {
  Presentation film = testing::presentation_of(
      {{"only", std::vector(static_cast<std::size_t>(count), DataSize{static_cast<std::int64_t>(mbit_s * 1e6 / 8)})}});
  Track& track = film.tracks.front();
  track.durations.assign(track.durations.size(), 1000);
  track.bitrate.average = track.bitrate.target = DataRate::bits_per_second(mbit_s * 1e6);
  return SegmentTable{film};
}

template <typename Look>
Summary play(int count, double mbit_s, const std::string& free, std::uint64_t seed, SessionOptions options, Look look) {
  options.adaptation = "fixed:only";
  options.spend_for = "only";
  options.buffer_segments = 10;
  Session session{chunks(count, mbit_s), options};
  SimulatedWorld modelled{session.table(),
                          parse_scenario(fmt::format("{}; paid {}Mbps 40ms, jitter 5ms", free, kPaidRate)), seed, 0};
  CostedWorld world{modelled, session.outstanding(), {.terms = terms_from({{"paid", parse_terms("paid:0.01/MB")}})}};
  SessionRecord record{session.table()};
  SessionObserver* const observers[] = {&record};
  run(session, world, observers);
  look(record);
  return summarise(record, options);
}

Summary play(int count, double mbit_s, const std::string& free, std::uint64_t seed, const SessionOptions& options) {
  return play(count, mbit_s, free, seed, options, [](const SessionRecord& /*record*/) {});
}

class RandomSetup {
 public:
  explicit RandomSetup(std::uint32_t seed) : random_{seed} {
    rate = between(.8, 7);
    const double usual = between(.3, 6), rtt = between(5, 250);
    free = fmt::format("free {:.3f}Mbps {:.0f}ms, jitter {:.0f}ms", usual, rtt, between(0, 10));
    if (seed % 3 == 1) free += fmt::format(", loss {:.2f}%", between(0, 1));
    double at = between(1, 12);
    for (int drops = 0; drops < 3; ++drops) {
      const double until = at + between(1, 20);
      free += seed % 4 == 3 ? fmt::format(", down {:.1f}s..{:.1f}s", at, until)
                            : fmt::format(", at {:.1f}s {:.3f}Mbps, at {:.1f}s {:.3f}Mbps", at, usual * between(0, .5),
                                          until, usual);
      at = until + between(3, 20);
    }
  }

  double rate;
  std::string free;

 private:
  double between(double from, double to) {
    return from + (to - from) * static_cast<double>(random_()) / static_cast<double>(std::mt19937::max());
  }

  std::mt19937 random_;
};

TEST(PaidLink, PlayoutNeverPausesOverRandomLinks) {
  for (int seed = 1; seed <= testing::of_sweep(10, 100); ++seed) {
    const RandomSetup setup{static_cast<std::uint32_t>(seed)};
    const Summary summary = play(60, setup.rate, setup.free, static_cast<std::uint64_t>(seed), {});
    EXPECT_EQ(summary.misses, 0U) << fmt::format("{:.3f} Mbit/s, {}, seed {}: {:.3f} s", setup.rate, setup.free, seed,
                                                 to_seconds(summary.miss_total));
    EXPECT_EQ(summary.played, 60U);
  }
}

constexpr const char* kDropsEarly = "free 5Mbps 20ms, jitter 5ms, at 4s 0.1Mbps, at 34s 5Mbps";

/// The free link fails when a share of the bytes that have come is next to nothing.
TEST(PaidLink, NoBudgetOfDuplicatesLetsPlayoutPause) {
  SessionOptions options;
  options.duplicates_percent = 1;
  EXPECT_EQ(play(60, 4, kDropsEarly, 1, options).misses, 0U);
  options.without = "take-over,rescue";
  EXPECT_GT(play(60, 4, kDropsEarly, 1, options).misses, 0U);
}

/// No link would be asked for a rest of some bytes, until playout waits for them.
TEST(PaidLink, LeavesNothingOverThatIsNotWorthARequest) {
  int asked = 0;
  for (const double rate : {3.5, 4., 4.5, 5., 6.}) {
    for (const char* free : {"free 3Mbps 20ms, jitter 5ms", "free 2.3Mbps 30ms, at 10s 1.7Mbps, at 20s 2.9Mbps"}) {
      play(60, rate, free, 1, {}, [&](const SessionRecord& record) {
        for (const RequestRecord& request : record.requests()) {
          if (request.takes_over || !record.links().at(request.link).cost.spared()) continue;
          const DataSize rest = record.segments().at(request.segment).size - request.range.end;
          EXPECT_TRUE(rest == DataSize{} || rest >= kLeastRequest)
              << rest.bytes() << " of " << rate << " over " << free;
          ++asked;
        }
      });
    }
  }
  EXPECT_GT(asked, 100);
}

/// Equation 10: with four chunks in hand, less is left to the free link.
TEST(PaidLink, ThePapersSlackCostsMore) {
  const auto paid = [](std::uint32_t slack) {
    SessionOptions options;
    options.slack_segments = slack;
    const Summary summary = play(60, 4, "free 3Mbps 20ms, jitter 5ms", 1, options);
    EXPECT_EQ(summary.misses, 0U);
    return summary.bill->spared_bytes;
  };
  EXPECT_GT(paid(4), paid(0));
}

/// Equation 14 counts each chunk once, and the use of the free link only bytes that were of use.
TEST(PaidLink, BytesThatComeTwiceAreNotOfTheLeast) {
  const Summary summary = play(60, 4, kDropsEarly, 1, {});
  ASSERT_GT(summary.wasted, DataSize{});
  const DataSize film = DataSize{60 * 500'000};
  EXPECT_LE(summary.bill->free_bytes_used + summary.bill->spared_bytes, film + summary.wasted);
  EXPECT_GE(summary.bill->free_bytes_used + summary.bill->spared_bytes, film);
  EXPECT_LT(summary.bill->least_spared_bytes, film);
}

}  // namespace
}  // namespace tributary
