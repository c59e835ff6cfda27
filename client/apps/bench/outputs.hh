#pragma once

#include <fstream>
#include <memory>
#include <optional>
#include <string>

#include "apps/bench/bench_options.hh"
#include "report/csv_files.hh"
#include "report/summary.hh"

namespace tributary {

/// A file that the user asked for. It is opened before the run, so that a wrong path costs no run, and written whole or
/// complained about. Nothing happens where no file was asked for.
class OutputFile {
 public:
  /// Throws std::runtime_error with the path and the reason.
  explicit OutputFile(const std::optional<std::string>& path);

  bool wanted() const { return stream_.is_open(); }
  std::ostream& stream() { return stream_; }
  /// Throws std::runtime_error if not everything could be written.
  void close();

 private:
  std::string path_;
  std::ofstream stream_;
};

/// All tables and figures of a run.
class Outputs {
 public:
  explicit Outputs(const BenchOptions& options);

  OutputFile& trace() { return trace_; }
  void write(const Summary& summary, const SessionRecord& record, const SessionOptions& options,
             const RunLabels& labels, const CapacityOf& capacity);

 private:
  OutputFile summary_, segments_, requests_, links_, trace_;
};

/// The figures for people, a few lines.
std::string summary_text(const Summary& summary, const SessionRecord& record,
                         const std::optional<Possible>& possible);

}  // namespace tributary
