#include "benchmark/run_report.hh"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <ctime>

#include "units/text/printed_text.hh"
#include "units/text/redacted_url.hh"

namespace tributary {

RunLabels labels_of(const BenchOptions& options) {
  RunLabels labels;
  labels.run_id =
      options.run_id.empty() ? fmt::format("{:%Y%m%dT%H%M%SZ}", fmt::gmtime(std::time(nullptr))) : options.run_id;
  labels.seed = options.seed;
  labels.version = TRIBUTARY_VERSION;
  labels.movie = redacted(options.index);
  return labels;
}

int report(Outputs& outputs, const BenchOptions& options, const SessionRecord& record, const SessionOptions& session,
           const RunLabels& labels, const CapacityOf& capacity) {
  const Summary summary = summarise(record, session);
  outputs.write(summary, record, session, labels, capacity);
  if (!options.quiet) print_text(stdout, summary_text(summary, record, labels.possible));
  if (options.explain) print_text(stdout, misses_text(summary));
  if (options.quiet && !record.complete() && !record.ended_because().empty())
    print_text(stderr, "tributary-bench: {}\n", record.ended_because());
  return record.complete() ? 0 : 1;
}

CapacityOf unknown_capacity() {
  return [](LinkId, TimePoint) { return std::nullopt; };
}

}  // namespace tributary
