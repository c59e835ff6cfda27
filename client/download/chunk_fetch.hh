#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/session.hh"
#include "download/beside/patient_download.hh"
#include "download/download_run.hh"
#include "download/files/chunk_sink.hh"
#include "download/found_object.hh"
#include "download/report/exit_status.hh"
#include "memory/link_memory.hh"
#include "program/recording.hh"
#include "transport/http/file_versions.hh"
#include "worlds/streaming_job.hh"

namespace tributary {

/// Fetches chunks of an object by a session over all links, beside the answer that found the object. One object is for
/// one fetch.
class ChunkFetch {
 public:
  struct What {
    FoundObject& object;
    const std::vector<ByteRange>& chunks;
    ChunkSink& sink;
    const DownloadState& state;
    bool may_be_had_whole;  // one answer without a range may be tried later
  };
  struct Outcome {
    int exit_status = 0;
    std::optional<FailureReason> failure{};  // that ended it, if one did
    std::string why{};                       // for people

    /// The object is another one than it was.
    bool has_changed() const {
      return failure == FailureReason::kEntityChanged || failure == FailureReason::kVersionsDiffer;
    }
  };

  /// All that it is given must outlive it.
  ChunkFetch(const DownloadRun& run, const What& what);
  ChunkFetch(const ChunkFetch&) = delete;

  /// Fills in the run's report. Throws what the session throws.
  Outcome fetch();

 private:
  std::unique_ptr<transport::HttpTransport> connect(const std::string& link, const transport::OriginPace& pace) const;
  AnswersBeside::Options answers_beside();
  bool is_held(const std::string& link);
  std::optional<DataRate> one_connection(const std::string& link) const;
  void show_progress();
  void remember_what_was_carried_beside();
  StreamingJob::Wiring wiring();
  Outcome outcome_of_session() const;
  bool wait_for_rest();
  void report();

  const DownloadRun& run_;
  What what_;
  transport::FileVersions versions_;
  transport::OriginPace pace_;
  Session session_;
  std::shared_ptr<LinkMemory> memory_;
  std::optional<PatientDownload> patient_;
  Recording recording_;
  EndObserver end_;
  std::optional<GetProgress> progress_;
  bool spares_links_ = false;
  StreamingJob job_;
};

}  // namespace tributary
