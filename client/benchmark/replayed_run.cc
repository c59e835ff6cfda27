#include <fmt/format.h>

#include <fstream>
#include <stdexcept>
#include <vector>

#include "benchmark/run_report.hh"
#include "benchmark/runs.hh"
#include "trace/replay.hh"

namespace tributary {

RunEnd replay_trace(const BenchOptions& options) {
  std::ifstream in{*options.replay};
  if (!in) throw std::runtime_error(fmt::format("cannot read {}", *options.replay));
  const SessionTrace trace = SessionTrace::read(in);
  Outputs outputs{options};
  Session session = recorded_session(trace);
  SessionRecord record{session.table()};
  std::vector<SessionObserver*> observers{&record};
  if (const auto difference = replay(trace, session, observers)) {
    throw std::runtime_error(fmt::format("{}: decided otherwise {}", *options.replay, *difference));
  }
  return {report(outputs, options, record, trace.options, labels_of(options), unknown_capacity())};
}

}  // namespace tributary
