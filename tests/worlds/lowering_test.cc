#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <set>

#include "support/simulated_run.hh"
#include "support/sweep.hh"
#include "support/tables.hh"

namespace tributary {
namespace {

using namespace literals;
using testing::SimulatedRun;

/// 750 to 3000 kbit/s in segments of two seconds; each quality has something of its own to be decoded with.
SegmentTable film_with_init() {
  std::vector<testing::QualityRow> rows{{"low", {}}, {"medium", {}}, {"high", {}}, {"super", {}}};
  const std::array sizes{187500_B, 325_kB, 537500_B, 750_kB};
  for (int segment = 0; segment < 40; ++segment) {
    for (std::size_t q = 0; q < rows.size(); ++q)
      rows[q].sizes.push_back(scale(sizes[q], 0.8 + 0.04 * (7 * segment % 11)));
  }
  Presentation presentation = testing::presentation_of(rows);
  for (Track& track : presentation.tracks) track.init = Resource{track.id + "/init.mp4", {0_B, 700_B}, true};
  return SegmentTable{presentation};
}

/// The faster link dies at one of ten moments, with a word or without.
std::string fast_link_dies(int moment, bool silently) {
  const double at = 24 + 1.7 * moment;
  return silently ? fmt::format("a 3Mbps 20ms, at {:.1f}s 1kbps; b 1.2Mbps 50ms", at)
                  : fmt::format("a 3Mbps 20ms, down {:.1f}s..200s; b 1.2Mbps 50ms", at);
}

SimulatedRun run_with(int moment, bool silently, const std::string& without,
                      const std::string& adaptation = "planned") {
  SessionOptions options;
  options.buffer_segments = 2;
  options.adaptation = adaptation;
  options.without = without;
  return SimulatedRun{film_with_init(), options, fast_link_dies(moment, silently)};
}

TEST(Lowering, MostOfWhatADeadLinkWouldHaveCostIsNotLost) {
  for (const bool silently : {false, true}) {
    SCOPED_TRACE(silently ? "silently" : "down");
    Duration with{}, without{};
    std::uint64_t lowered = 0;
    for (int moment = 0; moment < 6; ++moment) {
      const SimulatedRun run = run_with(moment, silently, "");
      with += run.summary.miss_total;
      without += run_with(moment, silently, "lowering").summary.miss_total;
      lowered += run.summary.lowered;
    }
    EXPECT_GT(without, std::chrono::seconds{1});  // or it would show nothing
    EXPECT_LT(2 * with, without);
    EXPECT_GT(lowered, 0U);
  }
}

TEST(Lowering, WhatIsDecodedWithComesBeforeWhatNeedsIt) {
  std::uint64_t lowered = 0;
  for (int moment = 0; moment < testing::of_sweep(6, 12); ++moment) {
    const SimulatedRun run = run_with(moment / 2, moment % 2 == 0, "");
    ASSERT_TRUE(run.record.complete());
    lowered += run.summary.lowered;
    std::set<QualityIndex> can_be_decoded;
    for (const auto& [index, segment] : run.record.segments()) {
      if (segment.init_parts > 0) can_be_decoded.insert(segment.quality);
      EXPECT_TRUE(can_be_decoded.contains(segment.quality)) << "moment " << moment << ", segment " << to_index(index);
    }
  }
  EXPECT_GT(lowered, 0U);
}

TEST(Lowering, WhatWasForNothingIsCounted) {
  const SimulatedRun run = run_with(3, true, "");
  ASSERT_GT(run.summary.lowered, 0U);
  DataSize carried, wanted;
  for (const auto& [id, link] : run.record.links()) carried += link.received;
  for (const auto& [index, segment] : run.record.segments()) {
    wanted += segment.size;
    if (segment.lowered_from) {
      EXPECT_GT(*segment.lowered_from, segment.quality);
    }
  }
  EXPECT_EQ(run.summary.bytes, carried);
  EXPECT_GT(run.summary.wasted, DataSize{});
  EXPECT_EQ(run.summary.bytes - run.summary.wasted, wanted);
}

TEST(Lowering, IsForOurOwnRuleOnly) {
  for (const char* adaptation : {"thesis", "robust-mpc", "fixed:super"})
    EXPECT_EQ(run_with(3, true, "", adaptation).summary.lowered, 0U) << adaptation;
}

}  // namespace
}  // namespace tributary
