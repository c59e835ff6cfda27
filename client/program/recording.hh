#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "program/output_file.hh"
#include "report/session_record.hh"
#include "trace/session_trace.hh"

namespace tributary {

/// The record of a session, and its trace if the user wants one. Other observers come after them.
class Recording {
 public:
  /// Session and trace file must outlive it. `segments_kept`: as SessionRecord has it.
  Recording(const Session& session, OutputFile& trace_file, std::optional<std::size_t> segments_kept = std::nullopt)
      : record_{session.table(), segments_kept} {
    if (trace_file.wanted()) observers_.push_back(&trace_.emplace(trace_file.stream(), session));
  }
  Recording(const Recording&) = delete;  // it points into itself

  const SessionRecord& record() const { return record_; }
  /// It sees each event and action after the record has it.
  void show(SessionObserver& observer) { observers_.push_back(&observer); }
  const std::vector<SessionObserver*>& observers() const { return observers_; }

 private:
  SessionRecord record_;
  std::optional<TraceWriter> trace_;
  std::vector<SessionObserver*> observers_{&record_};
};

}  // namespace tributary
