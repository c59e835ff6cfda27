#pragma once

#include <memory>
#include <sstream>
#include <string>

#include "core/run.hh"
#include "report/session_record.hh"
#include "report/summary.hh"
#include "trace/session_trace.hh"
#include "worlds/simulated_world.hh"

namespace tributary::testing {

/// A session over modelled links, from start to end.
struct SimulatedRun {
  SimulatedRun(const SegmentTable& table, const SessionOptions& options, const std::string& scenario,
               std::uint64_t seed = 1)
      : session{table, options}, record{session.table()} {
    SimulatedWorld world{session.table(), parse_scenario(scenario), seed, options.segments_at_start()};
    std::ostringstream text;
    TraceWriter writer{text, session};
    SessionObserver* const observers[] = {&record, &writer};
    run(session, world, observers);
    trace = text.str();
    summary = summarise(record, options);
  }

  double share_of_bytes(std::size_t link) const {
    return record.links().at(static_cast<LinkId>(link)).received / summary.bytes;
  }

  Session session;
  SessionRecord record;
  std::string trace;
  Summary summary;
};

}  // namespace tributary::testing
