// Some of what kill_bench runs: docs/faults.md.
#include "killed_link.hh"
#include "support/sweep.hh"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tributary::testing {
namespace {

using namespace std::chrono_literals;

constexpr TimePoint kFirst{4s};
constexpr Duration kBetween = 1730ms;  // in no step with the segments
constexpr std::array kApproaches{SubsegmentApproach::kBalanced, SubsegmentApproach::kDynamic,
                                 SubsegmentApproach::kStatic};

template <typename Check>
void for_some_kills(Check check) {
  for (const Death death : kDeaths) {
    for (std::uint32_t link = 0; link < 2; ++link) {
      for (int moment = 0; moment < of_sweep(3, 5); ++moment) {
        KilledLink killed;
        killed.link = link;
        killed.at = kFirst + moment * kBetween;
        killed.death = death;
        killed.approach = kApproaches[static_cast<std::size_t>(moment) % kApproaches.size()];
        SCOPED_TRACE(describe(killed));
        check(killed);
      }
    }
  }
}

TEST(KilledLink, PlayoutGoesOnWhereAnybodysWould) {
  for_some_kills([](const KilledLink& killed) {
    const KilledResult result = run(killed);
    EXPECT_THAT(result.run.faults, ::testing::IsEmpty());
    EXPECT_TRUE(result.run.complete) << result.run.ended_because;
    EXPECT_LE(result.stalls, result.unavoidable_stalls) << "for " << to_seconds(result.stalled) << " s";
    const bool is_told = killed.death == Death::kDown || killed.death == Death::kAddressRemoved;
    EXPECT_LE(result.noticed.value_or(0s), is_told ? 100ms : 2500ms);
  });
}

TEST(KilledLink, ALinkThatComesBackCarriesItsShareAgain) {
  for_some_kills([](KilledLink killed) {
    killed.back = killed.at + 5s;
    const KilledResult result = run(killed);
    const bool by_rates =
        killed.approach != SubsegmentApproach::kDynamic;  // there, a round trip counts against an idle link
    EXPECT_LE((by_rates ? result.carries_again : result.carries_as_before).value_or(1h), 3s);
  });
}

/// It is asked for little, by its share, and it was long before it was seen to be as good as before.
TEST(KilledLink, OneThatCrawledDoesSoByItsShareAsWell) {
  for (const Duration after : {865ms, 4325ms, 7785ms}) {
    KilledLink killed{1, kFirst + after, Death::kCrawl, SubsegmentApproach::kDynamic, "fixed:low", kFirst + after + 5s};
    const KilledResult result = run(killed);
    EXPECT_LE(result.carries_again.value_or(1h), 3s) << describe(killed);
  }
}

}  // namespace
}  // namespace tributary::testing
