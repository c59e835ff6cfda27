#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <sstream>

#include "core/run.hh"
#include "report/session_record.hh"
#include "report/summary.hh"
#include "support/session_audit.hh"
#include "support/sweep.hh"
#include "support/tables.hh"
#include "trace/replay.hh"
#include "trace/session_trace.hh"
#include "worlds/simulated_world.hh"

namespace tributary {
namespace {

using namespace literals;

/// 750 to 3000 kbit/s in segments of two seconds and 50 frames, of which the first is a quarter of the bytes.
struct Film {
  Film() {
    std::vector<testing::QualityRow> rows{{"low", {}}, {"medium", {}}, {"high", {}}, {"super", {}}};
    const std::array sizes{187500_B, 325_kB, 537500_B, 750_kB};
    for (std::size_t q = 0; q < rows.size(); ++q) {
      for (int segment = 0; segment < 40; ++segment) {
        const DataSize size = scale(sizes[q], 0.8 + 0.04 * (7 * segment % 11));
        rows[q].sizes.push_back(size);
        std::vector<Frame>& frames_here = frames[q].emplace_back();
        DataSize end = scale(size, 0.25);
        frames_here.push_back({FrameKind::kI, {0_B, end}});
        for (int i = 1; i < 50; ++i) {
          const DataSize begin = end;
          end = i == 49 ? size : begin + scale(size, 0.75 / 49);
          frames_here.push_back({FrameKind::kP, {begin, end}});
        }
      }
    }
    presentation = testing::presentation_of(rows);
  }
  Presentation presentation;
  FramesOfTracks frames;
};

/// A session over links whose rates change each few seconds.
struct FilmRun {
  FilmRun(const Film& film, PartialSegments partial, StreamingMode mode, std::uint64_t seed)
      : session{SegmentTable{film.presentation}, options(partial, mode)}, record{session.table()} {
    SimulatedWorld world{session.table(),
                         parse_scenario(fmt::format("dynamics 3Mbps {}", seed)),
                         seed,
                         session.options().segments_at_start(),
                         nullptr,
                         &film.frames};
    testing::SessionAudit audit{session};
    TraceWriter writer{text, session};
    SessionObserver* const observers[] = {&record, &writer, &audit};
    run(session, world, observers);
    for (const std::string& complaint : audit.complaints()) ADD_FAILURE() << complaint;
    summary = summarise(record, session.options());
  }
  static SessionOptions options(PartialSegments partial, StreamingMode mode) {
    SessionOptions options;
    options.mode = mode;
    options.adaptation = "planned";
    options.buffer_segments = 1;
    options.partial = partial;
    return options;
  }

  Session session;
  SessionRecord record;
  std::stringstream text;
  Summary summary;
};

TEST(PartialPlay, HalvesTheStallsOfABufferOfOneSegmentAndLosesFewFrames) {
  const Film film;
  for (const StreamingMode mode : {StreamingMode::kOnDemand, StreamingMode::kLiveUnbuffered}) {
    std::uint64_t misses = 0, misses_in_part = 0;
    Duration stood{}, stood_in_part{};
    for (int seed = 1; seed <= testing::of_sweep(4, 12); ++seed) {
      const FilmRun waits{film, PartialSegments::kWait, mode, static_cast<std::uint64_t>(seed)};
      const FilmRun plays{film, PartialSegments::kPlay, mode, static_cast<std::uint64_t>(seed)};
      misses += waits.summary.misses;
      misses_in_part += plays.summary.misses;
      stood += waits.summary.miss_total;
      stood_in_part += plays.summary.miss_total;
      EXPECT_EQ(waits.summary.frames_shown, 1);
      EXPECT_GE(plays.summary.frames_shown, 0.97) << "seed " << seed;
      EXPECT_TRUE(plays.record.complete());
    }
    EXPECT_LE(2 * misses_in_part, misses) << name_of(mode);
    EXPECT_LE(2 * stood_in_part, stood) << name_of(mode);
    EXPECT_GT(misses, 4U);  // or it would show nothing
  }
}

TEST(PartialPlay, IsDecidedAgainFromATrace) {
  const Film film;
  FilmRun played{film, PartialSegments::kPlay, StreamingMode::kOnDemand, 1};
  const SessionTrace trace = SessionTrace::read(played.text);
  Session again = recorded_session(trace);
  EXPECT_FALSE(replay(trace, again, {}));
}

}  // namespace
}  // namespace tributary
