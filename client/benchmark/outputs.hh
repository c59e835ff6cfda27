#pragma once

#include <optional>
#include <string>

#include "benchmark/bench_options.hh"
#include "program/output_file.hh"
#include "report/csv_files.hh"
#include "report/summary.hh"

namespace tributary {

/// All tables and figures of a run.
class Outputs {
 public:
  explicit Outputs(const BenchOptions& options);

  OutputFile& trace() { return trace_; }
  void write(const Summary& summary, const SessionRecord& record, const SessionOptions& options,
             const RunLabels& labels, const CapacityOf& capacity);

 private:
  OutputFile summary_, segments_, requests_, links_, misses_, p1203_, trace_;
};

/// The figures for people, a few lines.
std::string summary_text(const Summary& summary, const SessionRecord& record, const std::optional<Possible>& possible);
/// Why deadlines were missed, a line each.
std::string misses_text(const Summary& summary);

}  // namespace tributary
