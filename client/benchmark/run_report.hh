#pragma once

#include "benchmark/bench_options.hh"
#include "benchmark/outputs.hh"
#include "report/csv_files.hh"
#include "report/session_record.hh"
#include "report/summary.hh"

namespace tributary {

/// The names of the run in its figures.
RunLabels labels_of(const BenchOptions& options);

/// Writes the files that were asked for, and prints the figures. Returns the exit status: 0 if the whole stream came.
int report(Outputs& outputs, const BenchOptions& options, const SessionRecord& record, const SessionOptions& session,
           const RunLabels& labels, const CapacityOf& capacity);

/// Of real links.
CapacityOf unknown_capacity();

}  // namespace tributary
