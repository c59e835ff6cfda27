// Whatever users and players do, and whenever: the bytes add up, and the end is reached.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <sstream>

#include "core/run.hh"
#include "report/session_record.hh"
#include "support/interrupted_world.hh"
#include "support/session_audit.hh"
#include "support/sweep.hh"
#include "support/tables.hh"
#include "trace/replay.hh"
#include "trace/session_trace.hh"
#include "worlds/simulated_world.hh"

namespace tributary {
namespace {

using namespace literals;
using namespace std::chrono_literals;

constexpr std::uint32_t kSegments = 40;

std::vector<TimedEvent> random_script(std::mt19937& random) {
  const auto up_to = [&](std::uint32_t most) { return std::uniform_int_distribution<std::uint32_t>{0, most}(random); };
  std::vector<TimedEvent> script;
  TimePoint at{100ms};
  for (int i = 0; i < 60; ++i) {
    at += std::chrono::milliseconds{up_to(i % 10 == 0 ? 5'000 : 300)};
    const auto segment = static_cast<SegmentIndex>(up_to(kSegments - 1));
    switch (up_to(4)) {
      case 0:
      case 1:
        script.push_back({at, event::SeekRequested{segment, up_to(3), std::nullopt}});
        break;
      case 2:
        script.push_back({at, event::LinkUseChanged{static_cast<LinkId>(up_to(1)), static_cast<LinkUse>(up_to(2))}});
        break;
      case 3:
        script.push_back(
            {at, event::QualityChosen{up_to(1) == 0 ? std::nullopt : std::optional{QualityIndex{up_to(3)}}}});
        break;
      default:
        script.push_back({at, event::PlayoutReported{static_cast<PlayoutState>(up_to(2)), segment,
                                                     std::chrono::milliseconds{up_to(2'000)}, 0.5 * (1 + up_to(3))}});
    }
  }
  for (const LinkId link : {LinkId{0}, LinkId{1}}) script.push_back({at, event::LinkUseChanged{link, LinkUse::kUse}});
  script.push_back({at, event::SeekRequested{SegmentIndex{30}, 0, std::nullopt}});
  for (std::uint32_t s = 30; s < kSegments; ++s) {  // a player that skips along
    at += 15s;
    script.push_back({at, event::PlayoutReported{PlayoutState::kPlaying, SegmentIndex{s}, 100ms, 1}});
  }
  script.push_back({at + 30s, event::StopRequested{"closed"}});
  return script;
}

TEST(SessionWishes, AtAnyMomentAndInAnyOrder) {
  for (unsigned seed = 1; seed <= static_cast<unsigned>(testing::of_sweep(5, 10)); ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937 random{seed};
    SessionOptions options;
    options.playout = seed % 3 == 0 ? PlayoutSource::kAssumed : PlayoutSource::kReported;
    options.startup_segments = 1 + seed % 2;
    options.stays_open = true;
    Session session{testing::constant_table(kSegments, {90_kB, 180_kB, 350_kB, 700_kB}), options};
    SimulatedWorld links{session.table(), parse_scenario("wifi 4Mbps 30ms, down 7s..9s; lte 2Mbps 80ms, loss 1%"), seed,
                         0};
    testing::InterruptedWorld world{links, random_script(random)};
    SessionRecord record{session.table()};
    testing::SessionAudit books{session};
    std::ostringstream text;
    TraceWriter trace{text, session};
    SessionObserver* const observers[] = {&record, &books, &trace};
    run(session, world, observers);
    EXPECT_THAT(books.complaints(), ::testing::IsEmpty());
    ASSERT_TRUE(books.finish);
    EXPECT_EQ(books.finish->reason, "closed");
    ASSERT_FALSE(books.delivered.empty());
    EXPECT_EQ(books.delivered.back(), SegmentIndex{kSegments - 1});

    std::istringstream in{text.str()};
    const SessionTrace recorded = SessionTrace::read(in);
    Session again = recorded_session(recorded);
    EXPECT_EQ(replay(recorded, again, {}), std::nullopt);
    if (HasFailure()) return;
  }
}

}  // namespace
}  // namespace tributary
